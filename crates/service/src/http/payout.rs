//! `POST /v1/payout` (interface specification section 4.2).

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
    domain::{Caller, Kind, idempotency::Route, payment::Instruction},
};
use axum::{
    extract::{FromRequest, Request, State},
    http::HeaderMap,
    response::Response,
};
use std::sync::Arc;

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
    let instruction = parse(Fields::new(body.members()?))?;
    start::payment(app, &headers, caller, Route::Payout, instruction).await
}

fn parse(mut fields: Fields<'_>) -> Result<Instruction, ApiError> {
    let instruction = start::instruction(&mut fields, Kind::Payout);
    let email = fields.optional("email", values::email);
    let metadata = fields.optional("metadata", values::metadata);
    fields.finish()?;
    Ok(Instruction { email, metadata, ..instruction.ok_or_else(internal)? })
}
