//! Refused requests, which are always problem documents (RFC 9457).

use super::{error_codes, rate_headers};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::borrow::Cow;
use tua_api::values;
use tua_contract::ErrorCode;
use tua_domain::{rate_limit::Exceeded, secret::random_bytes};
use tua_http_json::{Fault, body, fault, problem::ProblemDocument};
use utoipa::ToSchema;

/// A refused request, as docs/reference/errors.md shows it.
///
/// `http::response_layer` writes the document, since only it knows the request's id.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The stable code, for programs.
    pub code: ErrorCode,
    /// A sentence about this occurrence, for people.
    pub detail: Cow<'static, str>,
    /// Every fault of the body or query.
    pub faults: Vec<Fault>,
    /// The session of an expired token (docs/reference/credentials.md).
    pub checkout: Option<ExpiredCheckout>,
    /// The limit that was exceeded.
    pub exceeded: Option<Exceeded>,
    /// Whether the service is overloaded, so that a retry may soon succeed.
    pub overloaded: bool,
    /// Whether a repetition gets the same refusal until somebody changes the settings.
    pub needs_settings: bool,
    /// Whether the body had a content coding that is not read.
    pub has_unread_coding: bool,
}

/// The members of a response to an expired token that describe its session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpiredCheckout {
    /// `OPEN`, `PENDING`, `PAID` or `CLOSED`.
    pub status: &'static str,
    /// The merchant's own name for the session.
    pub reference: String,
}

/// The extension by which [`super::response_layer`] recognises the response.
#[derive(Clone, Debug)]
pub(super) struct RefusedRequest(pub(super) ApiError);

/// A refused request as it is written: a problem document (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(super) struct ApiProblem<'a> {
    #[serde(flatten)]
    problem: ProblemDocument<'a>,
    /// The status of the session whose token has expired. Only with `checkout_token_expired`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = values::ExpiredCheckoutStatus)]
    checkout: Option<&'static str>,
    /// The merchant's own name for the session. Only with `checkout_token_expired`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    reference: Option<&'a str>,
}

impl ApiError {
    /// A refusal without faults of members.
    pub fn new(code: ErrorCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            detail: detail.into(),
            faults: Vec::new(),
            checkout: None,
            exceeded: None,
            overloaded: false,
            needs_settings: false,
            has_unread_coding: false,
        }
    }

    /// A refused body or query, with all its faults. A single fault gives its own code to the
    /// whole.
    #[must_use]
    pub fn faults(faults: Vec<Fault>) -> Self {
        let (code, detail) = fault::summary(&faults);
        let code = ErrorCode::parse(code).unwrap_or(ErrorCode::ValidationFailed);
        Self { faults, ..Self::new(code, detail) }
    }

    /// An expired token, with the status of its session.
    #[must_use]
    pub fn expired(status: &'static str, reference: String, detail: &'static str) -> Self {
        Self {
            checkout: Some(ExpiredCheckout { status, reference }),
            ..Self::new(ErrorCode::CheckoutTokenExpired, detail)
        }
    }

    /// A network that no operator serves until somebody sets one up. `detail` says so.
    #[must_use]
    pub fn no_operator(detail: String) -> Self {
        Self { needs_settings: true, ..Self::new(ErrorCode::NetworkUnavailable, detail) }
    }

    /// The status that belongs to the code.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        error_codes::status(self.code)
    }

    /// After how many seconds a retry may succeed; `None` where it cannot.
    fn retry_after(&self) -> Option<u64> {
        match self.code {
            ErrorCode::IdempotencyInProgress => Some(1),
            ErrorCode::RateLimited => self.exceeded.map(|Exceeded(limit)| limit.reset),
            // Random, so that refused clients do not all retry at the same time.
            _ if self.overloaded => Some(1 + u64::from(random_bytes::<1>()[0] % 4)),
            _ if self.needs_settings => None,
            ErrorCode::NetworkUnavailable | ErrorCode::ServiceUnavailable => Some(30),
            _ => None,
        }
    }

    /// The bytes of the problem document.
    pub(super) fn document(&self, public_url: &str, request_id: &str) -> Vec<u8> {
        let problem = ProblemDocument {
            r#type: &error_page_url(public_url, self.code),
            title: self.code.title(),
            status: self.status().as_u16(),
            detail: &self.detail,
            code: self.code.as_str(),
            request_id: Some(request_id),
            errors: &self.faults,
        };
        let document = ApiProblem {
            problem,
            checkout: self.checkout.as_ref().map(|checkout| checkout.status),
            reference: self.checkout.as_ref().map(|checkout| checkout.reference.as_str()),
        };
        #[expect(clippy::expect_used, reason = "strings and a number always have a JSON form")]
        serde_json::to_vec(&document).expect("plain data")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        let headers = response.headers_mut();
        if self.status() == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if matches!(self.code, ErrorCode::RequestTimeout | ErrorCode::InvalidRequest) {
            // What still arrives may be the rest of the body, or part of a smuggled request.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if self.has_unread_coding {
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(body::IDENTITY));
        }
        if let Some(Exceeded(limit)) = self.exceeded {
            rate_headers::write(limit, headers);
        }
        response.extensions_mut().insert(RefusedRequest(self));
        response
    }
}

impl From<Vec<Fault>> for ApiError {
    fn from(faults: Vec<Fault>) -> Self {
        Self::faults(faults)
    }
}

/// The URL of the page that explains a code.
pub(super) fn error_page_url(public_url: &str, code: ErrorCode) -> String {
    format!("{public_url}/docs/errors/{}", code.as_str())
}
