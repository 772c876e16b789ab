//! What the revocation of a key makes of the orders that it asked for
//! (docs/reference/credentials.md#revoking-a-key).

use super::{Checkout, Event, KeyId, Kind, Transaction, approval};
use jiff::Timestamp;
use tua_contract::{FailureCode, lifecycle::Observation};

/// What the revocation of its key makes of an order that is not handed over: a payout waits for the
/// approval of a person, and a charge ends. `None` for an order that may have been sent, that waits
/// for an approval already, or that a person has approved since the revocation.
#[must_use]
pub fn stop(transaction: &Transaction) -> Option<Event> {
    if !transaction.may_be_sent() || transaction.is_approved_after_revocation {
        return None;
    }
    match transaction.order.transfer.kind {
        Kind::Payout => approval::require(transaction),
        Kind::Charge => {
            let not_sent = Observation::Failed(FailureCode::NotSent);
            transaction.weigh(&not_sent.into(), transaction.version)
        }
    }
}

/// The key whose revocation stops an order: the one that asked for it, else the one that created
/// the session which it charges, once that session is closed. A session that a revocation kept open
/// goes on.
#[must_use]
pub fn key_of_order<'a>(
    transaction: &'a Transaction,
    session: Option<&'a Checkout>,
    now: Timestamp,
) -> Option<&'a KeyId> {
    let closed = session.filter(|session| session.is_closed(now));
    transaction
        .order
        .key
        .as_ref()
        .or_else(|| closed.and_then(|session| session.created_by.as_ref()))
}
