//! What clients were promised.

use reqwest::StatusCode;
use serde_json::Value;

/// A request with an idempotency key, and what it was answered in the end.
#[derive(Clone, Debug)]
pub struct Promise {
    /// The route, such as `/v1/charge`.
    pub route: &'static str,
    /// The credential that asked.
    pub credential: String,
    /// The idempotency key.
    pub key: String,
    /// What was asked.
    pub body: Value,
    /// The status of the answer.
    pub status: StatusCode,
    /// The answer, as its client read it.
    pub answer: String,
    /// How many requests it took; more than one where the service died meanwhile.
    pub requests: u32,
}

impl Promise {
    /// The transaction that was promised, if it was one.
    pub fn transaction(&self) -> Option<String> {
        let answer: Value = serde_json::from_str(&self.answer).ok()?;
        let begins = matches!(self.route, "/v1/charge" | "/v1/payout") && self.status == StatusCode::ACCEPTED;
        begins.then(|| answer["transactionId"].as_str().map(str::to_owned)).flatten()
    }
}
