//! The codes of refused requests.

macro_rules! error_codes {
    ($(#[doc = $doc:literal] $variant:ident = $name:literal,)+) => {
        /// The stable `code` of a problem document (contract section 5). A client acts on
        /// these; the prose beside them may change.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum ErrorCode {
            $(#[doc = $doc] $variant,)+
        }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// One sentence on when it is answered, in English, for developers.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$variant => $doc.trim_ascii(),)+
                }
            }

            /// Reads the name on the wire.
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
    /// The body is not JSON, or names a field twice.
    MalformedJson = "malformed_json",
    /// No credential was sent.
    MissingCredentials = "missing_credentials",
    /// The credential is unknown or revoked; which of the two is not said.
    InvalidCredentials = "invalid_credentials",
    /// Two headers carry different credentials.
    ConflictingCredentials = "conflicting_credentials",
    /// The checkout token has reached its 30 minutes.
    CheckoutTokenExpired = "checkout_token_expired",
    /// The credential is good, but not for this route.
    CredentialNotAllowed = "credential_not_allowed",
    /// A live secret key came from a browser: it has leaked.
    SecretKeyExposed = "secret_key_exposed",
    /// A live secret key came over plain HTTP, where others could read it.
    HttpsRequired = "https_required",
    /// Nothing lives at this path.
    NotFound = "not_found",
    /// No such transaction for this credential.
    TransactionNotFound = "transaction_not_found",
    /// The path does not answer this method.
    MethodNotAllowed = "method_not_allowed",
    /// A charge of this checkout is not decided yet.
    ChargeInProgress = "charge_in_progress",
    /// The checkout has been paid.
    CheckoutAlreadyPaid = "checkout_already_paid",
    /// The checkout's five attempts are used up.
    AttemptsExhausted = "attempts_exhausted",
    /// The transaction does not wait for a passcode or voucher.
    VerificationNotExpected = "verification_not_expected",
    /// The Idempotency-Key header is not 1-255 printable ASCII characters, once.
    IdempotencyKeyInvalid = "idempotency_key_invalid",
    /// The Idempotency-Key was used for another request.
    IdempotencyKeyReused = "idempotency_key_reused",
    /// The first request with this Idempotency-Key is still running.
    IdempotencyInProgress = "idempotency_in_progress",
    /// The body did not arrive in time.
    RequestTimeout = "request_timeout",
    /// The body is larger than 32 KiB.
    BodyTooLarge = "body_too_large",
    /// The body is not sent as `application/json`.
    UnsupportedMediaType = "unsupported_media_type",
    /// Several fields are wrong; `errors` names each.
    ValidationFailed = "validation_failed",
    /// A required field is absent.
    FieldRequired = "field_required",
    /// A field does not exist, nearly always by a typing mistake.
    UnknownField = "unknown_field",
    /// A field exists, but not for this credential.
    FieldNotAllowed = "field_not_allowed",
    /// A field is of another JSON type.
    InvalidType = "invalid_type",
    /// The amount is not between 0.01 and 1,000,000,000.00 in whole pesewas.
    InvalidAmount = "invalid_amount",
    /// The amount is not the checkout's.
    AmountMismatch = "amount_mismatch",
    /// The phone number is not ten digits beginning with 0.
    InvalidPhoneNumber = "invalid_phone_number",
    /// The network is not MTN, TELECEL or AIRTELTIGO.
    UnsupportedNetwork = "unsupported_network",
    /// The currency is not GHS, the only one that is supported.
    UnsupportedCurrency = "unsupported_currency",
    /// The text is not an e-mail address with a domain.
    InvalidEmail = "invalid_email",
    /// The address is not one that a payer can be sent back to.
    InvalidUrl = "invalid_url",
    /// A text is longer than its field may be.
    TooLong = "too_long",
    /// A text holds control characters, or is empty where it may not be.
    InvalidText = "invalid_text",
    /// The metadata is beyond 50 keys, 64 characters a key or 8 KiB.
    InvalidMetadata = "invalid_metadata",
    /// A query parameter cannot be read, or stands twice.
    InvalidParameter = "invalid_parameter",
    /// The passcode or voucher is not 4-10 letters or digits.
    InvalidOtp = "invalid_otp",
    /// Too many requests, passcodes or prompts; `Retry-After` says how long to wait.
    RateLimited = "rate_limited",
    /// No operator serves this network right now.
    NetworkUnavailable = "network_unavailable",
    /// The service itself failed; nothing is known to have moved.
    InternalError = "internal_error",
    /// The service is stopping, has too much to do, or cannot reach its database.
    ServiceUnavailable = "service_unavailable",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_read_back_from_its_name() {
        for &code in ErrorCode::ALL {
            assert_eq!(ErrorCode::parse(code.as_str()), Some(code));
        }
        assert_eq!(ErrorCode::parse("nonsense"), None);
    }
}
