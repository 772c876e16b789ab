//! The requests that the service accepted.

use reqwest::StatusCode;
use serde_json::Value;

/// A request with an idempotency key, and its final response.
#[derive(Clone, Debug)]
pub struct AcceptedRequest {
    /// The route, such as `/v1/charge`.
    pub route: &'static str,
    /// Its credential.
    pub credential: String,
    /// The idempotency key.
    pub key: String,
    /// Its body.
    pub body: Value,
    /// The status of the response.
    pub status: StatusCode,
    /// The body of the response.
    pub response: String,
    /// How often it was sent. It is more than once if the service was killed meanwhile.
    pub requests: u32,
}

impl AcceptedRequest {
    /// The transaction that it created, if it is a charge or payout.
    pub fn transaction(&self) -> Option<String> {
        let response: Value = serde_json::from_str(&self.response).ok()?;
        let creates = matches!(self.route, "/v1/charge" | "/v1/payout") && self.status == StatusCode::ACCEPTED;
        creates.then(|| response["transactionId"].as_str().map(str::to_owned)).flatten()
    }
}
