//! `POST /v1/checkout` (docs/reference/endpoints.md) and `GET /v1/checkout` (docs/reference/endpoints.md).

use super::{
    auth::Authenticated,
    body::JsonBody,
    idempotent::{self, Made},
    problem::ApiError,
    refusals::internal,
    view::{CheckoutView, iso},
};
use crate::{
    api::values::{Amount, Currency, Email, Metadata, Reference, ReturnUrl, Time},
    app::App,
    domain::{
        Caller, Checkout, CheckoutId, Mode,
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
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tua_http_json::JsonObject;
use utoipa::ToSchema;

/// A new checkout session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CheckoutRequest {
    amount: Amount,
    email: Email,
    currency: Option<Currency>,
    reference: Option<Reference>,
    metadata: Option<Metadata>,
    return_url: Option<ReturnUrl>,
}

/// A session that was just opened (docs/reference/endpoints.md).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OpenedCheckout<'a> {
    /// The token for the checkout component. It is valid for 30 minutes, and returned here only.
    #[schema(examples("tua_checkout_Xo3kP0d7m1y1nC5vWc9lq2rB8sT4uE6hJfKzLxVbNaM"))]
    checkout_token: &'a str,
    /// The hosted payment page of this session.
    #[schema(format = "uri")]
    url: String,
    /// When the token expires.
    #[serde(serialize_with = "iso")]
    #[schema(value_type = Time)]
    expires_at: Timestamp,
    #[schema(examples("chk_019aa5f0c2007d3e8a1b4c5d6e7f8092"))]
    checkout_id: &'a str,
    /// The merchant's reference.
    #[schema(examples("order-17"))]
    reference: &'a str,
}

impl<'a> OpenedCheckout<'a> {
    /// What is told of a session with its token.
    pub(super) fn new(checkout: &'a Checkout, token: &'a str, public_url: &str) -> Self {
        Self {
            checkout_token: token,
            url: format!("{public_url}/pay?key={token}"),
            expires_at: checkout.expires_at,
            checkout_id: checkout.id.as_str(),
            reference: &checkout.reference,
        }
    }
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
    let new = NewCheckout::from(CheckoutRequest::read(body.object()?, key.scope.mode)?);
    let scope = key.scope.clone();
    let attempt = idempotent::attempt(&app, &headers, &Caller::Key(key), Route::Checkout, fingerprint(&app, &new));
    let work = {
        let (app, attempt) = (app.clone(), attempt.clone());
        async move {
            let answer = |checkout: &Checkout| kept(checkout.id.as_str());
            let opened = checkout::open(&app, scope, new, attempt, answer).await?;
            Ok(Made::Kept(answer(&opened)))
        }
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
    serde_json::to_string(&OpenedCheckout::new(&checkout, &token, &app.public_url)).map_err(|_| internal())
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
    let standing = app.store.checkout_summary(&checkout.id).await?;
    let view = CheckoutView::new(&checkout, &standing);
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response())
}

impl CheckoutRequest {
    /// Reads the session that a key of this mode opens.
    pub(super) fn read(object: JsonObject<'_>, mode: Mode) -> Result<Self, ApiError> {
        Ok(object.require("returnUrl", |url: &ReturnUrl| url.allowed_in(mode)).read()?)
    }
}

impl From<CheckoutRequest> for NewCheckout {
    fn from(request: CheckoutRequest) -> Self {
        let Currency::Ghs = request.currency.unwrap_or_default();
        Self {
            amount: request.amount.0,
            reference: request.reference.map(|Reference(text)| text),
            email: request.email.into_string(),
            metadata: request.metadata.map(|Metadata(text)| text),
            return_url: request.return_url.map(|url| url.text),
        }
    }
}
