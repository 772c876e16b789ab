//! Reads the status of orders, and reports it by callback.

use super::{
    access::Authorized,
    outcomes,
    provider::{PLATFORM, id_field, provider_code},
    request::metadata,
};
use crate::{
    callback::Callback,
    extract::Path,
    operator::Operator,
    order::Order,
    phase::{Kind, Phase},
    protocol::Shared,
    wire::{respond, rfc3339},
};
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::Response,
};
use jiff::SignedDuration;
use serde_json::{Value, json};
use tua_contract::Network;
use uuid::Uuid;

/// How long an order is `ACCEPTED` before it is `PROCESSING`.
const ACCEPTED_TIME: SignedDuration = SignedDuration::from_secs(1);

/// `GET /v2/deposits/{id}`: the status of a deposit.
pub(super) async fn deposit(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    read(&shared, Kind::Charge, &id)
}

/// `GET /v2/payouts/{id}`: the status of a payout.
pub(super) async fn payout(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    read(&shared, Kind::Payout, &id)
}

/// `GET /v2/refunds/{id}`: the status of a refund.
pub(super) async fn refund(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Response {
    read(&shared, Kind::Refund, &id)
}

fn read(shared: &Shared, kind: Kind, id: &str) -> Response {
    let order = shared.orders().find(PLATFORM, kind, id).cloned();
    let body = match order {
        Some(order) => {
            let mut data = body(&order, status(shared, &order));
            data["amount"] = with_decimals(&order, 2).into();
            data["clientReferenceId"] =
                order.new.request.get("clientReferenceId").cloned().unwrap_or(Value::Null);
            json!({"status": "FOUND", "data": data})
        }
        None => json!({"status": "NOT_FOUND"}),
    };
    respond(StatusCode::OK, body)
}

fn status(shared: &Shared, order: &Order) -> &'static str {
    match order.phase {
        Phase::Successful | Phase::Reversed => "COMPLETED",
        Phase::Failed(_) => "FAILED",
        Phase::Enqueued => "ENQUEUED",
        Phase::Accepted if shared.clock.now().duration_since(order.created) < ACCEPTED_TIME => {
            "ACCEPTED"
        }
        Phase::Offered
        | Phase::AwaitingCode
        | Phase::Held
        | Phase::Accepted
        | Phase::Processing
        | Phase::NeedsAttention => "PROCESSING",
    }
}

/// The amount with this many decimals, at least two.
fn with_decimals(order: &Order, decimals: usize) -> String {
    let pesewas = order.new.amount.pesewas();
    format!("{}.{:02}{}", pesewas / 100, pesewas % 100, "0".repeat(decimals.saturating_sub(2)))
}

/// What status and callback have in common.
fn body(order: &Order, status: &str) -> Value {
    let party = if order.new.kind == Kind::Charge { "payer" } else { "recipient" };
    let network = order.new.network.unwrap_or(Network::Mtn);
    let failure_reason = match order.phase {
        Phase::Failed(failure) => {
            let (code, message) = outcomes::reason(failure, order.new.kind);
            Some(json!({"failureCode": code, "failureMessage": message}))
        }
        _ => None,
    };
    // The request was refused if its metadata were not valid.
    let metadata = metadata(&order.new.request).unwrap_or_default();
    json!({
        id_field(order.new.kind): order.new.reference,
        "status": status,
        "currency": order.new.currency,
        "country": "GHA",
        party: {
            "type": "MMO",
            "accountDetails": {
                "phoneNumber": order.new.phone,
                "provider": provider_code(network),
            },
        },
        "customerMessage": order.new.request.get("customerMessage"),
        "created": rfc3339(order.created),
        "providerTransactionId": provider_transaction_id(order),
        "failureReason": failure_reason,
        "metadata": metadata,
    })
}

/// The provider's own id, once the money moved.
pub(super) fn provider_transaction_id(order: &Order) -> Option<String> {
    let is_completed = matches!(order.phase, Phase::Successful | Phase::Reversed);
    is_completed.then(|| Uuid::from_u128(u128::from(order.serial.unsigned_abs())).to_string())
}

/// The callback about an outcome, or about a reconciliation. Its amount has four decimals, and it
/// lacks the client's reference.
pub(super) fn callback(shared: &Shared, order: &Order) -> Option<Callback> {
    let status = match order.phase {
        Phase::Successful => "COMPLETED",
        Phase::Failed(_) => "FAILED",
        Phase::Processing => "PROCESSING",
        _ => return None,
    };
    let url = shared.callback_url(Operator::PAWAPAY)?;
    let mut body = body(order, status);
    body["amount"] = with_decimals(order, 4).into();
    Some(Callback::new(order, Method::POST, url, body))
}
