//! Exchanges with operators, kept as evidence (docs/reference/operators.md#evidence).

use super::{TransactionId, callback_request::CallbackRequest};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// How long exchanges are kept.
pub const RETENTION: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How the paths of callbacks begin.
const CALLBACK_PATH: &str = "/callbacks/";

/// A request to an operator and its response, or a callback of an operator. No credential, no PIN,
/// no code and no full phone number is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// A UUID of version 7.
    pub id: String,
    /// The transaction that it was about.
    pub transaction: TransactionId,
    /// The operator's name in the settings.
    pub operator: String,
    /// When the request was sent, or the callback arrived.
    pub at: Timestamp,
    /// The HTTP method of the request or callback, in capitals.
    pub method: String,
    /// The request's path and query, redacted.
    pub path: String,
    /// The HTTP status of the response; `None` where there was none.
    pub status: Option<u16>,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// The request's body, redacted.
    pub request: Option<String>,
    /// The response's body, redacted; why there is no response, where there is none.
    pub response: Option<String>,
}

impl Exchange {
    /// A new name for an exchange. Names sort by the time of their creation.
    #[must_use]
    pub fn mint_id() -> String {
        Uuid::now_v7().to_string()
    }

    /// Whether it is a callback of the operator, which has no response to show.
    #[must_use]
    pub fn is_callback(&self) -> bool {
        self.path.starts_with(CALLBACK_PATH)
    }

    /// A callback of an operator about a transaction, without the secret of its path. `body` is
    /// redacted.
    #[must_use]
    pub fn of_callback(
        transaction: TransactionId,
        operator: &str,
        request: &CallbackRequest,
        body: String,
        now: Timestamp,
    ) -> Self {
        Self {
            id: Self::mint_id(),
            transaction,
            operator: operator.to_owned(),
            at: now,
            method: request.method.clone(),
            path: format!("{CALLBACK_PATH}{operator}"),
            status: None,
            duration_ms: 0,
            request: Some(body),
            response: None,
        }
    }
}
