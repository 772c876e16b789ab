//! The events that follow from what is found out about a transaction.

use super::Transaction;
use crate::{
    Event,
    finding::{Finding, FindingSource, Mismatch},
    refund_values::TransactionType,
};
use jiff::Timestamp;
use tua_contract::{
    Status,
    lifecycle::{Applied, apply},
};

impl Transaction {
    /// What a finding does to this transaction, if anything.
    ///
    /// `asked_of` is the version that the question was asked about. A word that is not final may
    /// have been overtaken since (a voucher accepted while "waits for a voucher" was on its way),
    /// so it counts only where nothing has happened in between. A final word always counts.
    #[must_use]
    pub fn weigh(&self, finding: &Finding, asked_of: u32) -> Option<Event> {
        let overtaken = self.version != asked_of;
        match apply(self.state, finding.observation) {
            Applied::Moved(state) if state.is_final() || !overtaken => {
                Some(Event::Moved(state, finding.details.clone()))
            }
            Applied::Flagged(_) => {
                let mismatch = finding.mismatch.unwrap_or(Mismatch { received: None });
                let event = || Event::Mismatched(mismatch, finding.details.clone());
                (self.mismatch != Some(mismatch)).then(event)
            }
            Applied::Contradicts(status) if self.conflict.is_none() => {
                Some(Event::Contradicted(status, finding.mismatch, finding.details.clone()))
            }
            Applied::Reversed => match self.order.transaction_type() {
                TransactionType::Payout => {
                    let event = || Event::Reversed(finding.details.clone());
                    self.reversed_at.is_none().then(event)
                }
                // The operator returned it because the merchant asked for that.
                TransactionType::Charge if self.is_returned_by_operator() => None,
                // Money that was taken back, also what no refund asked for, contradicts what the
                // merchant was told.
                TransactionType::Charge | TransactionType::Refund => {
                    let details = || finding.details.clone();
                    let event = || Event::Contradicted(Status::Failed, None, details());
                    self.conflict.is_none().then(event)
                }
            },
            Applied::Disputed if self.dispute.is_none() => Some(Event::Disputed),
            Applied::Moved(_)
            | Applied::Contradicts(_)
            | Applied::Disputed
            | Applied::Unchanged => None,
        }
    }

    /// What a finding about this transaction as it is makes of it, and the event that it takes in;
    /// nothing where that changes nothing.
    #[must_use]
    pub fn after(&self, finding: &Finding, now: Timestamp) -> Option<(Event, Self)> {
        let event = self.weigh(finding, self.version)?;
        let mut after = self.clone();
        after.apply_event(&event, now);
        Some((event, after))
    }

    /// Whether the response to a send shows nothing about this transaction as it is but that the
    /// operator has the order, as most responses do.
    #[must_use]
    pub fn is_only_acknowledged(&self, finding: &Finding) -> bool {
        finding.source == FindingSource::Send
            && finding.observation.is_acknowledgement()
            && finding.attention.is_none()
            && !finding.depends_on_sends()
            && self.weigh(finding, self.version).is_none()
    }

    /// Whether the refunds that the operator makes return all that a charge can return. Only then
    /// its report of a reversal is about them: a reversal is always one of the whole charge.
    fn is_returned_by_operator(&self) -> bool {
        let amount = self.order.transfer.amount;
        let returnable = self.settled_amount.map_or(amount, |settled| settled.min(amount));
        self.refunds.native >= returnable.pesewas()
    }
}
