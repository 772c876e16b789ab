//! Requests with an `Idempotency-Key`, and what tells a replayed response from a first one.

use crate::{ApiClient, Response, TestApp};
use reqwest::Method;

/// The body of a charge or payout of GHS 10.50.
pub const PAYMENT: &str =
    r#"{"amount":10.5,"phoneNumber":"0241230007","network":"MTN","payeeNote":"a"}"#;
/// The body of a checkout session of GHS 10.50.
pub const CHECKOUT: &str =
    r#"{"amount":10.5,"email":"ama@example.com","metadata":{"a":1,"b":[2]}}"#;

/// Sends this body with POST and this `Idempotency-Key`.
pub async fn send_with_key(actor: &ApiClient, path: &str, key: &str, body: &str) -> Response {
    actor.send(Method::POST, path, &[("idempotency-key", key)], Some(body)).await
}

/// Asserts that a response repeats the first one.
#[track_caller]
pub fn assert_replay(answer: Response, first: &Response) {
    assert_eq!((answer.status, &answer.text), (first.status, &first.text));
    assert_eq!(answer.header("idempotency-replayed"), "true");
    assert_eq!(answer.header("content-type"), first.header("content-type"));
}

/// Asserts that a response is a success and repeats none.
#[track_caller]
pub fn assert_first(answer: &Response) {
    assert!(answer.status.is_success(), "{answer:?}");
    assert_eq!(answer.headers.get("idempotency-replayed"), None);
}

/// The number of rows in a table.
pub fn count(app: &TestApp, table: &str) -> i64 {
    app.query_number(&format!("SELECT count(*) FROM {table}"))
}
