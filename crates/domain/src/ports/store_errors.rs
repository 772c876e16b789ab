//! Errors of the store's ports: why a request was refused, or that the store failed.

use crate::{
    checkout::EndedCheckout,
    idempotency::RepeatError,
    overloaded::Overloaded,
    payout_batch::{BatchLimitExceeded, UnroutableLines},
    payout_controls::LimitExceeded,
    rate_limit::Exceeded,
    refund::RefundRefused,
    route_error::RouteError,
    store_error::StoreError,
};
use jiff::Timestamp;
use tua_contract::{Amount, Status};

/// Why a payment was not begun.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The session has expired or was closed since its token was checked.
    #[error("this checkout has ended")]
    Expired(EndedCheckout),
    /// The key that asked for a payout or refund was revoked after the request's credential was
    /// checked.
    #[error("the key is revoked")]
    KeyRevoked,
    /// The account is suspended.
    #[error("this account is suspended")]
    AccountSuspended,
    /// A charge of the session is still pending.
    #[error("a charge of this checkout is in progress")]
    ChargeInProgress,
    /// The session is paid, or an operator reported a payment after a final failure.
    #[error("this checkout has been paid")]
    AlreadyPaid,
    /// The link of the session can be paid once. Another session of it has a charge that is pending
    /// or paid.
    #[error("this payment link is being paid, or has been paid")]
    LinkInUse,
    /// The session's attempts are used up.
    #[error("the attempts of this checkout are used up")]
    AttemptsExhausted,
    /// The idempotency key was used before.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// The phone number got too many prompts.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The service is overloaded.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// A refund names a charge that the caller may not see, or that does not exist.
    #[error("there is no such charge")]
    ChargeNotFound,
    /// The charge cannot be refunded, or not for that much.
    #[error(transparent)]
    Refund(#[from] RefundRefused),
    /// A payout exceeds a limit of the account.
    #[error(transparent)]
    LimitExceeded(#[from] LimitExceeded),
    /// Lines of a batch exceed the limit of one payout; each with its index.
    #[error("{} lines of the batch exceed the limit of one payout", .0.len())]
    LinesExceeded(Vec<(usize, LimitExceeded)>),
    /// No operator takes these lines of a batch now; each with its index.
    #[error("no operator takes {} lines of the batch now", .0.len())]
    LinesUnroutable(UnroutableLines),
    /// No operator takes the payment.
    #[error(transparent)]
    Unroutable(#[from] RouteError),
    /// The payer would pay another sum than the caller expects.
    #[error("the payer would pay GHS {payer_pays} now")]
    QuoteChanged {
        /// What the payer would pay.
        payer_pays: Amount,
    },
    /// The store failed. The variant of [`StoreError`] shows whether the payment may have begun.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<BatchLimitExceeded> for BeginError {
    fn from(exceeded: BatchLimitExceeded) -> Self {
        match exceeded {
            BatchLimitExceeded::Lines(lines) => Self::LinesExceeded(lines),
            BatchLimitExceeded::Daily(exceeded) => Self::LimitExceeded(exceeded),
        }
    }
}

/// Why an attempt to enter a code was not counted.
#[derive(Debug, thiserror::Error)]
pub enum CodeAttemptError {
    /// The idempotency key was used before.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// The caller may see no transaction with this id.
    #[error("there is no such transaction")]
    NotFound,
    /// The transaction expects no code.
    #[error("no code is expected")]
    NotExpected,
    /// Too many codes were entered.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The store failed. The variant of [`StoreError`] shows whether the code may have been
    /// counted.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why the decision of a review was refused.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// No transaction has this id.
    #[error("there is no such transaction")]
    NotFound,
    /// The transaction has a final state already.
    #[error("it is {} already, and a final state never changes", .0.as_str())]
    AlreadyFinal(Status),
    /// The service still queries the operator, until this time at the latest. It is not flagged for
    /// review before.
    #[error(
        "its operator is still being asked about it; where that decides nothing, it is flagged for \
         review at {0}"
    )]
    NotFlagged(Timestamp),
    /// The operator reported a success for something else than was asked, so the sum that moved
    /// must be named, whatever the outcome.
    #[error(
        "its operator reported a success for something else than was asked{}; add --received with \
         the sum that moved",
        .0.map_or_else(String::new, |sum| format!(" (GHS {sum})"))
    )]
    SumMissing(
        /// The sum that the operator reported; `None` if it reported none in cedis.
        Option<Amount>,
    ),
    /// The operator reported no other sum.
    #[error("its operator reported no other sum, so --received is not allowed")]
    SumUnexpected,
    /// The store failed. The variant of [`StoreError`] shows whether the decision may have been
    /// written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
