//! Checkout sessions: `POST /v1/checkout`, `GET /v1/checkout`, `GET /v1/checkout/{checkoutId}` and
//! `POST /v1/checkout/{checkoutId}/close` (docs/reference/endpoints.md).

use super::{
    access,
    auth::Authenticated,
    body::{JsonBody, read_no_members},
    idempotent,
    problem::ApiError,
    refusals::checkout_not_found,
    segment::Segment,
    state::BodyTimeout,
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
use tua_api::{
    resources::{CheckoutView, SessionView, iso},
    values::{Amount, Currency, Email, Metadata, Reference, ReturnUrl, Time},
};
use tua_domain::{
    Checkout, CheckoutId, Mode,
    checkout::{CheckoutTerms, NewCheckout},
    public_url::PublicUrl,
    secret::SecretDigest,
};
use tua_http_json::JsonObject;
use tua_net::limits::Limiter;
use tua_use_cases::{CheckoutWithToken, Checkouts, MerchantsCheckout};
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

/// A session that was just created, with its token.
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
    /// The merchant's own name for the session. Generated where the request had none.
    #[schema(examples("order-17"))]
    reference: &'a str,
}

impl<'a> OpenedCheckout<'a> {
    /// The response for a new session.
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

/// `POST /v1/checkout`: opens a session, and returns its token, which no other route does.
pub(super) async fn create_checkout(
    State(checkouts): State<Arc<Checkouts>>,
    State(timeout): State<BodyTimeout>,
    State(public_url): State<PublicUrl>,
    State(limiter): State<Arc<Limiter>>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(access::CREATE_CHECKOUT)?;
    let key = idempotent::key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let new = NewCheckout::from(CheckoutRequest::read(body.object()?, holder.scope.mode)?);
    let opened = checkouts.open(holder, new, key).await?;
    let CheckoutWithToken { checkout, token } = &opened.value;
    // Its payer may be behind an address that is over its limit.
    limiter.note_valid(SecretDigest::of(token));
    let view = OpenedCheckout::new(checkout, token, &public_url);
    idempotent::response(StatusCode::CREATED, &view, opened.is_replay)
}

/// All that a payer's component needs, after a reload too.
pub(super) async fn read_checkout(
    State(checkouts): State<Arc<Checkouts>>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
) -> Result<Response, ApiError> {
    let checkout = caller.token()?;
    let summary = checkouts.summary(&checkout.id).await?;
    let networks = checkouts.networks.for_payers(&checkout, summary.latest.as_ref());
    let view = CheckoutView::new(&checkout, &summary, networks, &public_url);
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response())
}

/// A session as its merchant sees it.
pub(super) async fn read_session(
    State(checkouts): State<Arc<Checkouts>>,
    caller: Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(access::READ_SESSION)?;
    let found = checkouts.find(&holder.scope, &CheckoutId::new(id)).await?;
    Ok(session(&found.ok_or_else(checkout_not_found)?))
}

/// Closes a session, so that it takes no further charge.
pub(super) async fn close_checkout(
    State(checkouts): State<Arc<Checkouts>>,
    State(timeout): State<BodyTimeout>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(access::CLOSE_CHECKOUT)?;
    read_no_members(request, timeout).await?;
    Ok(session(&checkouts.close(&holder, &CheckoutId::new(id)).await?))
}

fn session(MerchantsCheckout { checkout, summary, status }: &MerchantsCheckout) -> Response {
    let view = SessionView::new(checkout, summary, *status);
    ([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response()
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
            reference: request.reference.map(|Reference(text)| text),
            terms: CheckoutTerms {
                amount: request.amount.0,
                email: Some(request.email.into_string()),
                metadata: request.metadata.map(|Metadata(text)| text),
                return_url: request.return_url.map(|url| url.text),
            },
        }
    }
}
