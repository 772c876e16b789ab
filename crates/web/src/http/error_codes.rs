//! The HTTP status of each error code (docs/reference/errors.md).

use axum::http::StatusCode;
use tua_contract::ErrorCode;

/// The HTTP status of a problem document with this code.
#[must_use]
pub(super) const fn status(code: ErrorCode) -> StatusCode {
    use ErrorCode as C;
    match code {
        C::MalformedJson
        | C::InvalidRequest
        | C::IdempotencyKeyMissing
        | C::IdempotencyKeyInvalid => StatusCode::BAD_REQUEST,
        C::MissingCredentials
        | C::InvalidCredentials
        | C::ConflictingCredentials
        | C::CheckoutTokenExpired => StatusCode::UNAUTHORIZED,
        C::CredentialNotAllowed
        | C::ScopeMissing
        | C::AddressNotAllowed
        | C::SecretKeyExposed
        | C::HttpsRequired
        | C::AccountSuspended => StatusCode::FORBIDDEN,
        C::NotFound | C::TransactionNotFound => StatusCode::NOT_FOUND,
        C::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        C::ChargeInProgress
        | C::CheckoutAlreadyPaid
        | C::LinkInUse
        | C::LinkNotReopenable
        | C::TooManyEndpoints
        | C::AttemptsExhausted
        | C::VerificationNotExpected
        | C::NotCancellable
        | C::NotRefundable
        | C::RefundExceedsPayment
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
        | C::QuoteChanged
        | C::AmountOutOfRange
        | C::InvalidPhoneNumber
        | C::UnsupportedNetwork
        | C::UnsupportedCurrency
        | C::InvalidEmail
        | C::InvalidUrl
        | C::TooLong
        | C::InvalidText
        | C::InvalidTime
        | C::InvalidMetadata
        | C::InvalidOtp
        | C::InvalidParameter
        | C::PayoutLimitExceeded
        | C::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        C::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        C::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
        C::NetworkUnavailable | C::ServiceUnavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}
