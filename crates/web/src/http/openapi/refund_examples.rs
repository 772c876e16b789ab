//! The refund of the examples.

use super::examples::{Examples, TRANSACTION_ID, created_at, json, transaction};
use serde_json::Value;
use std::sync::Arc;
use tua_api::resources::RefundView;
use tua_contract::{Network, State, Status, Step};
use tua_domain::{
    Kind, Transaction, TransactionId,
    refund::{RefundMethod, RefundOf},
    transaction::Conflict,
};

/// A pending refund, and a successful one.
pub(crate) fn refunds() -> Examples {
    vec![("pending", refund(State::Pending(Step::Wait))), ("successful", refund(State::Successful))]
}

/// A refund in this state, also in the body of a webhook.
pub(crate) fn refund(state: State) -> Value {
    let (refund, of) = example(state);
    json(&RefundView::new(&refund, &of))
}

/// A refund with a conflict, in the body of a webhook.
pub(crate) fn contradicted_refund() -> Value {
    let (refund, of) = example(State::Successful);
    let conflict = Some(Conflict { observed: Status::Failed, at: created_at(), decision: None });
    json(&RefundView::new(&Transaction { conflict, ..refund }, &of))
}

/// A refund in this state, and what it returns.
pub(crate) fn example(state: State) -> (Transaction, RefundOf) {
    let of = RefundOf { charge: TransactionId::new(TRANSACTION_ID), method: RefundMethod::Native };
    let mut refund = transaction(Kind::Payout, Network::Mtn, state);
    let new = Arc::make_mut(&mut refund.order);
    new.id = TransactionId::new("txn_019aa5f0c2007d3e8a1b4c5d6e7f8095");
    new.details.payer_message = Some("One of two items was sold out".to_owned());
    new.refund = Some(of.clone());
    (refund, of)
}
