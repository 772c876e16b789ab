//! What the revocation of a key makes of the orders that it asked for (docs/reference/credentials.md#revoking-a-key).

use super::{Event, Kind, Transaction, approval};
use tua_contract::{FailureCode, lifecycle::Observation};

/// What the revocation of its key makes of an order that is not handed over: a payout waits for the approval of a person,
/// and a charge ends. `None` for an order that may have been sent, that waits for an approval already, or that a person
/// has approved since the revocation.
#[must_use]
pub fn stop(transaction: &Transaction) -> Option<Event> {
    if !transaction.may_be_sent() || transaction.is_approved_after_revocation {
        return None;
    }
    match transaction.begun.transfer.kind {
        Kind::Payout => approval::require(transaction),
        Kind::Charge => {
            let not_sent = Observation::Failed(FailureCode::NotSent);
            transaction.weigh(&not_sent.into(), transaction.version)
        }
    }
}
