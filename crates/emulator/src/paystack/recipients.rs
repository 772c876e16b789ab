//! Recipients of transfers, and whether transfers ask for a code.

use super::{
    access::{Authorized, domain},
    paging::{self, PageQuery},
    responses::{error, invalid, success},
    state::{Paystack, Recipient},
    values::{RIGHT_CODE, bank_code, network},
};
use crate::{
    extract::{Body, Path, Query},
    protocol::Shared,
    wire::{Refusal, international, iso8601, respond, text, wallet_name},
};
use axum::{extract::State, http::StatusCode, response::Response};
use serde_json::{Value, json};
use std::sync::{Arc, atomic::Ordering};

/// `POST /transferrecipient`. The same account returns the existing recipient.
pub(super) async fn create(
    State(shared): State<Shared>,
    State(paystack): State<Arc<Paystack>>,
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    if text(&request, "type") != "mobile_money" {
        return Err(invalid("Recipient type is invalid"));
    }
    let network = network(text(&request, "bank_code"));
    let network = network
        .ok_or_else(|| error(StatusCode::BAD_REQUEST, "invalid_bank_code", "Bank is invalid"))?;
    let account_number = text(&request, "account_number");
    let phone = international(account_number);
    if !(phone.len() == 12 && phone.starts_with("233")) {
        return Err(error(
            StatusCode::BAD_REQUEST,
            "invalid_account_number",
            "Account number is invalid",
        ));
    }
    let mut recipients = paystack.recipients();
    let known = recipients
        .iter()
        .find(|recipient| recipient.phone == phone && recipient.network == network)
        .cloned();
    let recipient = known.unwrap_or_else(|| {
        let id = recipients.len() + 1;
        let recipient = Recipient {
            code: format!("RCP_{id:015}"),
            id,
            name: text(&request, "name").to_owned(),
            phone,
            network,
            account_number: account_number.to_owned(),
            description: text(&request, "description").to_owned(),
            email: text(&request, "email").to_owned(),
            metadata: request.get("metadata").cloned().unwrap_or(Value::Null),
            created: shared.clock.now(),
        };
        recipients.push(recipient.clone());
        recipient
    });
    drop(recipients);
    let message = "Transfer recipient created successfully";
    let body = json!({"status": true, "message": message, "data": data(&shared, &recipient)});
    Ok(respond(StatusCode::CREATED, body))
}

/// `GET /transferrecipient`, newest first.
pub(super) async fn list(
    State(shared): State<Shared>,
    State(paystack): State<Arc<Paystack>>,
    _: Authorized,
    Query(query): Query<PageQuery>,
) -> Result<Response, Refusal> {
    let mut recipients = paystack.recipients().clone();
    recipients.reverse();
    paging::list("Recipients retrieved", &recipients, &query, |one| data(&shared, one))
}

/// `GET /transferrecipient/{id_or_code}`: one recipient of transfers.
pub(super) async fn read(
    State(shared): State<Shared>,
    State(paystack): State<Arc<Paystack>>,
    _: Authorized,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let is_named = |one: &&Recipient| one.code == name || one.id.to_string() == name;
    let recipient = paystack.recipients().iter().find(is_named).cloned();
    let unknown = || error(StatusCode::NOT_FOUND, "recipient_not_found", "Recipient not found");
    let recipient = recipient.ok_or_else(unknown)?;
    let mut data = data(&shared, &recipient);
    data["recipient_account"] = recipient.account_number.clone().into();
    data["institution_code"] = bank_code(recipient.network).into();
    Ok(success("Recipient retrieved", data))
}

fn data(shared: &Shared, recipient: &Recipient) -> Value {
    json!({
        "active": true, "isDeleted": false, "is_deleted": false,
        "createdAt": iso8601(recipient.created), "updatedAt": iso8601(recipient.created),
        "currency": "GHS", "domain": domain(shared), "id": recipient.id, "integration": 100_032,
        "description": recipient.description, "email": recipient.email,
        "metadata": recipient.metadata,
        "name": recipient.name, "recipient_code": recipient.code, "type": "mobile_money",
        "details": details(recipient),
    })
}

/// The account of a recipient.
pub(super) fn details(recipient: &Recipient) -> Value {
    json!({
        "authorization_code": null,
        "account_number": recipient.account_number,
        "account_name": null,
        "bank_code": bank_code(recipient.network),
        "bank_name": wallet_name(recipient.network),
    })
}

/// A recipient as it appears within a transfer's webhook.
pub(super) fn within_transfer(shared: &Shared, paystack: &Paystack, code: &str) -> Value {
    paystack.find_recipient(code).map_or(Value::Null, |recipient| data(shared, &recipient))
}

/// `POST /transfer/enable_otp`: every transfer waits for a code from now on.
pub(super) async fn enable_otp(State(paystack): State<Arc<Paystack>>, _: Authorized) -> Response {
    paystack.asks_code.store(true, Ordering::SeqCst);
    success("OTP requirement for transfers has been enabled", Value::Null)
}

/// `POST /transfer/disable_otp`. The code goes to the owner's phone; the emulator's is always
/// 123456.
pub(super) async fn request_disable_otp(_: Authorized) -> Response {
    success("OTP has been sent to mobile number ending with 0000", Value::Null)
}

/// `POST /transfer/disable_otp_finalize`: transfers go on without a code, if this one is right.
pub(super) async fn disable_otp(
    State(paystack): State<Arc<Paystack>>,
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    if text(&request, "otp") != RIGHT_CODE {
        return Err(invalid("OTP is invalid"));
    }
    paystack.asks_code.store(false, Ordering::SeqCst);
    Ok(success("OTP requirement for transfers has been disabled", Value::Null))
}
