//! Requests about batches of payouts.

use crate::{ApiClient, Response};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

static KEYS: AtomicU32 = AtomicU32::new(0);

/// A payout of a batch to the wallet of this number.
pub fn line(number: usize, amount: f64) -> Value {
    json!({ "amount": amount, "phoneNumber": format!("024123{number:04}"), "network": "MTN" })
}

/// A batch of payouts of these amounts, each to a wallet of its own.
pub fn batch_of(amounts: &[f64]) -> Value {
    let lines: Vec<Value> =
        amounts.iter().enumerate().map(|(index, amount)| line(100 + index, *amount)).collect();
    json!({ "payouts": lines })
}

/// Asks for a batch with an idempotency key of its own.
pub async fn begin(shop: &ApiClient, body: &Value) -> Response {
    let key = format!("batch-{}", KEYS.fetch_add(1, Ordering::Relaxed));
    begin_with(shop, &key, body).await
}

/// Asks for a batch with this idempotency key.
pub async fn begin_with(shop: &ApiClient, key: &str, body: &Value) -> Response {
    shop.send(
        Method::POST,
        "/v1/payouts/batches",
        &[("idempotency-key", key)],
        Some(&body.to_string()),
    )
    .await
}

/// A batch as it is now.
pub async fn read(shop: &ApiClient, id: &str) -> Value {
    shop.get(&format!("/v1/payouts/batches/{id}")).await.is(200).json()
}

/// Asks for the cancellation of what waits in a batch.
pub async fn cancel(shop: &ApiClient, id: &str) -> Response {
    shop.send(Method::POST, &format!("/v1/payouts/batches/{id}/cancel"), &[], None).await
}

/// The identifier in the response to a batch.
#[track_caller]
pub fn batch_id(response: &Response) -> String {
    response.json()["batchId"]
        .as_str()
        .unwrap_or_else(|| panic!("no batch: {response:?}"))
        .to_owned()
}

/// The identifiers of the payouts of a batch.
pub fn lines(batch: &Value) -> Vec<String> {
    let payouts = batch["payouts"].as_array().unwrap();
    payouts.iter().map(|line| line["transactionId"].as_str().unwrap().to_owned()).collect()
}

/// The status of each payout of a batch, or why it failed.
pub fn outcomes(batch: &Value) -> Vec<&str> {
    let payouts = batch["payouts"].as_array().unwrap();
    payouts
        .iter()
        .map(|line| line["failure"]["code"].as_str().or(line["status"].as_str()).unwrap())
        .collect()
}
