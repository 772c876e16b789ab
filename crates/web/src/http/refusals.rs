//! Conversions of errors of the domain, the store and the limits into API errors.

use super::problem::ApiError;
use tua_contract::ErrorCode;
use tua_domain::{
    admission::Overloaded,
    approval::DecideError,
    checkout::{CheckoutStatus, EndedCheckout},
    idempotency::RepeatError,
    link::{ChangeLinkError, CreateLinkError},
    ports::{CloseError, CodeAttemptError, OpenError, StoreError},
    rate_limit::{Exceeded, Policy},
    webhook::endpoint::{CreateEndpointError, MAX_ENDPOINTS},
};
use tua_http_json::Fault;

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a request failed because of the store");
        match error {
            StoreError::Uncertain(_) => Self::new(
                ErrorCode::ServiceUnavailable,
                "The database failed during the request, and it is not known whether the request \
                 was executed. Send it again with the same Idempotency-Key: it is executed only \
                 once. Without a key, read the resource first.",
            ),
            StoreError::Unavailable(_) => Self::new(
                ErrorCode::ServiceUnavailable,
                "The service cannot reach its database. Try again shortly.",
            ),
            StoreError::Failed(_) => internal(),
        }
    }
}

impl From<Overloaded> for ApiError {
    fn from(_: Overloaded) -> Self {
        let detail = "The service is overloaded. The request had no effect. Wait as long as \
            Retry-After says, then send it again.";
        Self { overloaded: true, ..Self::new(ErrorCode::ServiceUnavailable, detail) }
    }
}

impl From<Exceeded> for ApiError {
    fn from(exceeded: Exceeded) -> Self {
        let what = match exceeded.0.policy {
            Policy::Credential => "This credential has sent too many requests",
            Policy::Address => {
                "Too many requests without a valid credential came from this address"
            }
            Policy::Passcode => "Too many passcodes or vouchers were submitted",
            Policy::SignIn => "Too many attempts to sign in",
            Policy::Prompt => {
                "This phone number received too many payment prompts. Nothing was charged"
            }
        };
        let seconds = exceeded.0.reset;
        let detail = format!("{what}. Wait {seconds} s, then send the request again.");
        Self { exceeded: Some(exceeded), ..Self::new(ErrorCode::RateLimited, detail) }
    }
}

impl From<DecideError> for ApiError {
    fn from(error: DecideError) -> Self {
        match error {
            DecideError::NotFound => transaction_not_found(),
            DecideError::Store(error) => error.into(),
            refused => Self::new(
                ErrorCode::NotCancellable,
                format!("This cannot be cancelled any more: {refused}."),
            ),
        }
    }
}

impl From<CodeAttemptError> for ApiError {
    fn from(error: CodeAttemptError) -> Self {
        match error {
            CodeAttemptError::NotExpected => Self::new(
                ErrorCode::VerificationNotExpected,
                "This transaction does not wait for a passcode or voucher.",
            ),
            CodeAttemptError::NotFound => transaction_not_found(),
            CodeAttemptError::Repeat(error) => error.into(),
            CodeAttemptError::Exceeded(exceeded) => exceeded.into(),
            CodeAttemptError::Store(error) => error.into(),
        }
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::KeyRevoked => invalid_credential(),
            OpenError::AccountSuspended => account_suspended(),
            OpenError::LinkNotOpen => link_in_use(),
            OpenError::NetworkUnavailable => Self::new(
                ErrorCode::NetworkUnavailable,
                "No operator serves charges of this account at the moment, so nobody could pay. \
                 Nothing was created. Try again later.",
            ),
            OpenError::NoOperator(mode) => Self::no_operator(format!(
                "No operator is set up for {} charges of this account, so nobody could pay. \
                 Nothing was created. {SET_UP_OPERATOR}",
                mode.as_str()
            )),
            OpenError::Repeat(error) => error.into(),
            OpenError::Overloaded(overloaded) => overloaded.into(),
            OpenError::Store(error) => error.into(),
        }
    }
}

/// What to do where no operator is set up.
pub(super) const SET_UP_OPERATOR: &str = "Sending the request again does not help. Set up an \
    operator for this account in the settings file of the service, or on the page Operators of the \
    dashboard.";

impl From<CloseError> for ApiError {
    fn from(error: CloseError) -> Self {
        match error {
            CloseError::NotFound => checkout_not_found(),
            CloseError::ChargeInProgress => Self::new(
                ErrorCode::ChargeInProgress,
                "A charge of this checkout is still pending. Wait for its outcome before you close \
                 the checkout.",
            ),
            CloseError::AlreadyPaid => Self::new(
                ErrorCode::CheckoutAlreadyPaid,
                "This checkout is already paid, so it cannot be closed.",
            ),
            CloseError::Store(error) => error.into(),
        }
    }
}

/// The refusal of a second charge of a link that can be paid once.
pub(super) fn link_in_use() -> ApiError {
    ApiError::new(
        ErrorCode::LinkInUse,
        "Somebody else is paying this payment link, or has paid it. Nothing was charged by this \
         request.",
    )
}

impl From<CreateLinkError> for ApiError {
    fn from(error: CreateLinkError) -> Self {
        match error {
            CreateLinkError::KeyRevoked => invalid_credential(),
            CreateLinkError::AccountSuspended => account_suspended(),
            CreateLinkError::EndIsPast => vec![end_is_past()].into(),
            CreateLinkError::CodeTaken => internal(),
            CreateLinkError::Repeat(error) => error.into(),
            CreateLinkError::Store(error) => error.into(),
        }
    }
}

/// Why a link that would have ended already is refused.
pub(super) const END_IS_PAST: &str = "This time must be in the future.";

fn end_is_past() -> Fault {
    Fault {
        pointer: "/expiresAt".to_owned(),
        code: ErrorCode::InvalidTime.as_str(),
        detail: END_IS_PAST.into(),
    }
}

impl From<CreateEndpointError> for ApiError {
    fn from(error: CreateEndpointError) -> Self {
        match error {
            CreateEndpointError::KeyRevoked => invalid_credential(),
            CreateEndpointError::TooMany => Self::new(
                ErrorCode::TooManyEndpoints,
                format!(
                    "This account and mode has {MAX_ENDPOINTS} webhook endpoints or more. Remove \
                     one that is no longer used."
                ),
            ),
            CreateEndpointError::Repeat(error) => error.into(),
            CreateEndpointError::Store(error) => error.into(),
        }
    }
}

/// There is no such webhook endpoint in the account and mode of the key.
pub(super) fn endpoint_not_found() -> ApiError {
    let detail = "This credential has no webhook endpoint with this identifier.";
    ApiError::new(ErrorCode::NotFound, detail)
}

impl From<ChangeLinkError> for ApiError {
    fn from(error: ChangeLinkError) -> Self {
        match error {
            ChangeLinkError::NotFound => link_not_found(),
            ChangeLinkError::NotReopenable(status) => Self::new(
                ErrorCode::LinkNotReopenable,
                format!(
                    "This payment link is {}, so it cannot be opened again. Create a new link.",
                    status.as_str()
                ),
            ),
            ChangeLinkError::Store(error) => error.into(),
        }
    }
}

/// The refusal where there is no payment link that the caller may see.
pub(super) fn link_not_found() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "This credential has no payment link with this identifier.")
}

/// The refusal of something new in a suspended account.
pub(super) fn account_suspended() -> ApiError {
    ApiError::new(
        ErrorCode::AccountSuspended,
        "This account is suspended, so no new payment or checkout can begin. Payments that are \
         pending go on.",
    )
}

/// A key that was revoked while its request was handled.
pub(super) fn invalid_credential() -> ApiError {
    ApiError::new(
        ErrorCode::InvalidCredentials,
        "The key was revoked or has expired. `tua key list` shows all keys.",
    )
}

/// The refusal of a token whose session has ended.
pub(super) fn expired(EndedCheckout { status, reference }: EndedCheckout) -> ApiError {
    let detail = match status {
        CheckoutStatus::Paid => "The checkout token has expired. The checkout was paid.",
        CheckoutStatus::Pending => {
            "The checkout token has expired. A payment is still being confirmed: do not pay again."
        }
        CheckoutStatus::Closed => {
            "The merchant has closed this checkout. Nothing was paid. Create a new checkout."
        }
        CheckoutStatus::Open | CheckoutStatus::Expired => {
            "The checkout token has expired after 30 minutes. Nothing was paid. Create a new \
             checkout."
        }
    };
    ApiError::expired(status.as_str(), reference, detail)
}

/// The refusal where there is no checkout session that the caller may see.
pub(super) fn checkout_not_found() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "This credential has no checkout with this identifier.")
}

/// The refusal where there is no batch of payouts that the caller may see.
pub(super) fn batch_not_found() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "This credential has no batch with this identifier.")
}

/// The refusal where there is no transaction that the caller may see.
pub(super) fn transaction_not_found() -> ApiError {
    ApiError::new(
        ErrorCode::TransactionNotFound,
        "This credential has no transaction with this identifier.",
    )
}

impl From<RepeatError> for ApiError {
    fn from(error: RepeatError) -> Self {
        match error {
            RepeatError::InProgress => Self::new(
                ErrorCode::IdempotencyInProgress,
                "The first request with this Idempotency-Key is still running. Send this request \
                 again in a second.",
            ),
            RepeatError::KeyReused => Self::new(
                ErrorCode::IdempotencyKeyReused,
                "This Idempotency-Key was already used for another request. This request had no \
                 effect. Use a new key for a new request.",
            ),
        }
    }
}

/// The response to an internal error. It shows nothing of the implementation.
pub fn internal() -> ApiError {
    ApiError::new(
        ErrorCode::InternalError,
        "The service failed. Read the transaction before you try again. Send the request id if you \
         ask for help.",
    )
}
