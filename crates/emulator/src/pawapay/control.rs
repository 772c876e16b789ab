//! Cancels orders that wait, and sends callbacks again.

use super::{
    access::Authorized,
    provider::{PLATFORM, id_field},
};
use crate::{
    decision::Decision,
    extract::Path,
    lifecycle,
    phase::{Failure, Kind, Phase},
    protocol::Shared,
    wire::respond,
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde_json::json;

/// `POST /v2/deposits/resend-callback/{id}`: sends the callback of a final deposit again.
pub(super) async fn resend_deposit(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    resend(&shared, Kind::Charge, &id)
}

/// `POST /v2/payouts/resend-callback/{id}`: sends the callback of a final payout again.
pub(super) async fn resend_payout(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    resend(&shared, Kind::Payout, &id)
}

/// `POST /v2/refunds/resend-callback/{id}`: sends the callback of a final refund again.
pub(super) async fn resend_refund(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    resend(&shared, Kind::Refund, &id)
}

/// `POST /v2/payouts/fail-enqueued/{id}`: cancels a payout that is enqueued.
pub(super) async fn cancel_payout(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    cancel(&shared, Kind::Payout, &id)
}

/// `POST /v2/refunds/fail-enqueued/{id}`: cancels a refund that is enqueued.
pub(super) async fn cancel_refund(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    cancel(&shared, Kind::Refund, &id)
}

fn resend(shared: &Shared, kind: Kind, id: &str) -> Response {
    let order = shared.orders().find(PLATFORM, kind, id).cloned();
    let result = match order {
        None => Err(("NOT_FOUND", "The payment was not found.")),
        Some(order) => lifecycle::decide(shared, order.id, Decision::RepeatCallback)
            .map_err(|_| ("INVALID_STATE", "The payment is not in a final state.")),
    };
    answer(kind, id, result)
}

fn cancel(shared: &Shared, kind: Kind, id: &str) -> Response {
    let order = shared.orders().find(PLATFORM, kind, id).cloned();
    let result = match order {
        None => Err(("NOT_FOUND", "The payment was not found.")),
        Some(order) if order.phase != Phase::Enqueued => {
            Err(("INVALID_STATE", "The payment is no longer enqueued."))
        }
        Some(order) => {
            lifecycle::finish(shared, order.id, Phase::Failed(Failure::Cancelled));
            Ok(())
        }
    };
    answer(kind, id, result)
}

fn answer(kind: Kind, id: &str, result: Result<(), (&str, &str)>) -> Response {
    let body = match result {
        Ok(()) => json!({id_field(kind): id, "status": "ACCEPTED"}),
        Err((code, message)) => json!({
            id_field(kind): id, "status": "REJECTED",
            "failureReason": {"failureCode": code, "failureMessage": message},
        }),
    };
    respond(StatusCode::OK, body)
}
