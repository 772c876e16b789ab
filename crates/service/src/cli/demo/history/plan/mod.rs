//! What happened in the shop: a plan of events from a seed and the days. A day has the same events
//! whenever the demo is started. Nothing is read or written here.

mod day;
mod events;
mod payers;
mod payouts;
mod randomness;
mod sales;

use day::days;
pub(super) use events::{
    ChargeAttempt, LINK_AMOUNT, PayoutLine, PlannedBatch, PlannedPayout, Sale, SaleRefund,
    SaleSource,
};
use jiff::{SignedDuration, Timestamp, civil::Date};
use tua_companion::catalogue::Catalogue;
use tua_domain::calendar::day_of;

/// Everything that ends later than this before the present is left to the visitor of the demo.
const LAST_END: SignedDuration = SignedDuration::from_mins(2);

/// How long ago the charge began that is still pending.
const PENDING_AGE: SignedDuration = SignedDuration::from_secs(50);

/// How long ago the batch began that waits for an approval.
const WAITING_BATCH_AGE: SignedDuration = SignedDuration::from_hours(3);

/// What happened in the shop. Each list is in the order of time.
#[derive(Debug)]
pub(super) struct Plan {
    /// When the shop opened its account and created its payment link, before all else.
    pub(super) opened_at: Timestamp,
    /// What customers bought and gave back.
    pub(super) sales: Vec<Sale>,
    /// The charge that its payer has not approved yet.
    pub(super) pending: Option<Sale>,
    /// Payouts to single people.
    pub(super) payouts: Vec<PlannedPayout>,
    /// Batches of payouts; the last one waits for an approval.
    pub(super) batches: Vec<PlannedBatch>,
    /// The day on which the history ends. A statement has days before it.
    pub(super) today: Date,
}

impl Plan {
    /// The plan of the ninety days that end now, for a shop with this catalogue.
    pub(super) fn new(catalogue: &Catalogue, now: Timestamp) -> Self {
        let days = days(now);
        let first = days.first().map_or(now, |day| day.start);
        let is_over = |end: Timestamp| end <= now - LAST_END;
        let mut sales: Vec<Sale> =
            days.iter().flat_map(|day| sales::of_day(catalogue, *day)).collect();
        sales.retain(|sale| is_over(sale.last_attempt_ends_at()));
        for sale in &mut sales {
            sale.drop_refund_after(now - LAST_END);
        }
        let mut payouts: Vec<PlannedPayout> =
            days.iter().flat_map(|day| payouts::of_day(*day)).collect();
        payouts.retain(|payout| is_over(payout.at));
        let mut batches: Vec<PlannedBatch> =
            days.iter().filter_map(|day| payouts::wages_of_month(*day)).collect();
        batches.retain(|batch| batch.approved_at().is_some_and(is_over));
        batches.push(payouts::waiting_batch(now - WAITING_BATCH_AGE));
        Self {
            opened_at: first - SignedDuration::from_hours(24),
            sales,
            pending: sales::pending(catalogue, now - PENDING_AGE),
            payouts,
            batches,
            today: day_of(now),
        }
    }
}

#[cfg(test)]
mod tests;
