//! Domain values as the columns of both engines hold them.

use crate::domain::{
    Transaction,
    webhook::{Delivery, delivery::Subject},
};
use jiff::Timestamp;
use tua_contract::{State, Step};

/// The column `fault` of a delivery whose endpoint was removed.
pub(super) const REMOVED: &str = "the endpoint was removed";

/// The columns `subject` and `version` of a delivery.
pub(super) fn subject_columns(delivery: &Delivery) -> (&str, Option<u32>) {
    match &delivery.subject {
        Subject::Transaction(id, version) => (id.as_str(), Some(*version)),
        Subject::Checkout(id) => (id.as_str(), None),
        Subject::Endpoint(id) => (id.as_str(), None),
    }
}

/// What the column `acknowledged_at` of a transaction becomes, if it is NULL: every state but the first one comes from a
/// response that shows that the operator has the order.
pub(super) fn acknowledged_column(transaction: &Transaction) -> Option<Timestamp> {
    let is_acknowledged = transaction.handed_over_at.is_some() && transaction.state != State::Pending(Step::Wait);
    is_acknowledged.then_some(transaction.updated_at)
}

/// The column `failure` of a transaction.
pub(super) fn failure_column(transaction: &Transaction) -> Option<&'static str> {
    match transaction.state {
        State::Failed(code) => Some(code.as_str()),
        State::Pending(_) | State::Successful => None,
    }
}
