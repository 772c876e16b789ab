//! Receives money from customers.

use super::{
    access::Authorized,
    outcomes,
    request::{Transfer, check, member_text},
    responses::{FORMAT, camel_error, duplicate},
    values::{PLATFORM, fee, fee_pesewas, find_by_id, transaction_id, with_fee},
};
use crate::{
    extract::{Body, Query},
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Failure, Kind, Phase, State as OrderState},
    protocol::Shared,
    script::{Outcome, Script},
    wire::{Refusal, iso8601, number, respond},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// `POST /merchantaccount/merchants/{pos_sales_id}/receive/mobilemoney`: begins a charge. A
/// number without a wallet is refused at once.
pub(super) async fn create(
    State(shared): State<Shared>,
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let Transfer { phone, network, amount, reference, callback_url } =
        check(&request, "CustomerMsisdn")?;
    let scripted = Script::by_last_four(&phone, Kind::Charge);
    // A number without a wallet is refused in the answer itself, and has no callback.
    let is_refused = scripted.outcome == Outcome::Failure(Failure::NotFound);
    let script = if is_refused { scripted.within(Duration::ZERO) } else { scripted };
    let new = NewOrder {
        operator: Operator::HUBTEL,
        api_platform: PLATFORM,
        kind: Kind::Charge,
        reference,
        amount,
        currency: "GHS".to_owned(),
        phone,
        network: Some(network),
        script,
        first_phase: Phase::Accepted,
        callback_url: (!is_refused).then_some(callback_url),
        refund_of: None,
        request,
    };
    let order = lifecycle::accept(&shared, new).map_err(|_| duplicate())?;
    if script.hides_acceptance {
        return Ok(FORMAT.error(StatusCode::SERVICE_UNAVAILABLE));
    }
    let (code, message) = if is_refused {
        outcomes::outcome(order.phase, Kind::Charge)
    } else {
        ("0001", "Transaction pending. Expect callback request for final state")
    };
    let mut data = data(&order, member_text(&order.new.request, "Description"));
    data["DeliveryFee"] = json!(0.0);
    Ok(respond(StatusCode::OK, json!({"Message": message, "ResponseCode": code, "Data": data})))
}

fn data(order: &Order, description: &str) -> Value {
    json!({
        "TransactionId": transaction_id(order),
        "Description": description,
        "ClientReference": order.new.reference,
        "Amount": number(order.new.amount),
        "Charges": fee(order),
        // The payer bears the fee, so all of the amount is left.
        "AmountAfterCharges": number(order.new.amount),
        "AmountCharged": with_fee(order),
    })
}

/// The callback about a charge. The text of a failure is its description.
pub(super) fn callback_body(order: &Order) -> Value {
    let (code, text) = outcomes::outcome(order.phase, Kind::Charge);
    let is_paid = code == outcomes::SUCCESS;
    let description =
        if is_paid { "The payment has been approved and processed successfully" } else { text };
    let mut data = data(order, description);
    data["ExternalTransactionId"] = order.serial.to_string().into();
    data["OrderId"] = transaction_id(order).into();
    data["PaymentDate"] = iso8601(order.updated).into();
    json!({
        "ResponseCode": code,
        "Message": if is_paid { "success" } else { "failed" },
        "Data": data,
    })
}

/// The three references of a charge, of which one is enough.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StatusQuery {
    client_reference: Option<String>,
    hubtel_transaction_id: Option<String>,
    network_transaction_id: Option<String>,
}

impl StatusQuery {
    /// Finds an order of this kind.
    pub(super) fn find(&self, shared: &Shared, kind: Kind) -> Option<Order> {
        if let Some(reference) = &self.client_reference {
            return shared.orders().find(PLATFORM, kind, reference).cloned();
        }
        if let Some(id) = &self.hubtel_transaction_id {
            return find_by_id(shared, kind, id);
        }
        let serial = self.network_transaction_id.as_ref()?.parse().ok()?;
        shared.orders().find_serial(PLATFORM, kind, serial).cloned()
    }
}

/// `GET /transactions/{pos_sales_id}/status`. `Unpaid` may become `Paid`: there is no word for
/// failure.
pub(super) async fn status(
    State(shared): State<Shared>,
    _: Authorized,
    Query(query): Query<StatusQuery>,
) -> Result<Response, Refusal> {
    let order = query.find(&shared, Kind::Charge);
    let order =
        order.ok_or_else(|| camel_error(StatusCode::NOT_FOUND, "3000", "Transaction not found"))?;
    let is_refunded = {
        let orders = shared.orders();
        orders.refunds_of(order.id).any(|refund| refund.phase == Phase::Successful)
    };
    let status = match order.phase.state() {
        OrderState::Successful if is_refunded => "Refunded",
        OrderState::Successful => "Paid",
        OrderState::Pending | OrderState::Failed => "Unpaid",
    };
    let is_paid = order.phase == Phase::Successful;
    let data = json!({
        "date": iso8601(order.updated),
        "status": status,
        "transactionId": transaction_id(&order),
        "externalTransactionId": is_paid.then(|| order.serial.to_string()),
        "paymentMethod": "mobilemoney",
        "clientReference": order.new.reference,
        "currencyCode": null,
        "amount": number(order.new.amount),
        "charges": crate::wire::pesewas_number(fee_pesewas(order.new.amount)),
        "amountAfterCharges": number(order.new.amount),
        "isFulfilled": null,
    });
    Ok(respond(
        StatusCode::OK,
        json!({"message": "Successful", "responseCode": "0000", "data": data}),
    ))
}
