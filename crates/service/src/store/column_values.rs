//! Domain values as the columns of both engines hold them.

use crate::domain::{
    Transaction,
    webhook::{Delivery, delivery::Subject},
};
use tua_contract::State;

/// The columns `subject` and `version` of a delivery.
pub(super) fn subject_columns(delivery: &Delivery) -> (&str, Option<u32>) {
    match &delivery.subject {
        Subject::Transaction(id, version) => (id.as_str(), Some(*version)),
        Subject::Checkout(id) => (id.as_str(), None),
        Subject::Endpoint(id) => (id.as_str(), None),
    }
}

/// The column `failure` of a transaction.
pub(super) fn failure_column(transaction: &Transaction) -> Option<&'static str> {
    match transaction.state {
        State::Failed(code) => Some(code.as_str()),
        State::Pending(_) | State::Successful => None,
    }
}
