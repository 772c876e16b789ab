//! Problem documents (RFC 9457), the one form of every refusal.

use super::{openapi::schemas, rate_headers};
use crate::domain::{
    admission::Overloaded,
    ports::{BeginError, CountError, OpenError, StoreError},
    rate_limit::{Exceeded, Policy},
    secret::random_bytes,
};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::borrow::Cow;
use tua_contract::ErrorCode;
use utoipa::ToSchema;

/// A refused request, as docs/reference/errors.md shows it.
///
/// `http::envelope` writes the document, since only it knows the request's id.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// What a client acts on.
    pub code: ErrorCode,
    /// What a person reads about this occurrence.
    pub detail: Cow<'static, str>,
    /// Every fault of the body, where the body is at fault.
    pub faults: Vec<Fault>,
    /// How an expired token's session stands (docs/reference/credentials.md).
    pub checkout: Option<ExpiredCheckout>,
    /// What was too much, where something was.
    pub exceeded: Option<Exceeded>,
    /// Whether there is merely too much to do, which may be over in a moment.
    pub overloaded: bool,
}

/// One fault of a body.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub struct Fault {
    /// Where, as a JSON pointer (RFC 6901).
    #[schema(examples("/amount"))]
    pub pointer: String,
    /// What a client acts on.
    #[serde(serialize_with = "code_text")]
    #[schema(value_type = schemas::ProblemCode)]
    pub code: ErrorCode,
    /// What a person reads.
    pub detail: Cow<'static, str>,
}

/// All that an expired token still tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpiredCheckout {
    /// `OPEN`, `PENDING` or `PAID`.
    pub standing: &'static str,
    /// The merchant's own name for the session.
    pub reference: String,
}

/// Marks the response so that [`super::envelope`] finds it.
#[derive(Clone, Debug)]
pub(super) struct Refused(pub(super) ApiError);

/// A refused request as it is written: a problem document (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(super) struct Document<'a> {
    /// The page that explains the code: what happened, whether money moved, what to do.
    #[schema(format = "uri")]
    r#type: String,
    /// The same for every occurrence of the code.
    title: &'static str,
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// What a person reads about this occurrence.
    detail: &'a str,
    #[schema(value_type = schemas::ProblemCode)]
    code: &'static str,
    /// As in the x-request-id header; quote it when asking for help.
    #[serde(rename = "requestId")]
    request_id: &'a str,
    /// Every fault of the body or query, where that is what is wrong.
    #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
    errors: &'a [Fault],
    /// Only with `checkout_token_expired`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = schemas::CheckoutSummary)]
    checkout: Option<&'static str>,
    /// The merchant's own name for the session; only with `checkout_token_expired`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    reference: Option<&'a str>,
}

impl ApiError {
    /// A refusal without faults of the body.
    pub fn new(code: ErrorCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { code, detail: detail.into(), faults: Vec::new(), checkout: None, exceeded: None, overloaded: false }
    }

    /// A refused body, all its faults at once. One fault alone gives its code to the whole.
    #[must_use]
    pub fn faults(faults: Vec<Fault>) -> Self {
        let (code, detail) = match &faults[..] {
            [only] => (only.code, only.detail.clone()),
            _ => (ErrorCode::ValidationFailed, format!("{} fields are not valid. See errors.", faults.len()).into()),
        };
        Self { code, detail, faults, checkout: None, exceeded: None, overloaded: false }
    }

    /// A refused token that has expired, and how its session stands.
    #[must_use]
    pub fn expired(standing: &'static str, reference: String, detail: &'static str) -> Self {
        Self {
            checkout: Some(ExpiredCheckout { standing, reference }),
            ..Self::new(ErrorCode::CheckoutTokenExpired, detail)
        }
    }

    /// The status that belongs to the code.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        use ErrorCode as C;
        match self.code {
            C::MalformedJson | C::IdempotencyKeyInvalid => StatusCode::BAD_REQUEST,
            C::MissingCredentials | C::InvalidCredentials | C::ConflictingCredentials | C::CheckoutTokenExpired => {
                StatusCode::UNAUTHORIZED
            }
            C::CredentialNotAllowed | C::SecretKeyExposed | C::HttpsRequired => StatusCode::FORBIDDEN,
            C::NotFound | C::TransactionNotFound => StatusCode::NOT_FOUND,
            C::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            C::ChargeInProgress
            | C::CheckoutAlreadyPaid
            | C::AttemptsExhausted
            | C::VerificationNotExpected
            | C::IdempotencyInProgress => StatusCode::CONFLICT,
            C::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
            C::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            C::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            C::ValidationFailed
            | C::FieldRequired
            | C::UnknownField
            | C::FieldNotAllowed
            | C::InvalidType
            | C::InvalidAmount
            | C::AmountMismatch
            | C::InvalidPhoneNumber
            | C::UnsupportedNetwork
            | C::UnsupportedCurrency
            | C::InvalidEmail
            | C::InvalidUrl
            | C::TooLong
            | C::InvalidText
            | C::InvalidMetadata
            | C::InvalidOtp
            | C::InvalidParameter
            | C::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            C::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            C::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
            C::NetworkUnavailable | C::ServiceUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// In how many seconds to try again, where that may help.
    fn retry_after(&self) -> Option<u64> {
        match self.code {
            ErrorCode::IdempotencyInProgress => Some(1),
            ErrorCode::RateLimited => self.exceeded.map(|Exceeded(standing)| standing.reset),
            // Who is turned away together does not come back together.
            _ if self.overloaded => Some(1 + u64::from(random_bytes::<1>()[0] % 4)),
            ErrorCode::NetworkUnavailable | ErrorCode::ServiceUnavailable => Some(30),
            _ => None,
        }
    }

    /// The document itself.
    pub(super) fn document(&self, public_url: &str, request_id: &str) -> Vec<u8> {
        let document = Document {
            r#type: explained_at(public_url, self.code),
            title: title(self.code),
            status: self.status().as_u16(),
            detail: &self.detail,
            code: self.code.as_str(),
            request_id,
            errors: &self.faults,
            checkout: self.checkout.as_ref().map(|checkout| checkout.standing),
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
        if self.code == ErrorCode::RequestTimeout {
            // The rest of the body may still come, and is no request.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if let Some(Exceeded(standing)) = self.exceeded {
            rate_headers::write(standing, headers);
        }
        response.extensions_mut().insert(Refused(self));
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a request met a failing store");
        match error {
            StoreError::Uncertain(_) => Self::new(
                ErrorCode::ServiceUnavailable,
                "The connection to the database broke, and it is not known whether the request was executed. Send it \
                 again with the same Idempotency-Key: it is executed only once. Without a key, read the resource first.",
            ),
            StoreError::Unavailable(_) => {
                Self::new(ErrorCode::ServiceUnavailable, "The service cannot reach its database. Try again shortly.")
            }
            StoreError::Failed(_) => internal(),
        }
    }
}

impl From<Overloaded> for ApiError {
    fn from(_: Overloaded) -> Self {
        let detail = "The service is overloaded. The request had no effect. Wait as long as Retry-After says, then send it again.";
        Self { overloaded: true, ..Self::new(ErrorCode::ServiceUnavailable, detail) }
    }
}

impl From<Exceeded> for ApiError {
    fn from(exceeded: Exceeded) -> Self {
        let what = match exceeded.0.policy {
            Policy::Credential => "This credential has sent too many requests",
            Policy::Address => "Too many requests without a valid credential came from this address",
            Policy::Passcode => "Too many passcodes or vouchers were submitted",
            Policy::Prompt => "This phone number received too many payment prompts. Nothing was charged",
        };
        let seconds = exceeded.0.reset;
        let detail = format!("{what}. Wait {seconds} s, then send the request again.");
        Self { exceeded: Some(exceeded), ..Self::new(ErrorCode::RateLimited, detail) }
    }
}

/// The answer to a failure of ours: it says nothing about how we are built.
pub(crate) fn internal() -> ApiError {
    ApiError::new(
        ErrorCode::InternalError,
        "The service failed. Read the transaction before you try again. Send the request id if you ask for help.",
    )
}

impl From<BeginError> for ApiError {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::ChargeInProgress => Self::new(
                ErrorCode::ChargeInProgress,
                "Another charge of this checkout is still pending. Wait for its outcome before you begin a new one.",
            ),
            BeginError::AlreadyPaid => {
                Self::new(ErrorCode::CheckoutAlreadyPaid, "This checkout is already paid. Nothing was charged again.")
            }
            BeginError::AttemptsExhausted => Self::new(
                ErrorCode::AttemptsExhausted,
                "This checkout has had five charges, and no more are allowed. Create a new checkout.",
            ),
            BeginError::NetworkUnavailable => Self::new(
                ErrorCode::NetworkUnavailable,
                "No operator serves this network at the moment. No money moved. Try again later, or use another network.",
            ),
            BeginError::Repeated => in_progress(),
            BeginError::Exceeded(exceeded) => exceeded.into(),
            BeginError::Overloaded(overloaded) => overloaded.into(),
            BeginError::Store(error) => error.into(),
        }
    }
}

impl From<CountError> for ApiError {
    fn from(error: CountError) -> Self {
        match error {
            CountError::NotExpected => Self::new(
                ErrorCode::VerificationNotExpected,
                "This transaction does not wait for a passcode or voucher.",
            ),
            CountError::Repeated => in_progress(),
            CountError::Exceeded(exceeded) => exceeded.into(),
            CountError::Store(error) => error.into(),
        }
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Repeated => in_progress(),
            OpenError::Overloaded(overloaded) => overloaded.into(),
            OpenError::Store(error) => error.into(),
        }
    }
}

/// The answer to a repetition that overtook the end of the first attempt.
pub(super) fn in_progress() -> ApiError {
    ApiError::new(
        ErrorCode::IdempotencyInProgress,
        "The first request with this Idempotency-Key is still running. Send this request again in a second.",
    )
}

/// The page that explains a code.
pub(super) fn explained_at(public_url: &str, code: ErrorCode) -> String {
    format!("{public_url}/docs/errors/{}", code.as_str())
}

fn code_text<S: serde::Serializer>(code: &ErrorCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

/// The short text of a code, the same for every occurrence.
#[must_use]
pub const fn title(code: ErrorCode) -> &'static str {
    use ErrorCode as C;
    match code {
        C::MalformedJson => "The body is not valid JSON",
        C::MissingCredentials => "No credential was sent",
        C::InvalidCredentials => "The credential is not valid",
        C::ConflictingCredentials => "Two different credentials were sent",
        C::CheckoutTokenExpired => "The checkout token has expired",
        C::CredentialNotAllowed => "The credential may not use this route",
        C::SecretKeyExposed => "A live secret key was sent from a browser",
        C::HttpsRequired => "A live secret key was sent over plain HTTP",
        C::NotFound => "The path does not exist",
        C::TransactionNotFound => "The transaction does not exist",
        C::MethodNotAllowed => "The path does not support this method",
        C::ChargeInProgress => "A charge is in progress",
        C::CheckoutAlreadyPaid => "The checkout is already paid",
        C::AttemptsExhausted => "The checkout allows no more charges",
        C::VerificationNotExpected => "No passcode or voucher is expected",
        C::IdempotencyKeyInvalid => "The Idempotency-Key is not valid",
        C::IdempotencyKeyReused => "The Idempotency-Key was already used",
        C::IdempotencyInProgress => "The first request with this Idempotency-Key is still running",
        C::RequestTimeout => "The body did not arrive in time",
        C::BodyTooLarge => "The body is too large",
        C::UnsupportedMediaType => "The body is not application/json",
        C::ValidationFailed => "Several fields are not valid",
        C::FieldRequired => "A required field is missing",
        C::UnknownField => "A field does not exist",
        C::FieldNotAllowed => "A field is not allowed for this credential",
        C::InvalidType => "A value has the wrong JSON type",
        C::InvalidAmount => "The amount is not valid",
        C::AmountMismatch => "The amount differs from the checkout's amount",
        C::InvalidPhoneNumber => "The phone number is not valid",
        C::UnsupportedNetwork => "The network is not supported",
        C::UnsupportedCurrency => "The currency is not supported",
        C::InvalidEmail => "The e-mail address is not valid",
        C::InvalidUrl => "The URL is not valid",
        C::TooLong => "A text is too long",
        C::InvalidText => "A text is not valid",
        C::InvalidMetadata => "The metadata is not valid",
        C::InvalidParameter => "A query parameter is not valid",
        C::InvalidOtp => "The passcode or voucher is not valid",
        C::RateLimited => "Too many requests",
        C::NetworkUnavailable => "The network is not available at the moment",
        C::InternalError => "The service failed",
        C::ServiceUnavailable => "The service is not available at the moment",
    }
}
