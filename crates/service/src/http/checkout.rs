//! `POST /v1/checkout` (interface specification section 4.3) and `GET /v1/checkout` (contract section 4).

use super::{
    auth::Authenticated,
    body::JsonBody,
    fields::Fields,
    idempotent,
    problem::{ApiError, internal},
    values,
    view::{CheckoutView, iso},
};
use crate::{
    app::App,
    domain::{
        Caller, CheckoutId, Mode,
        checkout::{self, NewCheckout},
        idempotency::{Answer, Fingerprint, Route, canonical},
    },
};
use axum::{
    Json,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode, header},
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
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let key = caller.v2_key()?;
    idempotent::check_key(&headers)?;
    let body = JsonBody::from_request(request, &app).await?;
    let new = parse(Fields::new(body.members()?), key.scope.mode)?;
    let scope = key.scope.clone();
    let attempt = idempotent::attempt(&app, &headers, &Caller::Key(key), Route::Checkout, fingerprint(&app, &new));
    let work = {
        let (app, attempt) = (app.clone(), attempt.clone());
        async move { Ok(kept(checkout::open(&app, scope, new, attempt).await?.id.as_str())) }
    };
    let mut done = idempotent::run(&app, attempt, work, async |id: String| Ok(kept(&id))).await?;
    done.answer.body = opened(&app, &done.answer.body).await?;
    Ok(done.into_response())
}

/// A token is never stored, so an answer that holds one is not kept: only the session's id is.
fn kept(id: &str) -> Answer {
    Answer { status: StatusCode::CREATED.as_u16(), body: id.to_owned() }
}

/// The whole answer; the token follows from the session.
async fn opened(app: &App, id: &str) -> Result<String, ApiError> {
    let checkout = app.store.checkout(&CheckoutId::new(id)).await?.ok_or_else(internal)?;
    let token = app.server_key.checkout_token(&checkout.seed);
    let view = OpenedCheckout {
        checkout_token: &token,
        url: format!("{}/pay?key={token}", app.public_url),
        expires_at: checkout.expires_at,
        checkout_id: checkout.id.as_str(),
        reference: &checkout.reference,
    };
    serde_json::to_string(&view).map_err(|_| internal())
}

fn fingerprint(app: &App, new: &NewCheckout) -> Fingerprint {
    Fingerprint::of(
        &app.server_key,
        &[
            Some(&new.amount.to_string()),
            Some(&new.email),
            new.reference.as_deref(),
            new.metadata.as_deref().map(canonical).as_deref(),
            new.return_url.as_deref(),
        ],
    )
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
