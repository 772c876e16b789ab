//! The requests that the service accepted.

use reqwest::StatusCode;
use serde_json::Value;

/// A request with an idempotency key, and its final response.
#[derive(Clone, Debug)]
pub struct AcceptedRequest {
    /// The route, such as `/v1/charge`.
    pub route: &'static str,
    /// The bearer token: a secret key, or a checkout token.
    pub credential: String,
    /// The `Idempotency-Key`: 32 hexadecimal digits, the same in every attempt.
    pub key: String,
    /// The JSON body of the request, the same in every attempt.
    pub body: Value,
    /// The status of the response.
    pub status: StatusCode,
    /// The body of the response.
    pub response: String,
    /// The number of attempts: more than one if the service was killed meanwhile.
    pub attempts: u32,
}

/// A transaction that a request began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CreatedTransaction {
    /// The identifier of the transaction or refund, from the response.
    pub id: String,
    /// The path that shows its status.
    pub path: String,
    /// The amount of the request; none where that is the session's.
    pub amount: Option<Value>,
}

impl AcceptedRequest {
    /// The transactions that it began: one of a charge, payout or refund, one for each line of a
    /// batch, none of others.
    pub fn created_transactions(&self) -> Vec<CreatedTransaction> {
        let Ok(response) = serde_json::from_str::<Value>(&self.response) else { return Vec::new() };
        if self.status != StatusCode::ACCEPTED {
            return Vec::new();
        }
        let created = |id: &Value, path: &str, request: &Value| {
            let id = id.as_str()?.to_owned();
            Some(CreatedTransaction {
                path: format!("{path}/{id}"),
                id,
                amount: request.get("amount").cloned(),
            })
        };
        match self.route {
            "/v1/charge" | "/v1/payout" => {
                created(&response["transactionId"], "/v1/status", &self.body).into_iter().collect()
            }
            "/v1/refunds" => {
                created(&response["refundId"], "/v1/refunds", &self.body).into_iter().collect()
            }
            "/v1/payouts/batches" => {
                let lines =
                    |batch: &Value| batch["payouts"].as_array().cloned().unwrap_or_default();
                let lines = lines(&response).into_iter().zip(lines(&self.body));
                lines
                    .filter_map(|(line, asked)| {
                        created(&line["transactionId"], "/v1/status", &asked)
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}
