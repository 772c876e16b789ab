//! Sends money to wallets.

use super::{
    access::Authorized,
    outcomes,
    receive::StatusQuery,
    request::{Transfer, check, member_text},
    responses::{FORMAT, duplicate, error},
    values::{PLATFORM, channel, fee, transaction_id, with_fee},
};
use crate::{
    extract::{Body, Query},
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Kind, Phase, State as OrderState},
    protocol::Shared,
    script::Script,
    wire::{Refusal, number, respond},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde_json::{Value, json};

/// `POST /api/merchants/{prepaid_deposit_id}/send/mobilemoney`: begins a payout from the prepaid
/// balance.
pub(super) async fn create(
    State(shared): State<Shared>,
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let Transfer { phone, network, amount, reference, callback_url } =
        check(&request, "RecipientMsisdn")?;
    let is_covered = shared.orders().float_pesewas(PLATFORM) >= amount.pesewas();
    let is_known = shared.orders().find(PLATFORM, Kind::Payout, &reference).is_some();
    if !is_covered && (shared.settings.balance_checked_first || !is_known) {
        return Err(error(StatusCode::BAD_REQUEST, "4075", "Insufficient prepaid balance"));
    }
    let script = Script::by_last_four(&phone, Kind::Payout);
    let new = NewOrder {
        operator: Operator::HUBTEL,
        api_platform: PLATFORM,
        kind: Kind::Payout,
        reference,
        amount,
        currency: "GHS".to_owned(),
        phone,
        network: Some(network),
        script,
        first_phase: Phase::Accepted,
        callback_url: Some(callback_url),
        refund_of: None,
        request,
    };
    let order = lifecycle::accept(&shared, new).map_err(|_| duplicate())?;
    if script.hides_acceptance {
        return Ok(FORMAT.error(StatusCode::SERVICE_UNAVAILABLE));
    }
    Ok(respond(
        StatusCode::OK,
        body(&order, "0001", member_text(&order.new.request, "Description")),
    ))
}

fn body(order: &Order, code: &str, description: &str) -> Value {
    let is_sent = order.phase == Phase::Successful;
    let message = match order.phase {
        Phase::Failed(_) => "failed",
        Phase::Successful | Phase::Reversed => "success",
        _ => "Transaction pending. Expect callback request for final state",
    };
    json!({
        "ResponseCode": code,
        "Message": message,
        "Data": {
            "AmountDebited": with_fee(order),
            "TransactionId": transaction_id(order),
            "Description": description,
            "ClientReference": order.new.reference,
            "ExternalTransactionId": if is_sent { order.serial.to_string() } else { String::new() },
            "Amount": number(order.new.amount),
            "Charges": fee(order),
            "Meta": null,
            "RecipientName": member_text(&order.new.request, "RecipientName"),
        },
    })
}

/// The callback about a payout. The text of a failure is its description.
pub(super) fn callback_body(order: &Order) -> Value {
    let (code, text) = outcomes::outcome(order.phase, Kind::Payout);
    body(order, code, text)
}

/// `GET /api/merchants/{prepaid_deposit_id}/transactions/status`. The case of the names differs, as
/// in the documentation.
pub(super) async fn status(
    State(shared): State<Shared>,
    _: Authorized,
    Query(query): Query<StatusQuery>,
) -> Result<Response, Refusal> {
    let order = query.find(&shared, Kind::Payout);
    let order =
        order.ok_or_else(|| error(StatusCode::NOT_FOUND, "3000", "Transaction not found"))?;
    let status = match order.phase.state() {
        OrderState::Pending => "pending",
        OrderState::Successful => "success",
        OrderState::Failed => "failed",
    };
    let is_sent = order.phase == Phase::Successful;
    let data = json!({
        "TransactionId": transaction_id(&order),
        "networkTransactionId": is_sent.then(|| order.serial.to_string()),
        "Amount": number(order.new.amount),
        "Fees": fee(&order),
        "ClientReference": order.new.reference,
        "Channel": order.new.network.map(channel),
        "CustomerNumber": order.new.phone,
        "transactionStatus": status,
        "CreatedAt": order.created.strftime("%Y-%m-%d %H:%M:%S").to_string(),
    });
    Ok(respond(StatusCode::OK, json!({"ResponseCode": "success", "Data": data})))
}
