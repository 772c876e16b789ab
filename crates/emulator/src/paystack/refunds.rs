//! Refunds of charges. They carry no reference of the merchant.

use super::{
    access::{Authorized, domain},
    paging::{self, PageQuery},
    responses::{FORMAT, error, invalid, success},
    values::{PLATFORM, pesewas},
};
use crate::{
    extract::{Body, Path, Query},
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Kind, Phase},
    protocol::Shared,
    script::{Script, USUAL_DELAY},
    wire::{Refusal, iso8601, text},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use tua_contract::Amount;

/// When a refund begins to be processed.
const PROCESSING_DELAY: Duration = Duration::from_secs(1);

/// The charge that a request names by reference or by id.
fn find_charge(shared: &Shared, name: &Value) -> Option<Order> {
    let orders = shared.orders();
    let by_reference = name.as_str().and_then(|name| orders.find(PLATFORM, Kind::Charge, name));
    let serial = || name.as_i64().or_else(|| name.as_str()?.parse().ok());
    by_reference.or_else(|| orders.find_serial(PLATFORM, Kind::Charge, serial()?)).cloned()
}

/// `POST /refund`: begins a refund of a successful charge, in part or in whole.
pub(super) async fn create(
    State(shared): State<Shared>,
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let unknown = || error(StatusCode::NOT_FOUND, "transaction_not_found", "Transaction not found");
    let charge = find_charge(&shared, request.get("transaction").unwrap_or(&Value::Null))
        .ok_or_else(unknown)?;
    if charge.phase != Phase::Successful {
        return Err(invalid("Only successful transactions can be refunded"));
    }
    let left = shared.orders().refundable_pesewas(&charge);
    let left =
        Amount::from_pesewas(left).map_err(|_| invalid("Transaction has been fully reversed"))?;
    let amount = match request.get("amount") {
        None | Some(Value::Null) => left,
        given => pesewas(given)?,
    };
    if amount > left {
        return Err(invalid("Refund amount cannot be more than transaction amount"));
    }
    let script = Script::by_last_four(&charge.new.phone, Kind::Refund);
    let new = NewOrder {
        operator: Operator::PAYSTACK,
        api_platform: PLATFORM,
        kind: Kind::Refund,
        // The order's own number is the refund's id.
        reference: String::new(),
        amount,
        currency: "GHS".to_owned(),
        phone: charge.new.phone.clone(),
        network: charge.new.network,
        script,
        first_phase: Phase::Accepted,
        callback_url: None,
        refund_of: Some(charge.id),
        request,
    };
    let Ok(order) = lifecycle::accept(&shared, new) else {
        return Ok(FORMAT.error(StatusCode::INTERNAL_SERVER_ERROR));
    };
    lifecycle::report(&shared, order.id);
    lifecycle::plan_processing(&shared, order.id, PROCESSING_DELAY);
    Ok(success("Refund has been queued for processing", body(&shared, &order, Detail::Created)))
}

/// `GET /refund/{id}`: the status of a refund.
pub(super) async fn read(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let order = find(&shared, &id)?;
    Ok(success("Refund retrieved", body(&shared, &order, Detail::Read)))
}

fn find(shared: &Shared, id: &str) -> Result<Order, Refusal> {
    let order = shared.orders().find(PLATFORM, Kind::Refund, id).cloned();
    order.ok_or_else(|| error(StatusCode::NOT_FOUND, "refund_not_found", "Refund not found"))
}

/// The filters of a list of refunds.
#[derive(Debug, Deserialize)]
pub(super) struct ListQuery {
    /// The reference, or the id, of a charge.
    transaction: Option<String>,
}

/// `GET /refund`, newest first.
pub(super) async fn list(
    State(shared): State<Shared>,
    _: Authorized,
    Query(query): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Response, Refusal> {
    let charge = query
        .transaction
        .map(|name| find_charge(&shared, &Value::String(name)).map(|charge| charge.id));
    let refunds = {
        let orders = shared.orders();
        let refunds = orders.iter().rev().filter(|order| order.new.api_platform == PLATFORM);
        let refunds = refunds.filter(|order| order.new.kind == Kind::Refund);
        refunds
            .filter(|order| {
                charge.is_none_or(|charge| charge.is_some() && order.new.refund_of == charge)
            })
            .cloned()
            .collect::<Vec<_>>()
    };
    let row = |order: &Order| body(&shared, order, Detail::Read);
    paging::list("Refunds retrieved", &refunds, &page, row)
}

/// `POST /refund/retry_with_customer_details/{id}`, for a refund that needs attention.
pub(super) async fn retry(
    State(shared): State<Shared>,
    _: Authorized,
    Path(id): Path<String>,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let order = find(&shared, &id)?;
    if order.phase != Phase::NeedsAttention {
        return Err(invalid("Refund does not need attention"));
    }
    let details = request.get("refund_account_details").unwrap_or(&Value::Null);
    if text(details, "account_number").is_empty() {
        return Err(invalid("\"refund_account_details\" is required"));
    }
    lifecycle::advance_to(&shared, order.id, Phase::Processing);
    lifecycle::succeed_after(&shared, order.id, USUAL_DELAY);
    let order = shared.order(order.id).unwrap_or(order);
    let message = "Refund retried and has been queued for processing";
    Ok(success(message, body(&shared, &order, Detail::Read)))
}

/// How much of the charge an answer contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// The whole charge, in the answer to the request.
    Created,
    /// Its id only, when the refund is read.
    Read,
}

pub(super) const fn status(phase: Phase) -> &'static str {
    match phase {
        Phase::Successful | Phase::Reversed => "processed",
        Phase::Failed(_) => "failed",
        Phase::Processing => "processing",
        Phase::NeedsAttention => "needs-attention",
        Phase::Offered | Phase::AwaitingCode | Phase::Held | Phase::Accepted | Phase::Enqueued => {
            "pending"
        }
    }
}

fn body(shared: &Shared, order: &Order, detail: Detail) -> Value {
    let charge = order.new.refund_of.and_then(|id| shared.order(id));
    let transaction = match (detail, &charge) {
        (Detail::Created, Some(charge)) => super::transaction::body(shared, charge),
        (Detail::Read, Some(charge)) => charge.serial.into(),
        (_, None) => Value::Null,
    };
    let is_processed = order.phase == Phase::Successful;
    let is_full = charge.as_ref().is_some_and(|charge| charge.new.amount == order.new.amount);
    json!({
        "id": order.serial,
        "integration": 100_032,
        "domain": domain(shared),
        "transaction": transaction,
        "transaction_reference": charge.map(|charge| charge.new.reference),
        "dispute": null,
        "settlement": null,
        "channel": null,
        "status": status(order.phase),
        "amount": order.new.amount.pesewas(),
        "currency": order.new.currency,
        "deducted_amount": if is_processed { order.new.amount.pesewas() } else { 0 },
        "fully_deducted": is_processed && is_full,
        "refunded_by": "merchant@example.com",
        "refunded_at": is_processed.then(|| iso8601(order.updated)),
        "expected_at": iso8601(shared.clock.after(Duration::from_secs(7 * 24 * 3600))),
        "customer_note": text(&order.new.request, "customer_note"),
        "merchant_note": text(&order.new.request, "merchant_note"),
        "createdAt": iso8601(order.created),
        "updatedAt": iso8601(order.updated),
    })
}
