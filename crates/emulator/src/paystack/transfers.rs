//! Paystack pays out by transfers to recipients.

use super::{
    access::{Authorized, domain},
    outcomes, recipients,
    responses::{FORMAT, error, invalid, success},
    signature::sign,
    state::Paystack,
    values::{PLATFORM, RIGHT_CODE, pesewas},
};
use crate::{
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order, OrderId},
    phase::{Failure, Kind, Phase},
    protocol::{Context, Shared},
    script::Script,
    wire::{Refusal, is_loopback, iso8601, text},
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use serde_json::{Value, json};

/// `POST /transfer`: begins a payout to a recipient.
pub(super) async fn create(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Json(request): Json<Value>,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let amount = pesewas(request.get("amount"))?;
    if text(&request, "source") != "balance" {
        return Err(invalid("Transfer source is invalid"));
    }
    let recipient = paystack.find_recipient(text(&request, "recipient"));
    let recipient = recipient.ok_or_else(|| {
        error(
            StatusCode::BAD_REQUEST,
            "invalid_transfer_recipient",
            "Recipient specified is invalid",
        )
    })?;
    let reference = text(&request, "reference").to_owned();
    let is_allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    if !(16..=50).contains(&reference.len()) || !reference.bytes().all(is_allowed) {
        return Err(invalid(
            "Transfer reference must be 16 to 50 lowercase letters, digits, - or _",
        ));
    }
    // Usually a repeat is answered as one also while the balance is too small: the first order may
    // have been executed. Otherwise it is recognised where the order is stored.
    if !shared.settings.balance_checked_first
        && shared.orders().find(PLATFORM, Kind::Payout, &reference).is_some()
    {
        return Err(duplicate_reference());
    }
    if shared.orders().float_pesewas(PLATFORM) < amount.pesewas() {
        return Err(error(
            StatusCode::BAD_REQUEST,
            "insufficient_balance",
            "Your balance is not enough to fulfil this request",
        ));
    }
    let script = Script::by_last_four(&recipient.phone, Kind::Payout);
    let has_approval = shared.settings.paystack_approval_url.is_some();
    let first_phase = match (paystack.asks_code(), has_approval) {
        (true, _) => Phase::AwaitingCode,
        (false, true) => Phase::Held,
        (false, false) => Phase::Accepted,
    };
    let new = NewOrder {
        operator: Operator::PAYSTACK,
        api_platform: PLATFORM,
        kind: Kind::Payout,
        reference,
        amount,
        currency: "GHS".to_owned(),
        phone: recipient.phone,
        network: Some(recipient.network),
        script,
        first_phase,
        callback_url: None,
        refund_of: None,
        request,
    };
    let order = lifecycle::accept(shared, new).map_err(|_| duplicate_reference())?;
    if order.phase == Phase::Held {
        tokio::spawn(ask_approval(context.clone(), order.id));
    }
    if script.hides_acceptance {
        return Ok(FORMAT.error(StatusCode::SERVICE_UNAVAILABLE));
    }
    let asks_code = order.phase == Phase::AwaitingCode;
    let message =
        if asks_code { "Transfer requires OTP to continue" } else { "Transfer has been queued" };
    Ok(success(message, body(shared, paystack, &order)))
}

/// Asks the merchant's approval URL before a transfer goes on: 200 approves it, anything else
/// refuses it.
async fn ask_approval(context: Context<Paystack>, id: OrderId) {
    let Context { shared, protocol: paystack } = &context;
    let Some(order) = shared.order(id) else { return };
    let Some(url) = &shared.settings.paystack_approval_url else { return };
    let mut body = body(shared, paystack, &order);
    body["recipient"] =
        recipients::within_transfer(shared, paystack, text(&order.new.request, "recipient"));
    let body = body.to_string();
    let is_allowed = shared.settings.allow_other_hosts || is_loopback(url);
    let signature = sign(shared, body.as_bytes(), false);
    let request = shared.callbacks.client().post(url).header("content-type", "application/json");
    let request = request.header("x-paystack-signature", signature).body(body);
    let is_approved = is_allowed
        && request.send().await.is_ok_and(|response| response.status() == StatusCode::OK);
    if is_approved {
        lifecycle::set_phase(shared, id, Phase::Accepted);
        lifecycle::plan_outcome(shared, id, order.new.script.after);
    } else {
        lifecycle::finish(
            shared,
            id,
            Phase::Failed(Failure::Code("Transfer rejected by the merchant")),
        );
    }
}

/// `POST /transfer/finalize_transfer`: submits the code that a transfer waits for.
pub(super) async fn finalize(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Json(request): Json<Value>,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let code = text(&request, "transfer_code");
    let serial = code.strip_prefix("TRF_").and_then(|serial| serial.parse::<i64>().ok());
    let order = serial
        .and_then(|serial| shared.orders().find_serial(PLATFORM, Kind::Payout, serial).cloned());
    let order = order.ok_or_else(not_found)?;
    if order.phase != Phase::AwaitingCode {
        return Err(invalid("Transfer is not currently awaiting OTP"));
    }
    if text(&request, "otp") != RIGHT_CODE {
        return Err(invalid("OTP is invalid"));
    }
    if shared.settings.paystack_approval_url.is_some() {
        lifecycle::set_phase(shared, order.id, Phase::Held);
        tokio::spawn(ask_approval(context.clone(), order.id));
    } else {
        lifecycle::set_phase(shared, order.id, Phase::Accepted);
        lifecycle::plan_outcome(shared, order.id, order.new.script.after);
    }
    let order = shared.order(order.id).unwrap_or(order);
    Ok(success("Transfer has been queued", body(shared, paystack, &order)))
}

/// `GET /transfer/verify/{reference}`: the status of a transfer.
pub(super) async fn verify(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Path(reference): Path<String>,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let order =
        shared.orders().find(PLATFORM, Kind::Payout, &reference).cloned().ok_or_else(not_found)?;
    let mut body = body(shared, paystack, &order);
    body["recipient"] =
        recipients::within_transfer(shared, paystack, text(&order.new.request, "recipient"));
    Ok(success("Transfer retrieved", body))
}

fn duplicate_reference() -> Refusal {
    let message = "Please provide a unique reference. Reference already exists on a transfer";
    error(StatusCode::BAD_REQUEST, "duplicate_reference", message)
}

fn not_found() -> Refusal {
    error(StatusCode::NOT_FOUND, "transfer_not_found", "Transfer not found")
}

/// A transfer as Paystack shows it.
pub(super) fn body(shared: &Shared, paystack: &Paystack, order: &Order) -> Value {
    let status = match order.phase {
        Phase::AwaitingCode => "otp",
        Phase::Successful => "success",
        Phase::Reversed => "reversed",
        Phase::Failed(_) => "failed",
        Phase::Held
        | Phase::Accepted
        | Phase::Enqueued
        | Phase::Processing
        | Phase::NeedsAttention => "pending",
    };
    let failures = match order.phase {
        Phase::Failed(failure) => Some(json!({"message": outcomes::message(failure)})),
        _ => None,
    };
    let recipient = paystack.find_recipient(text(&order.new.request, "recipient"));
    let is_transferred = matches!(order.phase, Phase::Successful | Phase::Reversed);
    json!({
        "id": order.serial,
        "integration": 100_032,
        "domain": domain(shared),
        "source": "balance",
        "source_details": null,
        "amount": order.new.amount.pesewas(),
        "currency": order.new.currency,
        "reference": order.new.reference,
        "reason": text(&order.new.request, "reason"),
        "status": status,
        "failures": failures,
        "gateway_response": failures.as_ref().map(|failures| failures["message"].clone()),
        "transfer_code": format!("TRF_{}", order.serial),
        "titan_code": null,
        "transferred_at": is_transferred.then(|| iso8601(order.updated)),
        "recipient": recipient.map(|recipient| recipient.code),
        "fee_charged": if is_transferred { FEE_PESEWAS } else { 0 },
        "createdAt": iso8601(order.created),
        "updatedAt": iso8601(order.updated),
    })
}

/// What Paystack takes for a transfer to a wallet, in pesewas.
const FEE_PESEWAS: i64 = 100;
