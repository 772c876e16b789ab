//! What the server sent.

use std::fmt;
use tua_contract::{ErrorCode, FailureCode, Network, State as Standing, Status, Step};

/// A checkout session, as `GET /v1/checkout` describes it (docs/reference/endpoints.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// The session's identifier.
    pub checkout_id: String,
    /// The merchant's reference, which a payer can quote.
    pub reference: String,
    /// The exact decimal text of the amount, in cedis, as the contract's parser accepts it.
    pub amount: String,
    /// The currency's ISO code.
    pub currency: String,
    /// The merchant's name.
    pub merchant: String,
    /// Whether no real money moves.
    pub is_test: bool,
    /// When the server stops to accept the token: milliseconds since 1970 on the server's clock.
    pub expires_at_ms: i64,
    /// Where the merchant wants the payer to be sent back to.
    pub return_url: Option<String>,
    /// Whether the server says that it has been paid.
    pub is_paid: bool,
    /// How many charges may still be begun.
    pub attempts_left: u32,
    /// The latest charge, if there was one.
    pub transaction: Option<Transaction>,
}

/// A charge, as a checkout token sees it (docs/reference/endpoints.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transaction {
    /// The transaction's identifier.
    pub id: String,
    /// Where it stands, by [`standing`].
    pub state: Standing,
    /// The network, unless a newer server names one that is not known here.
    pub network: Option<Network>,
    /// The payer's number, masked by the server: `*******567`.
    pub masked_phone: String,
    /// Wrong codes that may still be entered, where the server says it.
    pub code_attempts_left: Option<u32>,
    /// When it last changed, in ISO 8601.
    pub updated_at: String,
}

/// A request that the server refused (docs/reference/errors.md).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// The stable code, where it makes a difference here: see [`told_apart`].
    pub code: Option<ErrorCode>,
    /// How an expired session stood (docs/reference/credentials.md).
    pub checkout: Option<SessionStanding>,
    /// The merchant's reference, in the refusal of an expired token.
    pub reference: Option<String>,
    /// Seconds to wait before asking again, from `Retry-After`.
    pub retry_after_s: Option<u32>,
    /// JSON pointers of the fields at fault.
    pub pointers: Vec<String>,
}

impl Problem {
    /// Whether the server may answer the same request later: too many of them, or a fault of its own.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        self.status == 429 || self.status >= 500
    }
}

/// The error codes that make a difference here. For any other the HTTP status decides; a list of all codes would
/// only be more to download.
const TOLD_APART: [(&str, ErrorCode); 4] = [
    told(ErrorCode::CheckoutTokenExpired),
    told(ErrorCode::NetworkUnavailable),
    told(ErrorCode::AttemptsExhausted),
    told(ErrorCode::VerificationNotExpected),
];

/// In a constant, so that the names of the other codes are not downloaded.
const fn told(code: ErrorCode) -> (&'static str, ErrorCode) {
    (code.as_str(), code)
}

/// A refusal's code, where it makes a difference here.
#[must_use]
pub fn told_apart(code: &str) -> Option<ErrorCode> {
    TOLD_APART.into_iter().find_map(|(name, told)| (name == code).then_some(told))
}

/// How a session stood when its token expired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionStanding {
    /// No money has moved, and none is moving.
    Open,
    /// A charge is not decided yet.
    Pending,
    /// It has been paid.
    Paid,
}

impl SessionStanding {
    /// Reads the name on the wire. A name that is not known here is nothing.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "OPEN" => Some(Self::Open),
            "PENDING" => Some(Self::Pending),
            "PAID" => Some(Self::Paid),
            _ => None,
        }
    }

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Pending => "PENDING",
            Self::Paid => "PAID",
        }
    }
}

/// Where a transaction stands, from the words of a server that may be newer than this code.
///
/// Only SUCCESSFUL is a success and only FAILED a failure; whatever is not understood is
/// still to be confirmed.
#[must_use]
pub fn standing(status: &str, next_action: &str, failure: Option<&str>) -> Standing {
    match Status::parse(status) {
        Some(Status::Successful) => Standing::Successful,
        Some(Status::Failed) => {
            Standing::Failed(failure.and_then(FailureCode::parse).unwrap_or(FailureCode::Unspecified))
        }
        Some(Status::Pending) => Standing::Pending(Step::parse(next_action).unwrap_or(Step::Wait)),
        None => Standing::Pending(Step::Wait),
    }
}

/// A secret that a payer typed. `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Typed(pub String);

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Typed(…)")
    }
}
