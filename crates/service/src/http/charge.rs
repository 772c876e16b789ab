//! `POST /v1/charge` (docs/reference/endpoints.md).

use super::{
    auth::Authenticated,
    body::JsonBody,
    fields::Fields,
    idempotent,
    openapi::schemas,
    problem::{ApiError, internal},
    start, values,
};
use crate::{
    app::App,
    domain::{Caller, Kind, idempotency::Route, payment::Instruction},
};
use axum::{extract::State, http::HeaderMap, response::Response};
use std::sync::Arc;
use tua_contract::{Amount, ErrorCode};
use utoipa::ToSchema;

/// What a merchant charges with (docs/reference/endpoints.md, docs/reference/endpoints.md).
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described by it: `merchants_charge` takes these fields one by one")]
pub(super) struct ChargeRequest {
    amount: schemas::Amount,
    phone_number: schemas::PhoneNumber,
    network: schemas::Network,
    currency: Option<schemas::Currency>,
    reference: Option<schemas::Reference>,
    /// Shown to the payer on the phone.
    payer_message: Option<schemas::Note>,
    /// Kept for the merchant.
    payee_note: Option<schemas::Note>,
}

/// What a payer charges with, who holds a checkout token: the session says the rest.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described by it: `payers_charge` takes these fields one by one")]
pub(super) struct CheckoutChargeRequest {
    phone_number: schemas::PhoneNumber,
    network: schemas::Network,
    /// Where it is sent, the session's own amount.
    amount: Option<schemas::Amount>,
    currency: Option<schemas::Currency>,
}

/// Begins a collection from a payer's wallet.
pub(super) async fn create_charge(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, ApiError> {
    idempotent::check_key(&headers)?;
    let caller = caller.0;
    let mut fields = Fields::new(body.members()?);
    let instruction = match &caller {
        Caller::Key(_) => merchants_charge(&mut fields)?,
        Caller::Token(checkout) => payers_charge(&mut fields, checkout.amount)?,
    };
    start::payment(app, &headers, caller, Route::Charge, instruction).await
}

pub(super) fn merchants_charge(fields: &mut Fields<'_>) -> Result<Instruction, ApiError> {
    let instruction = start::instruction(fields, Kind::Charge);
    fields.finish()?;
    instruction.ok_or_else(internal)
}

/// A payer chooses number and network, and nothing else.
pub(super) fn payers_charge(fields: &mut Fields<'_>, due: Amount) -> Result<Instruction, ApiError> {
    let phone = fields.required("phoneNumber", values::phone);
    let network = fields.required("network", values::network);
    fields.currency();
    if fields.optional("amount", values::amount).is_some_and(|amount| amount != due) {
        let detail = format!("The amount of this checkout is {due}.");
        fields.fault("amount", (ErrorCode::AmountMismatch, detail.into()));
    }
    fields.forbid(
        &["reference", "payerMessage", "payeeNote", "email", "metadata"],
        "A checkout token may not set this field. The checkout defines it.",
    );
    let required = phone.zip(network);
    fields.finish()?;
    let (phone, network) = required.ok_or_else(internal)?;
    Ok(Instruction::for_checkout(due, phone, network))
}
