//! Counts and sums of transactions.

use super::ReportFilter;
use crate::refund_values::TransactionType;
use jiff::civil::Date;
use tua_contract::{Network, Status};

/// The number of transactions up to which a list is counted, unless the totals of days have its
/// numbers.
pub const MAX_COUNT: u32 = 100_000;

/// Transactions of a filter that have one type and one status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterTotal {
    /// Whether they are charges, payouts or refunds.
    pub transaction_type: TransactionType,
    /// The status that all of them have now.
    pub status: Status,
    /// The number of transactions with this type and status.
    pub payments: u64,
    /// The sum that moved, in pesewas: nought unless they are successful. Where a review found that
    /// another sum moved than the amount, it counts that sum.
    pub pesewas: i64,
}

/// The transactions of a filter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilterTotals {
    totals: Vec<FilterTotal>,
    is_capped: bool,
}

impl FilterTotals {
    /// The totals of a filter: of all transactions that match, or of the newest [`MAX_COUNT`].
    #[must_use]
    pub fn new(filter: &ReportFilter, totals: Vec<FilterTotal>) -> Self {
        let payments: u64 = totals.iter().map(|total| total.payments).sum();
        let is_capped = !filter.has_day_totals() && payments >= u64::from(MAX_COUNT);
        Self { totals, is_capped }
    }

    /// How many transactions were counted.
    #[must_use]
    pub fn payments(&self) -> u64 {
        self.totals.iter().map(|total| total.payments).sum()
    }

    /// Whether there may be more than were counted, so that count and sums are of the newest only.
    #[must_use]
    pub const fn is_capped(&self) -> bool {
        self.is_capped
    }

    /// How many of the counted transactions have this status.
    #[must_use]
    pub fn with_status(&self, status: Status) -> u64 {
        let of_status = self.totals.iter().filter(|total| total.status == status);
        of_status.map(|total| total.payments).sum()
    }

    /// How many transactions of a type have this status.
    #[must_use]
    pub fn count_of(&self, of: TransactionType, status: Status) -> u64 {
        let is_counted =
            |total: &&FilterTotal| total.transaction_type == of && total.status == status;
        self.totals.iter().filter(is_counted).map(|total| total.payments).sum()
    }

    /// How many transactions of a type were successful.
    #[must_use]
    pub fn moved(&self, of: TransactionType) -> u64 {
        self.successful(of).map(|total| total.payments).sum()
    }

    /// The sum of the successful transactions of a type, in pesewas.
    #[must_use]
    pub fn moved_pesewas(&self, of: TransactionType) -> i64 {
        self.successful(of).map(|total| total.pesewas).sum()
    }

    fn successful(&self, of: TransactionType) -> impl Iterator<Item = &FilterTotal> {
        self.totals
            .iter()
            .filter(move |total| total.transaction_type == of && total.status == Status::Successful)
    }
}

/// The transactions of one day, type, network and final status. The day is that of their creation
/// in UTC, so it is the day by which lists are filtered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DayTotal {
    /// The day in UTC on which the transactions were created.
    pub day: Date,
    /// Whether they are charges, payouts or refunds.
    pub transaction_type: TransactionType,
    /// The network of the wallets that were charged or paid.
    pub network: Network,
    /// Their status: successful or failed.
    pub status: Status,
    /// The number of transactions of this day, type, network and status.
    pub payments: u64,
    /// Their sum in pesewas. Where a review found that another sum moved than the amount, it counts
    /// that sum.
    pub pesewas: i64,
}

/// What operators charged the merchant for the transactions of one day and type, less what payers
/// paid for it. The day is that of the transactions' creation, as in [`DayTotal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DayFees {
    /// The day in UTC on which the transactions were created.
    pub day: Date,
    /// Whether they are charges, payouts or refunds.
    pub transaction_type: TransactionType,
    /// The sum of the fees that operators have reported, in pesewas.
    pub pesewas: i64,
    /// How many transactions succeeded with a fee that is known.
    pub known: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_contract::FailureCode;

    #[test]
    fn only_what_no_day_has_is_counted_to_the_limit() {
        let of = |filter: ReportFilter, payments| {
            let total = FilterTotal {
                transaction_type: TransactionType::Charge,
                status: Status::Failed,
                payments,
                pesewas: 0,
            };
            FilterTotals::new(&filter, vec![total]).is_capped()
        };
        let failed = ReportFilter { status: Some(Status::Failed), ..ReportFilter::default() };
        let pending = ReportFilter { status: Some(Status::Pending), ..ReportFilter::default() };
        let limit = u64::from(MAX_COUNT);
        assert!(!of(failed.clone(), limit * 2) && !of(pending.clone(), limit - 1));
        assert!(
            of(pending, limit)
                && of(ReportFilter { failure: Some(FailureCode::WrongPin), ..failed }, limit)
        );
    }
}
