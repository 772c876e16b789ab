//! The error codes of refused requests.

macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// The stable `code` of a problem document. Clients branch on it; the texts of a
        /// document may change. Specified in `docs/reference/errors.md#error-codes`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl ErrorCode {
            /// All codes, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The code in JSON, such as `malformed_json`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What happened, as an English sentence for developers.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),+).trim_ascii(),)+
                }
            }

            /// Parses the code as it appears in JSON. `None` for any other text.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

error_codes! {
    /// The body is not valid JSON, or one object contains the same member twice.
    MalformedJson = "malformed_json",
    /// The request has more than one Host header, so that proxies and the service may understand it
    /// differently.
    InvalidRequest = "invalid_request",
    /// The request has no credential.
    MissingCredentials = "missing_credentials",
    /// The credential is unknown, revoked or expired. The service does not reveal which.
    InvalidCredentials = "invalid_credentials",
    /// The request has two different credentials.
    ConflictingCredentials = "conflicting_credentials",
    /// The checkout token is older than its 30 minutes, or its checkout was closed.
    CheckoutTokenExpired = "checkout_token_expired",
    /// The credential is valid, but may not use this route. Or a page of another site sent the form
    /// of a hosted page.
    CredentialNotAllowed = "credential_not_allowed",
    /// The secret key does not have the scope that this route needs.
    ScopeMissing = "scope_missing",
    /// The secret key may not be used from this address.
    AddressNotAllowed = "address_not_allowed",
    /// A live secret key was sent from a browser, so it has leaked.
    SecretKeyExposed = "secret_key_exposed",
    /// A live secret key, or a request to the listener that redirects to HTTPS, was sent over plain
    /// HTTP, where others can read it.
    HttpsRequired = "https_required",
    /// The account is suspended, so no new payment or checkout can begin.
    AccountSuspended = "account_suspended",
    /// The path, or the resource that it names, does not exist.
    NotFound = "not_found",
    /// This credential has no transaction with this identifier.
    TransactionNotFound = "transaction_not_found",
    /// The path does not support this method.
    MethodNotAllowed = "method_not_allowed",
    /// Another charge of this checkout is still pending.
    ChargeInProgress = "charge_in_progress",
    /// The checkout is already paid.
    CheckoutAlreadyPaid = "checkout_already_paid",
    /// The payment link can be paid once, and another payer is paying it or has paid it.
    LinkInUse = "link_in_use",
    /// The payment link was paid or has expired, so it cannot be opened again.
    LinkNotReopenable = "link_not_reopenable",
    /// The account and mode has the largest number of webhook endpoints that keys may add.
    TooManyEndpoints = "too_many_endpoints",
    /// The checkout has had five charges, and no more are allowed.
    AttemptsExhausted = "attempts_exhausted",
    /// The transaction does not wait for a passcode or voucher.
    VerificationNotExpected = "verification_not_expected",
    /// The payout or refund was handed over to its operator, or has ended, so it cannot be
    /// cancelled any more.
    NotCancellable = "not_cancellable",
    /// The charge is not successful, or is disputed, so it cannot be refunded. Or the method is
    /// PAYOUT, but no refund by the operator has failed.
    NotRefundable = "not_refundable",
    /// The refunds together would exceed the payment.
    RefundExceedsPayment = "refund_exceeds_payment",
    /// The route requires the Idempotency-Key header.
    IdempotencyKeyMissing = "idempotency_key_missing",
    /// The Idempotency-Key header is not 1 to 255 printable ASCII characters, or appears more than
    /// once.
    IdempotencyKeyInvalid = "idempotency_key_invalid",
    /// The Idempotency-Key was already used for another request.
    IdempotencyKeyReused = "idempotency_key_reused",
    /// The first request with this Idempotency-Key is still running.
    IdempotencyInProgress = "idempotency_in_progress",
    /// The request's body did not arrive in time.
    RequestTimeout = "request_timeout",
    /// The request's body is larger than its route accepts.
    BodyTooLarge = "body_too_large",
    /// The Content-Type is not the one that the route accepts, or the body has a Content-Encoding
    /// other than identity.
    UnsupportedMediaType = "unsupported_media_type",
    /// Several fields are not valid. The member errors contains each of them.
    ValidationFailed = "validation_failed",
    /// A required field is absent.
    FieldRequired = "field_required",
    /// The route does not define this field. Most of these are typing mistakes.
    UnknownField = "unknown_field",
    /// The field exists, but this credential may not set it, or not beside another field of the
    /// request.
    FieldNotAllowed = "field_not_allowed",
    /// The value has the wrong JSON type.
    InvalidType = "invalid_type",
    /// The amount is not between 0.01 and 1,000,000,000.00 in whole pesewas.
    InvalidAmount = "invalid_amount",
    /// The amount differs from the amount of the checkout.
    AmountMismatch = "amount_mismatch",
    /// The payer would now pay a different amount than payerPays says.
    QuoteChanged = "quote_changed",
    /// The amount is outside the limits of every operator that serves the network.
    AmountOutOfRange = "amount_out_of_range",
    /// The phone number is not ten digits that begin with 0.
    InvalidPhoneNumber = "invalid_phone_number",
    /// The network is not MTN, TELECEL or AIRTELTIGO, or it has ended.
    UnsupportedNetwork = "unsupported_network",
    /// The currency is not GHS. Only GHS is supported.
    UnsupportedCurrency = "unsupported_currency",
    /// The text is not an e-mail address with a domain.
    InvalidEmail = "invalid_email",
    /// The service cannot send a payer, or webhooks, to this URL.
    InvalidUrl = "invalid_url",
    /// The text is longer than its field allows.
    TooLong = "too_long",
    /// The text contains control characters, or is empty although the field needs a text.
    InvalidText = "invalid_text",
    /// The text is not a time, or the time is not in the future.
    InvalidTime = "invalid_time",
    /// The metadata has more than 50 keys, a key of more than 64 characters, or more than 8 KiB.
    InvalidMetadata = "invalid_metadata",
    /// A query parameter, or a field with a fixed list of values, is not valid. Or a query
    /// parameter appears more than once.
    InvalidParameter = "invalid_parameter",
    /// The payout exceeds a limit of the account.
    PayoutLimitExceeded = "payout_limit_exceeded",
    /// The passcode or voucher is not 4 to 10 letters or digits.
    InvalidOtp = "invalid_otp",
    /// There were too many requests, passcodes or prompts. Retry-After says how many seconds to
    /// wait.
    RateLimited = "rate_limited",
    /// No operator serves this network at the moment, or none is set up for it.
    NetworkUnavailable = "network_unavailable",
    /// The service failed. It is not known whether the request was executed.
    InternalError = "internal_error",
    /// The service is stopping, is overloaded, or cannot reach its database.
    ServiceUnavailable = "service_unavailable",
}

impl ErrorCode {
    /// The title, which is the same for every occurrence of the code.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::MalformedJson => "The body is not valid JSON",
            Self::InvalidRequest => "The request is ambiguous",
            Self::MissingCredentials => "No credential was sent",
            Self::InvalidCredentials => "The credential is not valid",
            Self::ConflictingCredentials => "Two different credentials were sent",
            Self::CheckoutTokenExpired => "The checkout token has expired",
            Self::CredentialNotAllowed => "The credential may not use this route",
            Self::ScopeMissing => "The key does not have the scope of the route",
            Self::AddressNotAllowed => "The key may not be used from this address",
            Self::SecretKeyExposed => "A live secret key was sent from a browser",
            Self::HttpsRequired => "The request must be sent over HTTPS",
            Self::AccountSuspended => "The account is suspended",
            Self::NotFound => "The path or resource does not exist",
            Self::TransactionNotFound => "The transaction does not exist",
            Self::MethodNotAllowed => "The path does not support this method",
            Self::ChargeInProgress => "A charge is in progress",
            Self::CheckoutAlreadyPaid => "The checkout is already paid",
            Self::LinkInUse => "The payment link is being paid, or was paid",
            Self::LinkNotReopenable => "The payment link cannot be opened again",
            Self::TooManyEndpoints => "There are too many webhook endpoints",
            Self::AttemptsExhausted => "The checkout allows no more charges",
            Self::VerificationNotExpected => "No passcode or voucher is expected",
            Self::NotCancellable => "The payout or refund cannot be cancelled any more",
            Self::NotRefundable => "The charge cannot be refunded",
            Self::RefundExceedsPayment => "The refund is larger than what is left of the payment",
            Self::IdempotencyKeyMissing => "The route requires an Idempotency-Key",
            Self::IdempotencyKeyInvalid => "The Idempotency-Key is not valid",
            Self::IdempotencyKeyReused => "The Idempotency-Key was already used",
            Self::IdempotencyInProgress => {
                "The first request with this Idempotency-Key is still running"
            }
            Self::RequestTimeout => "The body did not arrive in time",
            Self::BodyTooLarge => "The body is too large",
            Self::UnsupportedMediaType => "The Content-Type or Content-Encoding is not supported",
            Self::ValidationFailed => "Several fields are not valid",
            Self::FieldRequired => "A required field is missing",
            Self::UnknownField => "A field does not exist",
            Self::FieldNotAllowed => "A field is not allowed here",
            Self::InvalidType => "A value has the wrong JSON type",
            Self::InvalidAmount => "The amount is not valid",
            Self::QuoteChanged => "The sum that the payer pays has changed",
            Self::AmountMismatch => "The amount differs from the checkout's amount",
            Self::AmountOutOfRange => "No operator of the network takes this amount",
            Self::InvalidPhoneNumber => "The phone number is not valid",
            Self::UnsupportedNetwork => "The network is not supported",
            Self::UnsupportedCurrency => "The currency is not supported",
            Self::InvalidEmail => "The e-mail address is not valid",
            Self::InvalidUrl => "The URL is not valid",
            Self::TooLong => "A text is too long",
            Self::InvalidText => "A text is not valid",
            Self::InvalidTime => "A time is not valid",
            Self::InvalidMetadata => "The metadata is not valid",
            Self::InvalidParameter => "A parameter is not valid",
            Self::PayoutLimitExceeded => "The payout exceeds a limit of the account",
            Self::InvalidOtp => "The passcode or voucher is not valid",
            Self::RateLimited => "Too many requests",
            Self::NetworkUnavailable => "The network is not available at the moment",
            Self::InternalError => "The service failed",
            Self::ServiceUnavailable => "The service is not available at the moment",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_code_parses_from_its_text() {
        for &code in ErrorCode::ALL {
            assert_eq!(ErrorCode::parse(code.as_str()), Some(code));
        }
        assert_eq!(ErrorCode::parse("nonsense"), None);
    }

    #[test]
    fn the_reference_lists_every_error_code() {
        let reference = include_str!("../../../docs/reference/errors.md");
        for code in ErrorCode::ALL {
            assert!(reference.contains(&format!(" | `{}` | ", code.as_str())), "{}", code.as_str());
        }
    }
}
