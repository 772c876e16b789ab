//! Begins refunds: one at a time for each deposit.

use super::{
    access::Authorized,
    initiate::{Initiated, check_provider, store},
    provider::PLATFORM,
    request::{check_id, metadata, parse_amount},
    responses::failure,
    state::Pawapay,
    verify::SignedBody,
};
use crate::{
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Kind, Phase, State as OrderState},
    protocol::{Context, Shared},
    script::Script,
    wire::{Refusal, respond, text},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde_json::Value;
use tua_contract::{Amount, Network};

/// `POST /v2/refunds`: begins a refund of a deposit, in part or in whole.
pub(super) async fn create(
    State(context): State<Context<Pawapay>>,
    _: Authorized,
    body: SignedBody,
) -> Result<Response, Refusal> {
    let request = body.json()?;
    if !request.is_object() {
        return Err(failure(
            StatusCode::BAD_REQUEST,
            "INVALID_INPUT",
            "The body is not an object.",
        ));
    }
    for name in ["refundId", "depositId"] {
        if request.get(name).is_none() {
            return Err(failure(
                StatusCode::BAD_REQUEST,
                "MISSING_PARAMETER",
                &format!("Missing parameter: {name}"),
            ));
        }
    }
    let id = check_id(text(&request, "refundId"))?;
    check_id(text(&request, "depositId"))?;
    metadata(&request)?;
    let initiated = initiate(&context, &id, &request)
        .unwrap_or_else(|(code, message)| Initiated::Rejected(code, message));
    Ok(respond(StatusCode::OK, initiated.body(Kind::Refund, &id)))
}

fn initiate(
    context: &Context<Pawapay>,
    id: &str,
    request: &Value,
) -> Result<Initiated, (&'static str, &'static str)> {
    let shared = &context.shared;
    let existing = shared.orders().find(PLATFORM, Kind::Refund, id).cloned();
    if let Some(order) = existing {
        return Ok(Initiated::Duplicate(Box::new(order)));
    }
    let deposit = shared.orders().find(PLATFORM, Kind::Charge, text(request, "depositId")).cloned();
    let deposit = deposit.ok_or(("NOT_FOUND", "The deposit was not found."))?;
    let amount = check_amount(shared, &deposit, request)?;
    let network = deposit.new.network.unwrap_or(Network::Mtn);
    let first_phase = check_provider(context, Kind::Refund, network, amount)?;
    let new = NewOrder {
        operator: Operator::PAWAPAY,
        api_platform: PLATFORM,
        kind: Kind::Refund,
        reference: id.to_owned(),
        amount,
        currency: "GHS".to_owned(),
        phone: deposit.new.phone.clone(),
        network: Some(network),
        script: Script::by_last_four(&deposit.new.phone, Kind::Refund),
        first_phase,
        callback_url: None,
        refund_of: Some(deposit.id),
        request: request.clone(),
    };
    Ok(store(shared, new))
}

/// The amount of the refund: as requested, or all that is left.
fn check_amount(
    shared: &Shared,
    deposit: &Order,
    request: &Value,
) -> Result<Amount, (&'static str, &'static str)> {
    if deposit.phase != Phase::Successful {
        return Err(("INVALID_STATE", "The deposit is not completed."));
    }
    let orders = shared.orders();
    if orders.refunds_of(deposit.id).any(|refund| refund.phase.state() == OrderState::Pending) {
        return Err(("REFUND_IN_PROGRESS", "Another refund of the deposit is in progress."));
    }
    let left = Amount::from_pesewas(orders.refundable_pesewas(deposit));
    let left =
        left.map_err(|_| ("DEPOSIT_ALREADY_REFUNDED", "The deposit is refunded already."))?;
    drop(orders);
    let Some(given) = request.get("amount") else { return Ok(left) };
    let amount = given.as_str().and_then(parse_amount);
    let amount =
        amount.ok_or(("INVALID_AMOUNT", "The amount has the wrong number of decimals."))?;
    if text(request, "currency") != deposit.new.currency {
        return Err(("INVALID_CURRENCY", "The currency is not the deposit's."));
    }
    if amount <= left {
        Ok(amount)
    } else {
        Err(("AMOUNT_TOO_LARGE", "The amount is more than what is left of the deposit."))
    }
}
