//! `POST /v1/payout` (docs/reference/endpoints.md).

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
use axum::{
    extract::{FromRequest, Request, State},
    http::HeaderMap,
    response::Response,
};
use std::sync::Arc;
use utoipa::ToSchema;

/// What a merchant pays out with (docs/reference/endpoints.md, docs/reference/endpoints.md).
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described by it: `parse` takes these fields one by one")]
pub(super) struct PayoutRequest {
    amount: schemas::Amount,
    phone_number: schemas::PhoneNumber,
    network: schemas::Network,
    currency: Option<schemas::Currency>,
    reference: Option<schemas::Reference>,
    /// Shown in the recipient's history.
    payee_note: Option<schemas::Note>,
    /// Kept for the merchant.
    payer_message: Option<schemas::Note>,
    /// The recipient's address.
    email: Option<schemas::Email>,
    metadata: Option<schemas::Metadata>,
}

/// Begins a payment to a recipient's wallet.
pub(super) async fn create_payout(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let caller = Caller::Key(caller.any_key()?);
    idempotent::check_key(&headers)?;
    let body = JsonBody::from_request(request, &app).await?;
    let instruction = parse(&mut Fields::new(body.members()?))?;
    start::payment(app, &headers, caller, Route::Payout, instruction).await
}

pub(super) fn parse(fields: &mut Fields<'_>) -> Result<Instruction, ApiError> {
    let instruction = start::instruction(fields, Kind::Payout);
    let email = fields.optional("email", values::email);
    let metadata = fields.optional("metadata", values::metadata);
    fields.finish()?;
    Ok(Instruction { email, metadata, ..instruction.ok_or_else(internal)? })
}
