//! `POST /v1/checkout` (docs/reference/endpoints.md).

use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    idempotent,
    logged_resource::with_resource,
    openapi::{
        errors::{BODY, IDEMPOTENCY},
        examples::{self, EXAMPLE_URL, Examples},
        headers::IDEMPOTENCY_REPLAYED,
        messages::{LinkSpec, RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::idempotency_key,
    },
    problem::ApiError,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    http::StatusCode,
    response::Response,
    routing::on,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use tua_api::{
    resources::rfc3339,
    values::{Amount, Currency, Email, Metadata, Reference, ReturnUrl, Time},
};
use tua_contract::ErrorCode::*;
use tua_domain::{
    Checkout, KeyScope, Mode,
    checkout::{CheckoutTerms, NewCheckout},
    public_url::PublicUrl,
    sandbox_times::SandboxTimes,
    secret::SecretDigest,
};
use tua_http_json::JsonObject;
use tua_net::limits::Limiter;
use tua_use_cases::{CheckoutWithToken, Checkouts};
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect];

/// The token of the examples.
const TOKEN: &str = "tua_checkout_Xo3kP0d7m1y1nC5vWc9lq2rB8sT4uE6hJfKzLxVbNaM";

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, create_checkout),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/checkout",
        id: "createCheckout",
        tag: "Checkouts",
        summary: "Create a checkout session",
        description: "Creates a session for one amount, and returns its token. The token is valid \
            for 30 minutes. Give the token to the page instead of a secret key.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[idempotency_key],
        body: Some(RequestBodySpec::of::<CheckoutRequest>(
            "The amount, and the payer's e-mail address.",
            request_examples,
        )),
        responses: &[ResponseSpec::json::<OpenedCheckout<'static>>(
            "201",
            "The session was created.",
            response_examples,
        )
        .with_headers(&[IDEMPOTENCY_REPLAYED])
        .with_links(&[LinkSpec {
            name: "charges",
            to: "listTransactions",
            description: "List the session's charges.",
            parameters: &[("checkoutId", "$response.body#/checkoutId")],
            body: None,
        }])],
        errors: &[
            IDEMPOTENCY,
            BODY,
            &[
                InvalidAmount,
                UnsupportedCurrency,
                InvalidEmail,
                InvalidMetadata,
                InvalidUrl,
                TooLong,
                InvalidText,
            ],
            &[AccountSuspended, NetworkUnavailable],
        ],
    },
};

/// A new checkout session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CheckoutRequest {
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
struct OpenedCheckout<'a> {
    /// The token for the checkout component. It is valid for 30 minutes, and returned here only.
    #[schema(examples("tua_checkout_Xo3kP0d7m1y1nC5vWc9lq2rB8sT4uE6hJfKzLxVbNaM"))]
    checkout_token: &'a str,
    /// The hosted payment page of this session.
    #[schema(format = "uri")]
    url: String,
    /// When the token expires, in test mode on the account's sandbox clock.
    #[serde(serialize_with = "rfc3339")]
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
    fn new(checkout: &'a Checkout, token: &'a str, public_url: &str) -> Self {
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
async fn create_checkout(
    State(checkouts): State<Arc<Checkouts>>,
    State(timeout): State<BodyTimeout>,
    State(public_url): State<PublicUrl>,
    State(limiter): State<Arc<Limiter>>,
    State(sandbox_times): State<SandboxTimes>,
    caller: Authenticated,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let key = idempotent::key(request.headers())?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let new = NewCheckout::from(CheckoutRequest::read(body.object()?, holder.scope.mode)?);
    let opened = checkouts.open(holder, new, key).await?;
    let CheckoutWithToken { checkout, token } = &opened.value;
    // Its payer may be behind an address that is over its limit.
    limiter.note_valid(SecretDigest::of(token));
    let checkout = sandbox_times.with_sandbox_expiry(checkout.clone());
    let view = OpenedCheckout::new(&checkout, token, &public_url);
    let response = idempotent::response(StatusCode::CREATED, &view, opened.is_replay)?;
    Ok(with_resource(response, checkout.id.as_str()))
}

impl CheckoutRequest {
    /// Reads the session that a key of this mode opens.
    pub(crate) fn read(object: JsonObject<'_>, mode: Mode) -> Result<Self, ApiError> {
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
                answer: None,
                return_url: request.return_url.map(|url| url.text),
            },
        }
    }
}

fn request_examples() -> Examples {
    let body = json!({
        "amount": 10.5, "currency": "GHS", "email": "ama@example.com", "reference": "order-17",
        "metadata": { "order": 17 }, "returnUrl": "https://shop.example/thanks"
    });
    vec![("order", body)]
}

fn response_examples() -> Examples {
    vec![(
        "opened",
        examples::json(&OpenedCheckout::new(&examples::checkout(), TOKEN, EXAMPLE_URL)),
    )]
}
