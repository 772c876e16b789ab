//! No charge of a session begins after the session has expired, however slowly the request's body
//! arrives (docs/reference/lifecycle.md).

use crate::slow_body::send_slowly;
use serde_json::json;
use std::time::Duration;
use tua_domain::ports::Clock;
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp, failing_plan::Plan, hosted_page::FORM_CONTENT_TYPE, idempotency::count,
};

const LIFETIME: Duration = Duration::from_secs(30 * 60);
const INSTANT: Duration = Duration::from_millis(1);

/// A service whose clock is stopped, and the handle that tells which methods of its store were
/// called.
async fn app() -> (TestApp, Plan) {
    let plan = Plan::default();
    let app =
        TestApp::with_store(OffsetClock::stopped(), |_| {}, |operators| operators, &plan).await;
    (app, plan)
}

/// The token of a new session with the reference `order-1`.
async fn token(app: &TestApp) -> String {
    let body = json!({ "amount": 10.5, "email": "ama@example.com", "reference": "order-1" });
    let opened = app.shop().await.post("/v1/checkout", &body).await.is(201).json();
    opened["checkoutToken"].as_str().unwrap().to_owned()
}

async fn charge_slowly(app: &TestApp, plan: &Plan, token: &str, passes: Duration) -> String {
    let head =
        format!("/v1/charge HTTP/1.1\r\nx-api-key: {token}\r\ncontent-type: application/json");
    let body = r#"{"phoneNumber":"0241230007","network":"MTN"}"#;
    send_slowly(app, plan, &head, body, async { app.clock.advance(passes) }).await
}

async fn post_form_slowly(app: &TestApp, plan: &Plan, token: &str, passes: Duration) -> String {
    let (name, value) = FORM_CONTENT_TYPE;
    let head = format!("/pay?key={token} HTTP/1.1\r\n{name}: {value}");
    let body = "phoneNumber=0241230007&network=MTN";
    send_slowly(app, plan, &head, body, async { app.clock.advance(passes) }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_arrives_after_the_expiry_begins_no_charge() {
    let (app, plan) = app().await;
    let expired = charge_slowly(&app, &plan, &token(&app).await, LIFETIME).await;
    assert!(expired.starts_with("HTTP/1.1 401"), "{expired}");
    for member in
        [r#""code":"checkout_token_expired""#, r#""checkout":"OPEN""#, r#""reference":"order-1""#]
    {
        assert!(expired.contains(member), "{member}: {expired}");
    }
    assert_eq!(count(&app, "transactions"), 0);
    let in_time = charge_slowly(&app, &plan, &token(&app).await, LIFETIME - INSTANT).await;
    assert!(in_time.starts_with("HTTP/1.1 202"), "{in_time}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_arrives_after_the_expiry_begins_no_charge() {
    let (app, plan) = app().await;
    let expired = post_form_slowly(&app, &plan, &token(&app).await, LIFETIME).await;
    assert!(
        expired.starts_with("HTTP/1.1 401") && expired.contains("This checkout has expired"),
        "{expired}"
    );
    assert_eq!(count(&app, "transactions"), 0);
    let in_time = post_form_slowly(&app, &plan, &token(&app).await, LIFETIME - INSTANT).await;
    assert!(in_time.starts_with("HTTP/1.1 303"), "{in_time}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_with_a_slow_clock_begins_no_charge_after_the_expiry_was_decided() {
    let (app, _) = app().await;
    let payer = app.actor(&token(&app).await);
    let expiry = app.clock.now() + jiff::SignedDuration::from_mins(30);
    assert_eq!(app.running().store.announce_overdue(expiry, 10).await.unwrap(), 1);
    let refused =
        payer.charge("0241230007", "MTN").await.is_problem(401, "checkout_token_expired").json();
    assert_eq!((&refused["checkout"], &refused["reference"]), (&json!("OPEN"), &json!("order-1")));
    assert_eq!(count(&app, "transactions"), 0);
}
