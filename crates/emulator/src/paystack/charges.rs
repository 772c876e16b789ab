//! Begins charges, takes codes, reads their status.

use super::{
    access::Authorized,
    outcomes,
    responses::{FORMAT, error, invalid, success},
    transaction,
    values::{PLATFORM, RIGHT_CODE, network, pesewas},
};
use crate::{
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Kind, Phase},
    protocol::Shared,
    script::CodeKind,
    wire::{Refusal, international, respond, text},
};
use axum::{
    Json,
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use tua_contract::Network;
use uuid::Uuid;

/// Paystack's smallest charge, in pesewas.
const MIN_PESEWAS: i64 = 10;

/// `POST /charge`: begins a charge, which the payer approves or confirms by a code.
pub(super) async fn create(
    State(shared): State<Shared>,
    _: Authorized,
    Json(request): Json<Value>,
) -> Result<Response, Refusal> {
    let amount = pesewas(request.get("amount"))?;
    if amount.pesewas() < MIN_PESEWAS {
        return Err(invalid("Amount is below the minimum of 10 pesewas"));
    }
    if !text(&request, "email").contains('@') {
        return Err(invalid("\"email\" is required"));
    }
    if request.get("currency").is_some_and(|currency| currency != "GHS") {
        return Err(error(
            StatusCode::FORBIDDEN,
            "unsupported_currency",
            "Currency not supported by merchant",
        ));
    }
    let wallet =
        request.get("mobile_money").ok_or_else(|| invalid("\"mobile_money\" is required"))?;
    let network = network(text(wallet, "provider"))
        .ok_or_else(|| invalid("Mobile money provider is invalid"))?;
    let phone = international(text(wallet, "phone"));
    if !(phone.len() == 12 && phone.starts_with("233")) {
        return Err(invalid("Mobile money phone number is invalid"));
    }
    let reference = match text(&request, "reference") {
        "" => Uuid::new_v4().simple().to_string(),
        given => given.to_owned(),
    };
    if !reference.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.=".contains(&byte)) {
        return Err(invalid("Transaction reference may only contain letters, digits, - . ="));
    }
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
    match lifecycle::accept(&shared, new) {
        Ok(_) if script.hides_acceptance => Ok(FORMAT.error(StatusCode::SERVICE_UNAVAILABLE)),
        Ok(order) => {
            Ok(success("Charge attempted", progress(&shared, &order, Progress::JustBegun)))
        }
        Err(_) => Err(error(
            StatusCode::BAD_REQUEST,
            "duplicate_reference",
            "Duplicate Transaction Reference",
        )),
    }
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
    Json(request): Json<Value>,
) -> Result<Response, Refusal> {
    let unknown =
        || error(StatusCode::BAD_REQUEST, "invalid_reference", "Transaction reference is invalid");
    let order = find(&shared, text(&request, "reference")).ok_or_else(unknown)?;
    if order.phase != Phase::AwaitingCode {
        return Ok(success("Charge attempted", progress(&shared, &order, Progress::Checked)));
    }
    if text(&request, "otp") != RIGHT_CODE {
        let data = json!({"reference": order.new.reference, "status": "send_otp",
            "display_text": "The code is not valid. Please try again"});
        return Ok(success("Charge attempted", data));
    }
    lifecycle::set_phase(&shared, order.id, Phase::Accepted);
    lifecycle::plan_outcome(&shared, order.id, order.new.script.after);
    let order = shared.order(order.id).unwrap_or(order);
    Ok(success("Charge attempted", progress(&shared, &order, Progress::JustBegun)))
}

/// `GET /charge/{reference}`: the progress of a charge, or all of it once it is final.
pub(super) async fn check(
    State(shared): State<Shared>,
    _: Authorized,
    Path(reference): Path<String>,
) -> Result<Response, Refusal> {
    let order = find(&shared, &reference).ok_or_else(not_found)?;
    Ok(success("Reference check successful", progress(&shared, &order, Progress::Checked)))
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
#[serde(rename_all = "camelCase")]
pub(super) struct ListQuery {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    status: Option<String>,
    per_page: Option<usize>,
    page: Option<usize>,
}

/// `GET /transaction`, newest first.
pub(super) async fn list(
    State(shared): State<Shared>,
    _: Authorized,
    Query(query): Query<ListQuery>,
) -> Response {
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
    let per_page = query.per_page.unwrap_or(50).clamp(1, 100);
    let page = query.page.unwrap_or(1).max(1);
    let total = matching.len();
    let rows = matching.iter().skip((page - 1).saturating_mul(per_page)).take(per_page);
    let data = rows.map(|order| transaction::body(&shared, order)).collect::<Vec<_>>();
    let meta = json!({
        "total": total,
        "skipped": (page - 1).saturating_mul(per_page),
        "perPage": per_page,
        "page": page,
        "pageCount": total.div_ceil(per_page),
    });
    respond(
        StatusCode::OK,
        json!({"status": true, "message": "Transactions retrieved", "data": data, "meta": meta}),
    )
}
