//! Begins charges, takes codes, reads their status.

use super::{
    access::Authorized,
    outcomes,
    paging::{self, PageQuery},
    responses::{FORMAT, error, invalid, success},
    state::Paystack,
    transaction,
    values::{PLATFORM, RIGHT_CODE, network, pesewas},
};
use crate::{
    extract::{Body, Path, Query},
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Kind, Phase},
    protocol::{Context, Shared},
    script::CodeKind,
    wire::{Refusal, international, text},
};
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use tua_contract::Network;
use uuid::Uuid;

/// Paystack's smallest charge, in pesewas.
pub(super) const MIN_PESEWAS: i64 = 10;

/// `POST /charge`: begins a charge, which the payer approves or confirms by a code.
pub(super) async fn create(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let shared = &context.shared;
    let amount = pesewas(request.get("amount"))?;
    if amount.pesewas() < MIN_PESEWAS {
        return Err(invalid("Amount is below the minimum of 10 pesewas"));
    }
    check_email_and_currency(&request)?;
    let wallet =
        request.get("mobile_money").ok_or_else(|| invalid("\"mobile_money\" is required"))?;
    let network = network(text(wallet, "provider"))
        .ok_or_else(|| invalid("Mobile money provider is invalid"))?;
    let phone = international(text(wallet, "phone"));
    if !(phone.len() == 12 && phone.starts_with("233")) {
        return Err(invalid("Mobile money phone number is invalid"));
    }
    let reference = reference(&request)?;
    let script = outcomes::of_charge(&phone, network);
    let new = NewOrder {
        operator: Operator::PAYSTACK,
        api_platform: PLATFORM,
        kind: Kind::Charge,
        reference,
        amount,
        currency: "GHS".to_owned(),
        phone,
        network: Some(network),
        script,
        first_phase: script.code.map_or(Phase::Accepted, |_| Phase::AwaitingCode),
        callback_url: None,
        refund_of: None,
        request,
    };
    context.protocol.customer_of(text(&new.request, "email"), shared.clock.now());
    match lifecycle::accept(shared, new) {
        Ok(_) if script.hides_acceptance => Ok(FORMAT.error(StatusCode::SERVICE_UNAVAILABLE)),
        Ok(order) => Ok(success("Charge attempted", progress(shared, &order, Progress::JustBegun))),
        Err(_) => Err(duplicate()),
    }
}

/// Checks what every charge has: an address, and the currency of Ghana.
pub(super) fn check_email_and_currency(request: &Value) -> Result<(), Refusal> {
    if !text(request, "email").contains('@') {
        return Err(invalid("\"email\" is required"));
    }
    if request.get("currency").is_some_and(|currency| currency != "GHS") {
        let message = "Currency not supported by merchant";
        return Err(error(StatusCode::FORBIDDEN, "unsupported_currency", message));
    }
    Ok(())
}

/// The reference of a new charge. Paystack makes one where the merchant gives none.
pub(super) fn reference(request: &Value) -> Result<String, Refusal> {
    let reference = match text(request, "reference") {
        "" => Uuid::new_v4().simple().to_string(),
        given => given.to_owned(),
    };
    if reference.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.=".contains(&byte)) {
        Ok(reference)
    } else {
        Err(invalid("Transaction reference may only contain letters, digits, - . ="))
    }
}

/// The refusal of a reference that was used before.
pub(super) fn duplicate() -> Refusal {
    error(StatusCode::BAD_REQUEST, "duplicate_reference", "Duplicate Transaction Reference")
}

/// When the progress of a charge is reported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// In the answer to the request that began the charge or submitted the code.
    JustBegun,
    /// In the answer to a later request.
    Checked,
}

/// The data of an answer about a charge in progress, or of the whole transaction once it is final.
fn progress(shared: &Shared, order: &Order, progress: Progress) -> Value {
    let telecel = order.new.network == Some(Network::Telecel);
    let reference = &order.new.reference;
    match order.phase {
        Phase::AwaitingCode => json!({
            "reference": reference,
            "status": "send_otp",
            "display_text": match order.new.script.code {
                Some(CodeKind::Voucher) => {
                    "Please dial *110# to generate a voucher code. Then input the voucher"
                }
                Some(CodeKind::Passcode) | None => "Please enter the OTP sent to your phone",
            },
        }),
        Phase::Accepted if progress == Progress::JustBegun && !telecel => json!({
            "reference": reference, "status": "pay_offline",
            "display_text": "Please complete authorization process on your mobile phone",
        }),
        Phase::Successful | Phase::Failed(_) => transaction::body(shared, order),
        _ => {
            json!({"reference": reference, "status": "pending", "message": "Charge is in progress"})
        }
    }
}

fn find(shared: &Shared, reference: &str) -> Option<Order> {
    shared.orders().find(PLATFORM, Kind::Charge, reference).cloned()
}

/// `POST /charge/submit_otp`. A wrong code is asked for again.
pub(super) async fn submit_otp(
    State(shared): State<Shared>,
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let unknown =
        || error(StatusCode::BAD_REQUEST, "invalid_reference", "Transaction reference is invalid");
    let order = find(&shared, text(&request, "reference")).ok_or_else(unknown)?;
    if order.phase != Phase::AwaitingCode {
        let data = submitted(&shared, &order, progress(&shared, &order, Progress::Checked));
        return Ok(success("Charge attempted", data));
    }
    if !take_code(&shared, &order, text(&request, "otp")) {
        let text = "The code is not valid. Please try again";
        let data = json!({"status": "send_otp", "display_text": text});
        return Ok(success("Charge attempted", submitted(&shared, &order, data)));
    }
    let order = shared.order(order.id).unwrap_or(order);
    let data = submitted(&shared, &order, progress(&shared, &order, Progress::JustBegun));
    Ok(success("Charge attempted", data))
}

/// Goes on with a charge if this is the code that it waits for. Returns whether it is.
pub(super) fn take_code(shared: &Shared, order: &Order, code: &str) -> bool {
    let is_right = code == RIGHT_CODE;
    if is_right {
        lifecycle::set_phase(shared, order.id, Phase::Accepted);
        lifecycle::plan_outcome(shared, order.id, order.new.script.after);
    }
    is_right
}

/// The progress of a charge after a code or a check, with everything about the transaction:
/// Paystack's own document requires it here.
fn submitted(shared: &Shared, order: &Order, progress: Value) -> Value {
    let mut body = transaction::body(shared, order);
    body["redirect_url"] = Value::Null;
    // It is an object in this answer, also if the request had none.
    if !body["metadata"].is_object() {
        body["metadata"] = json!({});
    }
    // It is text in this answer, whatever the progress.
    if body["gateway_response"].is_null() {
        body["gateway_response"] = "Charge is in progress".into();
    }
    if let (Some(members), Value::Object(progress)) = (body.as_object_mut(), progress) {
        members.extend(progress);
    }
    body
}

/// `GET /charge/{reference}`: the progress of a charge, or all of it once it is final.
pub(super) async fn check(
    State(shared): State<Shared>,
    _: Authorized,
    Path(reference): Path<String>,
) -> Result<Response, Refusal> {
    let order = find(&shared, &reference).ok_or_else(not_found)?;
    let data = submitted(&shared, &order, progress(&shared, &order, Progress::Checked));
    Ok(success("Reference check successful", data))
}

/// `GET /transaction/{id}`: the same by the transaction's id.
pub(super) async fn read(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<i64>,
) -> Result<Response, Refusal> {
    let order = shared.orders().find_serial(PLATFORM, Kind::Charge, id).cloned();
    let order = order.ok_or_else(not_found)?;
    Ok(success("Transaction retrieved", transaction::body(&shared, &order)))
}

/// `GET /transaction/verify/{reference}`: all that is known about a charge.
pub(super) async fn verify(
    State(shared): State<Shared>,
    _: Authorized,
    Path(reference): Path<String>,
) -> Result<Response, Refusal> {
    let order = find(&shared, &reference).ok_or_else(not_found)?;
    Ok(success("Verification successful", transaction::body(&shared, &order)))
}

pub(super) fn not_found() -> Refusal {
    error(StatusCode::NOT_FOUND, "transaction_not_found", "Transaction reference not found.")
}

/// The filters of a list of charges.
#[derive(Debug, Deserialize)]
pub(super) struct ListQuery {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    status: Option<String>,
}

/// `GET /transaction`, newest first.
pub(super) async fn list(
    State(shared): State<Shared>,
    _: Authorized,
    Query(query): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Response, Refusal> {
    let charges = {
        let orders = shared.orders();
        let of_paystack = orders.iter().rev().filter(|order| order.new.api_platform == PLATFORM);
        of_paystack.filter(|order| order.new.kind == Kind::Charge).cloned().collect::<Vec<_>>()
    };
    let mut matching = charges;
    matching.retain(|order| {
        query.from.is_none_or(|from| from <= order.created)
            && query.to.is_none_or(|to| order.created <= to)
            && query.status.as_ref().is_none_or(|status| status == transaction::status(order.phase))
    });
    let row = |order: &Order| transaction::body(&shared, order);
    paging::list("Transactions retrieved", &matching, &page, row)
}
