//! The form that advances the sandbox clock (docs/reference/test-mode.md#the-sandbox-clock).

use serde_json::json;
use tua_domain::{Generation, Mode, people::Role};
use tua_test_support::{TestApp, dashboard::page};

#[tokio::test(flavor = "multi_thread")]
async fn a_developer_advances_the_clock_of_test_mode_only() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let session = json!({ "amount": 10.5, "email": "ama@example.com" });
    let opened = shop.post("/v1/checkout", &session).await.is(201).json();
    let payer = app.actor(opened["checkoutToken"].as_str().unwrap());
    let developer = app.browser_of(&account, Role::Developer).await;
    let webhooks = page(&account, Mode::Test, "/webhooks");
    let shown = developer.get(&webhooks).await.is(200).text;
    assert!(shown.contains("31 minutes: a checkout ends"), "{shown}");
    let live = developer.get(&page(&account, Mode::Live, "/webhooks")).await.is(200).text;
    assert!(!live.contains("sandbox-clock"), "{live}");

    let form = [("seconds", "1860")];
    let refused = page(&account, Mode::Live, "/webhooks/sandbox-clock");
    developer.post(&refused, &form).await.is(404);
    let advance = page(&account, Mode::Test, "/webhooks/sandbox-clock");
    for seconds in ["", "0", "-60", "31622401", "soon"] {
        developer.post(&advance, &[("seconds", seconds)]).await.is(422);
    }
    let viewer = app.browser_of(&account, Role::Viewer).await;
    viewer.post(&advance, &form).await.is(403);
    payer.get("/v1/checkout").await.is(200);

    let done = developer.post(&advance, &form).await.is(303);
    let shown = developer.get(done.header("location")).await.is(200).text;
    assert!(shown.contains("What is due now happens within a few seconds."), "{shown}");
    payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
    let entries = "SELECT count(*) FROM audit_log WHERE action = 'sandbox_clock.advanced' AND \
        source = 'dashboard'";
    assert_eq!(app.query_number(entries), 1);
}
