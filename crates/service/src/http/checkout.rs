//! `POST /v1/checkout` (interface specification section 4.3) and `GET /v1/checkout` (contract section 4).

use super::{
    auth::Authenticated,
    body::JsonBody,
    fields::Fields,
    problem::{ApiError, internal},
    values,
    view::{CheckoutView, iso},
};
use crate::{
    app::App,
    domain::{
        Mode,
        checkout::{self, NewCheckout},
    },
};
use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OpenedCheckout<'a> {
    checkout_token: &'a str,
    url: String,
    #[serde(serialize_with = "iso")]
    expires_at: Timestamp,
    checkout_id: &'a str,
    reference: &'a str,
}

/// Opens a session.
pub(super) async fn create_checkout(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    body: JsonBody,
) -> Result<Response, ApiError> {
    let key = caller.v2_key()?;
    let new = parse(Fields::new(body.members()?), key.scope.mode)?;
    let (checkout, token) = checkout::open(&app, key.scope, new).await?;
    let opened = OpenedCheckout {
        checkout_token: &token,
        url: format!("{}/pay?key={token}", app.public_url),
        expires_at: checkout.expires_at,
        checkout_id: checkout.id.as_str(),
        reference: &checkout.reference,
    };
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(opened)).into_response())
}

/// All that a payer's component needs, after a reload too.
pub(super) async fn read_checkout(State(app): State<Arc<App>>, caller: Authenticated) -> Result<Response, ApiError> {
    let checkout = caller.token()?;
    let standing = app.store.checkout_standing(&checkout.id).await?;
    let view = CheckoutView::new(&checkout, &standing);
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response())
}

fn parse(mut fields: Fields<'_>, mode: Mode) -> Result<NewCheckout, ApiError> {
    let amount = fields.required("amount", values::amount);
    let email = fields.required("email", values::email);
    fields.currency();
    let reference = fields.optional("reference", values::reference);
    let metadata = fields.optional("metadata", values::metadata);
    let return_url = fields.optional("returnUrl", values::return_url(mode));
    let required = amount.zip(email);
    fields.finish()?;
    let (amount, email) = required.ok_or_else(internal)?;
    Ok(NewCheckout { amount, reference, email, metadata, return_url })
}
