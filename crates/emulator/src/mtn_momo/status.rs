//! Reads the status of orders, and reports it by callback.

use super::{
    access::Authorized,
    outcomes,
    platform::Operation,
    responses::error,
    settings::{MtnProfile, MtnSettings},
    state::MtnMomo,
};
use crate::{
    callback::Callback,
    extract::Path,
    order::Order,
    phase::{Kind, Phase, State as OrderState},
    protocol::{Context, Shared},
    wire::{Refusal, respond},
};
use axum::{
    extract::State,
    http::{Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// `GET /collection/v1_0/requesttopay/{reference}`: the status of a charge.
pub(super) async fn charge(
    State(context): State<Context<MtnMomo>>,
    authorized: Authorized,
    Path(reference): Path<String>,
) -> Result<Response, Refusal> {
    read(&context, &authorized, Operation::RequestToPay, &reference)
}

/// `GET /disbursement/v1_0/transfer/{reference}`: the status of a payout.
pub(super) async fn payout(
    State(context): State<Context<MtnMomo>>,
    authorized: Authorized,
    Path(reference): Path<String>,
) -> Result<Response, Refusal> {
    read(&context, &authorized, Operation::Transfer, &reference)
}

/// `GET /disbursement/v1_0/deposit/{reference}`: the status of a deposit.
pub(super) async fn deposit(
    State(context): State<Context<MtnMomo>>,
    authorized: Authorized,
    Path(reference): Path<String>,
) -> Result<Response, Refusal> {
    read(&context, &authorized, Operation::Deposit, &reference)
}

/// `GET /disbursement/v1_0/refund/{reference}`: the status of a refund.
pub(super) async fn refund(
    State(context): State<Context<MtnMomo>>,
    authorized: Authorized,
    Path(reference): Path<String>,
) -> Result<Response, Refusal> {
    read(&context, &authorized, Operation::Refund, &reference)
}

fn read(
    context: &Context<MtnMomo>,
    authorized: &Authorized,
    operation: Operation,
    reference: &str,
) -> Result<Response, Refusal> {
    let shared = &context.shared;
    let settings = shared.settings.operators.get::<MtnSettings>();
    if !context.protocol.try_count_read(settings.reads_per_second) {
        let body = json!({
            "statusCode": 429,
            "message": "Rate limit is exceeded. Try again in 1 seconds.",
        });
        return Ok(([(header::RETRY_AFTER, "1")], respond(StatusCode::TOO_MANY_REQUESTS, body))
            .into_response());
    }
    let order = shared.orders().find(authorized.platform.0, operation.kind(), reference).cloned();
    let deposits = context.protocol.deposits();
    let is_deposit = |order: &Order| deposits.contains(&order.id);
    match order.filter(|order| is_deposit(order) == (operation == Operation::Deposit)) {
        Some(order) => Ok(respond(StatusCode::OK, body(&order, settings.profile))),
        None => Err(error(
            StatusCode::NOT_FOUND,
            "RESOURCE_NOT_FOUND",
            "Requested resource was not found.",
        )),
    }
}

/// The order as status and callback show it.
fn body(order: &Order, profile: MtnProfile) -> Value {
    let is_created = profile == MtnProfile::Measured202609
        && order.new.phone == outcomes::PHONE_WITH_CREATED_STATUS;
    let status = match order.phase.state() {
        OrderState::Pending if is_created => "CREATED",
        OrderState::Pending => "PENDING",
        OrderState::Successful => "SUCCESSFUL",
        OrderState::Failed => "FAILED",
    };
    let party = if order.new.kind == Kind::Charge { "payer" } else { "payee" };
    let mut body = json!({
        // Without trailing zeros, however the request wrote it.
        "amount": order.new.amount.to_string(),
        "currency": order.new.currency,
        "status": status,
        party: {"partyIdType": "MSISDN", "partyId": order.new.phone},
    });
    for name in ["externalId", "payerMessage", "payeeNote"] {
        if let Some(value) = order.new.request.get(name) {
            body[name] = value.clone();
        }
    }
    match order.phase {
        Phase::Successful | Phase::Reversed => {
            body["financialTransactionId"] = order.serial.to_string().into()
        }
        Phase::Failed(failure) => {
            let (code, text) = outcomes::reason(failure, order.new.kind);
            body["reason"] = reason(&order.new.reference, code, text);
        }
        _ => {}
    }
    body
}

/// MTN writes a reason as an object or as plain text, and clients must read both. A reason with a
/// text of its own is an object. Otherwise the last digit of the `X-Reference-Id` decides: an odd
/// one (1, 3, 5, 7, 9, b, d, f) makes plain text, an even one an object.
fn reason(reference: &str, code: &str, text: Option<&str>) -> Value {
    if let Some(text) = text {
        return json!({"code": code, "message": text});
    }
    let is_plain = reference
        .chars()
        .last()
        .and_then(|last| last.to_digit(16))
        .is_some_and(|digit| digit % 2 == 1);
    if is_plain {
        code.into()
    } else {
        json!({"code": code, "message": code.to_lowercase().replace('_', " ")})
    }
}

/// The callback about an outcome. Refunds are reported by POST, everything else by PUT.
pub(super) fn callback(shared: &Shared, order: &Order) -> Option<Callback> {
    let url = order.new.callback_url.clone().filter(|_| order.phase.is_final())?;
    let profile = shared.settings.operators.get::<MtnSettings>().profile;
    let method = if order.new.kind == Kind::Refund { Method::POST } else { Method::PUT };
    Some(Callback::new(order, method, url, body(order, profile)))
}
