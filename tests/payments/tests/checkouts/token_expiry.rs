//! Tokens expire after thirty minutes, exact to the millisecond, on every route
//! (docs/reference/credentials.md).

use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tua_test_support::{ApiClient, Response, TestApp};

const LIFETIME: Duration = Duration::from_secs(30 * 60);
const INSTANT: Duration = Duration::from_millis(1);

/// A session with this status, with its token and its reference.
async fn session(app: &TestApp, standing: &str) -> (ApiClient, String) {
    let shop = app.shop().await;
    let reference = format!("order-{standing}");
    let body = json!({ "amount": 10.5, "email": "ama@example.com", "reference": reference });
    let opened = shop.post("/v1/checkout", &body).await.is(201).json();
    let payer = app.actor(opened["checkoutToken"].as_str().unwrap());
    let phone = match standing {
        "OPEN" => return (payer, reference),
        "PENDING" => "0241230007",
        _ => "0241234567",
    };
    let id = payer.charge(phone, "MTN").await.is(202).id();
    if standing == "PAID" {
        app.advance(2);
        shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    }
    (payer, reference)
}

/// Every route that accepts a token.
async fn on_every_route(payer: &ApiClient) -> [Response; 4] {
    let absent = json!({ "transactionId": "txn_none", "otp": "123456" });
    [
        payer.get("/v1/checkout").await,
        payer.get("/v1/status/txn_none").await,
        payer.post("/v1/submit-otp", &absent).await,
        // Rejected because of its amount, so that it does not count as an attempt.
        payer
            .post(
                "/v1/charge",
                &json!({ "amount": 11, "phoneNumber": "0241234567", "network": "MTN" }),
            )
            .await,
    ]
}

async fn page(app: &TestApp, payer: &ApiClient) -> Response {
    app.actor("").get(&format!("/pay?key={}", payer.credential)).await
}

#[tokio::test]
async fn a_token_is_valid_on_every_route_until_its_last_millisecond() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let (payer, _) = session(&app, "OPEN").await;
    app.clock.advance(LIFETIME - INSTANT);
    assert_eq!(
        on_every_route(&payer).await.map(|answer| answer.status.as_u16()),
        [200, 404, 404, 422]
    );
    page(&app, &payer).await.is(200);
    app.clock.advance(INSTANT);
    assert_eq!(on_every_route(&payer).await.map(|answer| answer.status.as_u16()), [401; 4]);
    page(&app, &payer).await.is(401);
}

#[tokio::test]
async fn an_expired_token_reads_only_its_sessions_status() {
    for standing in ["OPEN", "PENDING", "PAID"] {
        let app = TestApp::with_stopped_clock(|operators| operators).await;
        let (payer, reference) = session(&app, standing).await;
        app.clock.advance(LIFETIME);
        for answer in on_every_route(&payer).await {
            let Value::Object(problem) = answer.is_problem(401, "checkout_token_expired").json()
            else {
                panic!()
            };
            assert_eq!(
                (&problem["checkout"], &problem["reference"]),
                (&json!(standing), &json!(reference))
            );
            let mut fields: Vec<_> = problem.keys().map(String::as_str).collect();
            fields.sort_unstable();
            let known =
                ["checkout", "code", "detail", "reference", "requestId", "status", "title", "type"];
            assert_eq!(fields, known);
        }
    }
}

#[tokio::test]
async fn a_token_that_expires_during_a_poll_does_not_end_the_poll() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let (payer, _) = session(&app, "PENDING").await;
    let id = payer.get("/v1/checkout").await.json()["transaction"]["transactionId"]
        .as_str()
        .unwrap()
        .to_owned();
    app.clock.advance(LIFETIME - Duration::from_secs(5));
    let path = format!("/v1/status/{id}");
    let end = app.test_clock.now_plus(27);
    let polling = tokio::spawn({
        let payer = payer.clone();
        let path = path.clone();
        async move { payer.send(Method::GET, &path, &[("prefer", "wait=27")], None).await }
    });
    app.test_clock.wait_for_sleepers(end, 1).await;
    app.advance(27);
    assert_eq!(polling.await.unwrap().is(200).json()["status"], "PENDING");
    payer.get(&path).await.is_problem(401, "checkout_token_expired");
}

#[tokio::test]
async fn the_hosted_page_of_an_expired_session_shows_whether_it_was_paid() {
    for (standing, says, never) in [
        ("OPEN", "expired", "still being confirmed"),
        ("PENDING", "still being confirmed", "Paid"),
        ("PAID", "aid", "still being confirmed"),
    ] {
        let app = TestApp::with_stopped_clock(|operators| operators).await;
        let (payer, reference) = session(&app, standing).await;
        app.clock.advance(LIFETIME);
        let page = page(&app, &payer).await.is(401);
        assert!(page.header("content-type").starts_with("text/html"), "{page:?}");
        assert!(
            page.text.contains(says) && !page.text.contains(never),
            "{standing}: {}",
            page.text
        );
        assert!(page.text.contains(&reference) || standing == "OPEN", "{standing}: {}", page.text);
        assert!(!page.text.contains(&payer.credential), "an expired token must not be on the page");
    }
}

#[tokio::test]
async fn a_charge_that_succeeds_after_the_expiry_pays_the_session() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    app.clock.advance(LIFETIME - Duration::from_secs(10));
    let id = payer.charge("0241230009", "MTN").await.is(202).id();
    app.advance(10);
    let pending = payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired").json();
    assert_eq!(pending["checkout"], "PENDING");
    app.advance(20);
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(payer.get("/v1/checkout").await.is(401).json()["checkout"], "PAID");
}
