//! The HTTP status and the title of each error code (docs/reference/errors.md).

use axum::http::StatusCode;
use tua_contract::ErrorCode;

/// The HTTP status of a problem document with this code.
#[must_use]
pub(super) const fn status(code: ErrorCode) -> StatusCode {
    use ErrorCode as C;
    match code {
        C::MalformedJson | C::IdempotencyKeyMissing | C::IdempotencyKeyInvalid => StatusCode::BAD_REQUEST,
        C::MissingCredentials | C::InvalidCredentials | C::ConflictingCredentials | C::CheckoutTokenExpired => {
            StatusCode::UNAUTHORIZED
        }
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

/// The title of the code, which is the same for every occurrence.
#[must_use]
pub(super) const fn title(code: ErrorCode) -> &'static str {
    use ErrorCode as C;
    match code {
        C::MalformedJson => "The body is not valid JSON",
        C::MissingCredentials => "No credential was sent",
        C::InvalidCredentials => "The credential is not valid",
        C::ConflictingCredentials => "Two different credentials were sent",
        C::CheckoutTokenExpired => "The checkout token has expired",
        C::CredentialNotAllowed => "The credential may not use this route",
        C::ScopeMissing => "The key does not have the scope of the route",
        C::AddressNotAllowed => "The key may not be used from this address",
        C::SecretKeyExposed => "A live secret key was sent from a browser",
        C::HttpsRequired => "A live secret key was sent over plain HTTP",
        C::AccountSuspended => "The account is suspended",
        C::NotFound => "The path or resource does not exist",
        C::TransactionNotFound => "The transaction does not exist",
        C::MethodNotAllowed => "The path does not support this method",
        C::ChargeInProgress => "A charge is in progress",
        C::CheckoutAlreadyPaid => "The checkout is already paid",
        C::LinkInUse => "The payment link is being paid, or was paid",
        C::LinkNotReopenable => "The payment link cannot be opened again",
        C::AttemptsExhausted => "The checkout allows no more charges",
        C::VerificationNotExpected => "No passcode or voucher is expected",
        C::NotCancellable => "The payout or refund cannot be cancelled any more",
        C::NotRefundable => "The charge cannot be refunded",
        C::RefundExceedsPayment => "The refund is larger than what is left of the payment",
        C::IdempotencyKeyMissing => "The route requires an Idempotency-Key",
        C::IdempotencyKeyInvalid => "The Idempotency-Key is not valid",
        C::IdempotencyKeyReused => "The Idempotency-Key was already used",
        C::IdempotencyInProgress => "The first request with this Idempotency-Key is still running",
        C::RequestTimeout => "The body did not arrive in time",
        C::BodyTooLarge => "The body is too large",
        C::UnsupportedMediaType => "The body is not application/json",
        C::ValidationFailed => "Several fields are not valid",
        C::FieldRequired => "A required field is missing",
        C::UnknownField => "A field does not exist",
        C::FieldNotAllowed => "A field is not allowed here",
        C::InvalidType => "A value has the wrong JSON type",
        C::InvalidAmount => "The amount is not valid",
        C::QuoteChanged => "The sum that the payer pays has changed",
        C::AmountMismatch => "The amount differs from the checkout's amount",
        C::AmountOutOfRange => "No operator of the network takes this amount",
        C::InvalidPhoneNumber => "The phone number is not valid",
        C::UnsupportedNetwork => "The network is not supported",
        C::UnsupportedCurrency => "The currency is not supported",
        C::InvalidEmail => "The e-mail address is not valid",
        C::InvalidUrl => "The URL is not valid",
        C::TooLong => "A text is too long",
        C::InvalidText => "A text is not valid",
        C::InvalidTime => "A time is not valid",
        C::InvalidMetadata => "The metadata is not valid",
        C::InvalidParameter => "A query parameter is not valid",
        C::PayoutLimitExceeded => "The payout exceeds a limit of the account",
        C::InvalidOtp => "The passcode or voucher is not valid",
        C::RateLimited => "Too many requests",
        C::NetworkUnavailable => "The network is not available at the moment",
        C::InternalError => "The service failed",
        C::ServiceUnavailable => "The service is not available at the moment",
    }
}
