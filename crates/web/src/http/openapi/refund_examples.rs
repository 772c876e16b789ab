//! Examples of refunds.

use super::examples::{Examples, ID, created_at, json, transaction};
use crate::http::refunds::RefundListing;
use serde_json::{Value, json};
use std::sync::Arc;
use tua_api::resources::RefundView;
use tua_contract::{FailureCode, Network, State, Status, Step};
use tua_domain::{
    Kind, Transaction, TransactionId,
    listing::Cursor,
    refund::{RefundMethod, RefundOf},
    transaction::Conflict,
};

pub(super) fn refund_request() -> Examples {
    let part =
        json!({ "transactionId": ID, "amount": 4.2, "reason": "One of two items was sold out" });
    vec![("part", part), ("all", json!({ "transactionId": ID }))]
}

pub(super) fn refunds() -> Examples {
    vec![("pending", refund(State::Pending(Step::Wait))), ("successful", refund(State::Successful))]
}

pub(super) fn cancelled_refund() -> Examples {
    vec![("cancelled", refund(State::Failed(FailureCode::Cancelled)))]
}

pub(super) fn refund_listing() -> Examples {
    let (returned, of) = example(State::Successful);
    let next_cursor = Some(Cursor::after(&returned).write());
    vec![(
        "page",
        json(&RefundListing { data: vec![RefundView::new(&returned, &of)], next_cursor }),
    )]
}

/// A refund in this state, also in the body of a webhook.
pub(super) fn refund(state: State) -> Value {
    let (refund, of) = example(state);
    json(&RefundView::new(&refund, &of))
}

/// A refund with a conflict, in the body of a webhook.
pub(super) fn contradicted_refund() -> Value {
    let (refund, of) = example(State::Successful);
    let conflict = Some(Conflict { observed: Status::Failed, at: created_at(), decision: None });
    json(&RefundView::new(&Transaction { conflict, ..refund }, &of))
}

fn example(state: State) -> (Transaction, RefundOf) {
    let of = RefundOf { charge: TransactionId::new(ID), method: RefundMethod::Native };
    let mut refund = transaction(Kind::Payout, Network::Mtn, state);
    let new = Arc::make_mut(&mut refund.order);
    new.id = TransactionId::new("txn_019aa5f0c2007d3e8a1b4c5d6e7f8095");
    new.details.payer_message = Some("One of two items was sold out".to_owned());
    new.refund = Some(of.clone());
    (refund, of)
}
