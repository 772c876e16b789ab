//! Data from the server: the session, a transaction, a problem document.

use std::fmt;
use tua_contract::{ErrorCode, FailureCode, Network, State as TransactionState, Status, Step};

/// A checkout session, as `GET /v1/checkout` describes it (docs/reference/endpoints.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// The session's identifier, which begins with `chk_`.
    pub checkout_id: String,
    /// The merchant's reference, which a payer can quote.
    pub reference: String,
    /// The exact decimal text of the amount, in cedis, as the contract's parser accepts it.
    pub amount: String,
    /// The currency's ISO code.
    pub currency: String,
    /// The merchant's account name, as payers read it. Empty if the server sent none.
    pub merchant: String,
    /// The merchant's colour as `#rrggbb`, if the merchant has set one.
    pub accent: Option<String>,
    /// Whether this is test mode, in which no real money moves.
    pub is_test: bool,
    /// The expiry of the token, in milliseconds since 1970 by the server's clock.
    pub expires_at_ms: i64,
    /// The address of the merchant's page to return to.
    pub return_url: Option<String>,
    /// Whether the session is paid.
    pub is_paid: bool,
    /// The number of charges that may still be begun.
    pub attempts_left: u32,
    /// Whether each network of [`Network::ALL`] is down, in its order: nobody can pay with it now.
    pub down: [bool; 3],
    /// Whether each network of [`Network::ALL`] has ended, in its order: nobody can pay with it any
    /// more. It is down, too.
    pub ended: [bool; 3],
    /// What a charge on each network of [`Network::ALL`] costs a payer who bears a fee, in its
    /// order. `None` without a fee.
    pub prices: Box<[Option<Price>; 3]>,
    /// How a payer who sees no prompt approves on each network of [`Network::ALL`], in its order,
    /// in the words of the operator. Empty where it has none.
    pub prompt_instructions: Box<[Vec<LocalizedText>; 3]>,
    /// The latest charge, if there was one.
    pub transaction: Option<Transaction>,
}

/// What a charge on a network costs a payer who bears a fee (docs/reference/quotes.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Price {
    /// The fee, as decimal text in cedis.
    pub fee: String,
    /// The amount and the fee, as decimal text in cedis.
    pub payer_pays: String,
}

/// A text for payers in one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalizedText {
    /// The language's primary subtag, such as `en` (RFC 5646, section 2.2.1).
    pub language: String,
    /// The text: plain, not HTML.
    pub text: String,
}

impl Session {
    /// What the payer pays with this network, as decimal text in cedis.
    #[must_use]
    pub fn payer_pays(&self, network: Network) -> &str {
        self.prices[network as usize].as_ref().map_or(&self.amount, |price| &price.payer_pays)
    }

    /// The fee that the payer bears with this network, as decimal text in cedis.
    #[must_use]
    pub fn fee(&self, network: Network) -> Option<&str> {
        self.prices[network as usize].as_ref().map(|price| price.fee.as_str())
    }
}

/// A charge, as a checkout token sees it (docs/reference/endpoints.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transaction {
    /// The transaction's identifier, which `GET /v1/status/{id}` takes.
    pub id: String,
    /// Its state, from [`transaction_state`].
    pub state: TransactionState,
    /// The network. `None` if a newer server names one that is unknown here.
    pub network: Option<Network>,
    /// The payer's number, masked by the server: `*******567`.
    pub masked_phone: String,
    /// What the payer pays, as decimal text in cedis, if the server sent it.
    pub payer_pays: Option<String>,
    /// The number of codes that may still be entered, if the server sent it.
    pub code_attempts_left: Option<u32>,
    /// The operator's identifier of the transaction, as in the payer's SMS, once it is known.
    pub operator_transaction_id: Option<String>,
    /// The time of its last change, in ISO 8601.
    pub updated_at: String,
}

/// A request that the server refused (docs/reference/errors.md).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// The HTTP status of the response, such as 409.
    pub status: u16,
    /// The stable code, if the component distinguishes it: see [`known_code`].
    pub code: Option<ErrorCode>,
    /// The status of a session whose token has expired (docs/reference/credentials.md).
    pub checkout: Option<SessionStatus>,
    /// The merchant's reference, in the refusal of an expired token.
    pub reference: Option<String>,
    /// The header `Retry-After`, in seconds. `None` if it is absent or a date.
    pub retry_after_s: Option<u32>,
    /// The JSON pointers of the fields with faults.
    pub pointers: Vec<String>,
}

impl Problem {
    /// Whether the same request may succeed later: HTTP 429 or 5xx.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        self.status == 429 || self.status >= 500
    }
}

/// The error codes that the component distinguishes. For any other code the HTTP status decides.
/// The payer would download a list of all codes.
const KNOWN_CODES: [(&str, ErrorCode); 7] = [
    code_with_name(ErrorCode::CheckoutTokenExpired),
    code_with_name(ErrorCode::NetworkUnavailable),
    code_with_name(ErrorCode::QuoteChanged),
    code_with_name(ErrorCode::AccountSuspended),
    code_with_name(ErrorCode::AttemptsExhausted),
    code_with_name(ErrorCode::LinkInUse),
    code_with_name(ErrorCode::VerificationNotExpected),
];

/// A constant function, so that the names of the other codes are not in the download.
const fn code_with_name(code: ErrorCode) -> (&'static str, ErrorCode) {
    (code.as_str(), code)
}

/// The error code with this name, if the component distinguishes it.
#[must_use]
pub fn known_code(code: &str) -> Option<ErrorCode> {
    KNOWN_CODES.into_iter().find_map(|(name, known)| (name == code).then_some(known))
}

/// The status of a session that has ended (docs/reference/credentials.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionStatus {
    /// No money has moved, and no charge is pending.
    Open,
    /// A charge has no outcome yet.
    Pending,
    /// The session is paid.
    Paid,
    /// The shop has closed it, and no money has moved.
    Closed,
}

impl SessionStatus {
    /// Parses the name that the API uses. `None` for an unknown name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "OPEN" => Some(Self::Open),
            "PENDING" => Some(Self::Pending),
            "PAID" => Some(Self::Paid),
            "CLOSED" => Some(Self::Closed),
            _ => None,
        }
    }

    /// The name that the API uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Pending => "PENDING",
            Self::Paid => "PAID",
            Self::Closed => "CLOSED",
        }
    }
}

/// The state of a transaction, from the names that a server sent. The server may be newer than this
/// code.
///
/// Only SUCCESSFUL is a success, and only FAILED a failure. Any unknown status is still pending.
#[must_use]
pub fn transaction_state(
    status: &str,
    next_action: &str,
    failure: Option<&str>,
) -> TransactionState {
    match Status::parse(status) {
        Some(Status::Successful) => TransactionState::Successful,
        Some(Status::Failed) => TransactionState::Failed(
            failure.and_then(FailureCode::parse).unwrap_or(FailureCode::Unspecified),
        ),
        Some(Status::Pending) => {
            TransactionState::Pending(Step::parse(next_action).unwrap_or(Step::Wait))
        }
        None => TransactionState::Pending(Step::Wait),
    }
}

/// A secret text that the payer typed. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct SecretText(pub String);

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}
