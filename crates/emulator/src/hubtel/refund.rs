//! Refunds: the whole charge, within 45 days, once.

use super::{
    access::Authorized,
    outcomes,
    request::member_text,
    responses::{FORMAT, camel_error},
    values::{PLATFORM, fee, find_by_id, transaction_id},
};
use crate::{
    extract::{Body, Path},
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Kind, Phase, State as OrderState},
    protocol::Shared,
    script::Script,
    wire::{Refusal, number, respond, text},
};
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::SignedDuration;
use serde_json::{Value, json};

/// How long a charge can be refunded.
const WINDOW: SignedDuration = SignedDuration::from_hours(45 * 24);
/// The smallest charge that can be refunded, in pesewas.
const MIN_PESEWAS: i64 = 100;

/// `POST /refund/{pos_sales_id}/order/{order_id}`: refunds the whole charge.
pub(super) async fn create(
    State(shared): State<Shared>,
    _: Authorized,
    Path((_, order_id)): Path<(String, String)>,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let charge = find_by_id(&shared, Kind::Charge, &order_id);
    let charge =
        charge.ok_or_else(|| camel_error(StatusCode::NOT_FOUND, "3000", "Order not found"))?;
    if charge.new.amount.pesewas() < MIN_PESEWAS {
        return Err(camel_error(StatusCode::NOT_FOUND, "4000", "The amount is below 1 cedi"));
    }
    let states = {
        let orders = shared.orders();
        orders.refunds_of(charge.id).map(|refund| refund.phase.state()).collect::<Vec<_>>()
    };
    if states.contains(&OrderState::Pending) {
        return Err(camel_error(
            StatusCode::LOCKED,
            "4515",
            "A refund of the order is already in process",
        ));
    }
    let is_recent = shared.clock.now().duration_since(charge.created) <= WINDOW;
    if charge.phase != Phase::Successful || states.contains(&OrderState::Successful) || !is_recent {
        return Err(camel_error(
            StatusCode::BAD_REQUEST,
            "4509",
            "The order is not eligible for a refund",
        ));
    }
    let callback_url = member_text(&request, "callbackUrl").to_owned();
    let new = NewOrder {
        operator: Operator::HUBTEL,
        api_platform: PLATFORM,
        kind: Kind::Refund,
        // Hubtel takes no reference: the refund's own number stands in `/orders`.
        reference: String::new(),
        amount: charge.new.amount,
        currency: "GHS".to_owned(),
        phone: charge.new.phone.clone(),
        network: charge.new.network,
        script: Script::by_last_four(&charge.new.phone, Kind::Refund),
        first_phase: Phase::Accepted,
        callback_url: (!callback_url.is_empty()).then_some(callback_url),
        refund_of: Some(charge.id),
        request: json!({"orderId": order_id}),
    };
    let Ok(refund) = lifecycle::accept(&shared, new) else {
        return Ok(FORMAT.error(StatusCode::INTERNAL_SERVER_ERROR));
    };
    let message = "Refund request accepted. Expect callback for final state";
    let body = json!({"responseCode": "0001", "message": message, "data": data(&refund)});
    Ok(respond(StatusCode::ACCEPTED, body))
}

fn data(refund: &Order) -> Value {
    json!({
        "amount": number(refund.new.amount),
        "charges": fee(refund),
        "orderId": text(&refund.new.request, "orderId"),
        "externalTransactionId": transaction_id(refund),
    })
}

/// The callback about a refund.
pub(super) fn callback_body(refund: &Order) -> Value {
    let (code, message) = outcomes::outcome(refund.phase, Kind::Refund);
    json!({"responseCode": code, "message": message, "data": data(refund)})
}
