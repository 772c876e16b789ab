//! Requests about refunds that many tests send.

use crate::{ApiClient, Response, TestApp};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

static KEYS: AtomicU32 = AtomicU32::new(0);

/// Asks for a refund with an idempotency key of its own.
pub async fn refund(shop: &ApiClient, body: Value) -> Response {
    let key = format!("refund-{}", KEYS.fetch_add(1, Ordering::Relaxed));
    refund_with(shop, &key, body).await
}

/// Asks for a refund with this idempotency key.
pub async fn refund_with(shop: &ApiClient, key: &str, body: Value) -> Response {
    shop.send(Method::POST, "/v1/refunds", &[("idempotency-key", key)], Some(&body.to_string()))
        .await
}

/// A refund as it is now.
pub async fn read(shop: &ApiClient, id: &str) -> Value {
    shop.get(&format!("/v1/refunds/{id}")).await.is(200).json()
}

/// Asks for the cancellation of a refund.
pub async fn cancel(shop: &ApiClient, id: &str) -> Response {
    shop.send(Method::POST, &format!("/v1/refunds/{id}/cancel"), &[], None).await
}

/// The identifier in the response to a refund.
#[track_caller]
pub fn refund_id(response: &Response) -> String {
    response.json()["refundId"]
        .as_str()
        .unwrap_or_else(|| panic!("no refund: {response:?}"))
        .to_owned()
}

/// The amounts that a charge returned and has left to return.
pub async fn sums(shop: &ApiClient, charge: &str) -> (Value, Value) {
    let charge = shop.status(charge).await;
    (charge["refundedAmount"].clone(), charge["refundableAmount"].clone())
}

/// A charge of GHS 10.50 from this number, three seconds later. The clock is stopped.
pub async fn charge(app: &TestApp, shop: &ApiClient, phone: &str) -> String {
    let body = json!({ "amount": 10.5, "phoneNumber": phone, "network": "MTN" });
    let id = shop.post("/v1/charge", &body).await.is(202).id();
    app.advance(3);
    app.wait_for_due_work().await;
    id
}
