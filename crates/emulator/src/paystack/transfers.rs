//! Paystack pays out by transfers to recipients.

use super::{
    access::{Authorized, domain},
    outcomes,
    paging::{self, PageQuery},
    recipients,
    responses::{FORMAT, error, invalid, success},
    settings::PaystackSettings,
    signature::sign,
    state::Paystack,
    values::{PLATFORM, RIGHT_CODE, pesewas},
};
use crate::{
    extract::{Body, Path, Query},
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order, OrderId},
    phase::{Failure, Kind, Phase},
    protocol::{Context, Shared},
    script::Script,
    wire::{Refusal, is_loopback, iso8601, text},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

/// `POST /transfer`: begins a payout to a recipient.
pub(super) async fn create(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Body(request): Body,
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
    let reference = match text(&request, "reference") {
        "" => Uuid::new_v4().simple().to_string(),
        given => given.to_owned(),
    };
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
    let has_approval = approval_url(shared).is_some();
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

/// The merchant's approval URL; `None` if there is none.
fn approval_url(shared: &Shared) -> Option<String> {
    shared.settings.operators.get::<PaystackSettings>().approval_url
}

/// Asks the merchant's approval URL before a transfer goes on: 200 approves it, anything else
/// refuses it.
async fn ask_approval(context: Context<Paystack>, id: OrderId) {
    let Context { shared, protocol: paystack } = &context;
    let Some(order) = shared.order(id) else { return };
    let Some(url) = &approval_url(shared) else { return };
    let body = whole_body(shared, paystack, &order).to_string();
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
    Body(request): Body,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let order = find(shared, text(&request, "transfer_code")).ok_or_else(not_found)?;
    if order.phase != Phase::AwaitingCode {
        return Err(invalid("Transfer is not currently awaiting OTP"));
    }
    if text(&request, "otp") != RIGHT_CODE {
        return Err(invalid("OTP is invalid"));
    }
    if approval_url(shared).is_some() {
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
    Ok(success("Transfer retrieved", whole_body(shared, paystack, &order)))
}

/// `GET /transfer/{id_or_code}`: one transfer.
pub(super) async fn read(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let order = find(shared, &name).ok_or_else(not_found)?;
    Ok(success("Transfer retrieved", whole_body(shared, paystack, &order)))
}

/// The transfer with this code, or with this id.
fn find(shared: &Shared, name: &str) -> Option<Order> {
    let serial = name.strip_prefix(CODE_PREFIX).unwrap_or(name).parse::<i64>().ok()?;
    shared.orders().find_serial(PLATFORM, Kind::Payout, serial).cloned()
}

/// The filters of a list of transfers.
#[derive(Debug, Deserialize)]
pub(super) struct ListQuery {
    /// The id of a recipient.
    recipient: Option<usize>,
    status: Option<String>,
}

/// `GET /transfer`, newest first.
pub(super) async fn list(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Query(query): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let transfers = {
        let orders = shared.orders();
        let payouts = orders.iter().rev().filter(|order| order.new.api_platform == PLATFORM);
        payouts.filter(|order| order.new.kind == Kind::Payout).cloned().collect::<Vec<_>>()
    };
    let mut matching = transfers;
    matching.retain(|order| {
        let recipient = || paystack.find_recipient(text(&order.new.request, "recipient"));
        query.recipient.is_none_or(|id| recipient().is_some_and(|recipient| recipient.id == id))
            && query.status.as_ref().is_none_or(|wanted| wanted == status(order.phase))
    });
    let row = |order: &Order| whole_body(shared, paystack, order);
    paging::list("Transfers retrieved", &matching, &page, row)
}

fn duplicate_reference() -> Refusal {
    let message = "Please provide a unique reference. Reference already exists on a transfer";
    error(StatusCode::BAD_REQUEST, "duplicate_reference", message)
}

fn not_found() -> Refusal {
    error(StatusCode::NOT_FOUND, "transfer_not_found", "Transfer not found")
}

const fn status(phase: Phase) -> &'static str {
    match phase {
        Phase::AwaitingCode => "otp",
        Phase::Successful => "success",
        Phase::Reversed => "reversed",
        Phase::Failed(_) => "failed",
        Phase::Offered
        | Phase::Held
        | Phase::Accepted
        | Phase::Enqueued
        | Phase::Processing
        | Phase::NeedsAttention => "pending",
    }
}

/// What the code of a transfer begins with.
const CODE_PREFIX: &str = "TRF_";

/// A transfer with its recipient, as it is read and as webhooks contain it.
pub(super) fn whole_body(shared: &Shared, paystack: &Paystack, order: &Order) -> Value {
    let mut body = body(shared, paystack, order);
    body["recipient"] =
        recipients::within_transfer(shared, paystack, text(&order.new.request, "recipient"));
    body["session"] = json!({"provider": null, "id": null});
    body
}

/// A transfer in the answer to its request: the recipient is a number.
fn body(shared: &Shared, paystack: &Paystack, order: &Order) -> Value {
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
        "status": status(order.phase),
        "failures": failures,
        "gateway_response": failures.as_ref().map(|failures| failures["message"].clone()),
        "transfer_code": format!("{CODE_PREFIX}{}", order.serial),
        "titan_code": null,
        "transferred_at": is_transferred.then(|| iso8601(order.updated)),
        "request": order.serial,
        "recipient": recipient.map(|recipient| recipient.id),
        "transfersessionid": [],
        "transfertrials": [],
        "fee_charged": if is_transferred { FEE_PESEWAS } else { 0 },
        "fees_breakdown": null,
        "createdAt": iso8601(order.created),
        "updatedAt": iso8601(order.updated),
    })
}

/// What Paystack takes for a transfer to a wallet, in pesewas.
const FEE_PESEWAS: i64 = 100;
