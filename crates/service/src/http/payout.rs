//! `POST /v1/payout` (interface specification section 4.2).

use super::{
    auth::Authenticated,
    body::JsonBody,
    charge,
    fields::Fields,
    idempotent,
    problem::{ApiError, internal},
    values,
};
use crate::{
    app::App,
    domain::{
        Caller, Kind,
        idempotency::{Fingerprint, Route},
        payment::Instruction,
    },
};
use axum::{extract::State, http::HeaderMap, response::Response};
use std::sync::Arc;

/// Begins a payment to a recipient's wallet.
pub(super) async fn create_payout(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.any_key()?);
    idempotent::check_key(&headers)?;
    let instruction = parse(Fields::new(body.members()?))?;
    let attempt = idempotent::attempt(
        &app,
        &headers,
        &caller,
        Route::Payout,
        Fingerprint::of_payment(&app.server_key, &instruction),
    );
    charge::begin(app, caller, instruction, attempt).await
}

fn parse(mut fields: Fields<'_>) -> Result<Instruction, ApiError> {
    let amount = fields.required("amount", values::amount);
    let phone = fields.required("phoneNumber", values::phone);
    let network = fields.required("network", values::network);
    fields.currency();
    let reference = fields.optional("reference", values::reference);
    let email = fields.optional("email", values::email);
    let metadata = fields.optional("metadata", values::metadata);
    let payer_message = fields.optional("payerMessage", values::note);
    let payee_note = fields.optional("payeeNote", values::note);
    let required = amount.zip(phone).zip(network);
    fields.finish()?;
    let ((amount, phone), network) = required.ok_or_else(internal)?;
    Ok(Instruction {
        kind: Kind::Payout,
        amount,
        network,
        phone,
        reference,
        email,
        metadata,
        payer_message,
        payee_note,
    })
}
