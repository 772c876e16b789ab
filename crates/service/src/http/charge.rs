//! `POST /v1/charge` (interface specification section 4.1).

use super::{
    auth::Authenticated,
    body::JsonBody,
    fields::Fields,
    idempotent,
    problem::{ApiError, internal},
    start, values,
};
use crate::{
    app::App,
    domain::{Caller, Checkout, Kind, idempotency::Route, payment::Instruction},
};
use axum::{extract::State, http::HeaderMap, response::Response};
use std::sync::Arc;
use tua_contract::ErrorCode;

/// Begins a collection from a payer's wallet.
pub(super) async fn create_charge(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, ApiError> {
    idempotent::check_key(&headers)?;
    let caller = caller.0;
    let fields = Fields::new(body.members()?);
    let instruction = match &caller {
        Caller::Key(_) => merchants_charge(fields)?,
        Caller::Token(checkout) => payers_charge(fields, checkout)?,
    };
    start::payment(app, &headers, caller, Route::Charge, instruction).await
}

fn merchants_charge(mut fields: Fields<'_>) -> Result<Instruction, ApiError> {
    let instruction = start::instruction(&mut fields, Kind::Charge);
    fields.finish()?;
    instruction.ok_or_else(internal)
}

/// A payer chooses number and network, and nothing else.
fn payers_charge(mut fields: Fields<'_>, checkout: &Checkout) -> Result<Instruction, ApiError> {
    let phone = fields.required("phoneNumber", values::phone);
    let network = fields.required("network", values::network);
    fields.currency();
    if fields.optional("amount", values::amount).is_some_and(|amount| amount != checkout.amount) {
        let detail = format!("The amount of this checkout is {}.", checkout.amount);
        fields.fault("amount", (ErrorCode::AmountMismatch, detail.into()));
    }
    fields.forbid(
        &["reference", "payerMessage", "payeeNote", "email", "metadata"],
        "A checkout token does not set this field; the checkout does.",
    );
    let required = phone.zip(network);
    fields.finish()?;
    let (phone, network) = required.ok_or_else(internal)?;
    Ok(Instruction {
        kind: Kind::Charge,
        amount: checkout.amount,
        network,
        phone,
        reference: None,
        email: None,
        metadata: None,
        payer_message: None,
        payee_note: None,
    })
}
