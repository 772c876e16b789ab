//! A store that fails in any method, before or after the work: the payer gets 503 or the current
//! state, retries with the same key, and pays once.

use serde_json::{Value, json};
use std::{collections::BTreeSet, sync::Arc};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, Response, TestApp, consistency,
    failing_plan::{Fault, Moment, Plan, SECRET},
    fake_operator::{CORRECT_CODE, FailureMode, FakeOperator},
    idempotency::send_with_key,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

/// Asserts a 503 without internal details, with `Retry-After`.
#[track_caller]
fn assert_unavailable(answer: Response) {
    assert!(!answer.text.contains(SECRET) && !answer.text.contains("SELECT"), "{}", answer.text);
    let answer = answer.is_problem(503, "service_unavailable");
    assert!(answer.header("retry-after").parse::<u32>().unwrap() > 0);
}

/// Repeats a request with the same key until the store works.
async fn send_until_ok(actor: &ApiClient, path: &str, key: &str, body: &Value) -> Response {
    for _ in 0..3 {
        let answer = send_with_key(actor, path, key, &body.to_string()).await;
        if answer.status.is_success() {
            return answer;
        }
        assert_unavailable(answer);
    }
    panic!("{path} does not recover");
}

async fn status(shop: &ApiClient, id: &str) -> Value {
    let mut answer = shop.get(&format!("/v1/status/{id}")).await;
    if !answer.status.is_success() {
        assert_unavailable(answer);
        answer = shop.get(&format!("/v1/status/{id}")).await;
    }
    answer.is(200).json()
}

/// A service with a failing store and a fake operator.
async fn service() -> (TestApp, Plan, Arc<FakeOperator>) {
    let plan = Plan::default();
    let fake = Arc::new(FakeOperator::default());
    let operator = fake.clone();
    let choose = |operators: tua_domain::routing::Operators| operators.with_test(operator);
    let app = TestApp::with_store(OffsetClock::stopped(), |_| {}, choose, &plan).await;
    app.test_clock.wait_for_workers().await;
    (app, plan, fake)
}

/// A session, a charge, a wrong code, the right one, the webhooks: all with idempotency keys, and
/// each repeated after a 503. Returns the methods of the store that were called.
async fn a_payment(fault: Option<(&'static str, Moment)>) -> BTreeSet<&'static str> {
    let (app, plan, fake) = service().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let shop = &merchant.shop;
    plan.begin(fault.map(|(method, moment)| Fault { method: Some(method), moment, times: 1 }));
    let session = json!({ "amount": 10.5, "email": "ama@example.com" });
    let opened = send_until_ok(shop, "/v1/checkout", "session", &session).await;
    let payer = app.actor(opened.json()["checkoutToken"].as_str().unwrap());
    let instruction = json!({ "phoneNumber": "0201234567", "network": "TELECEL" });
    // So that the poll schedule is needed too.
    fake.set_failure(FailureMode::ResponseLost);
    let id = send_until_ok(&payer, "/v1/charge", "charge", &instruction).await.id();
    fake.set_failure(FailureMode::Normal);
    let session = payer.get("/v1/checkout").await;
    if !session.status.is_success() {
        assert_unavailable(session);
    }
    for (attempt, code) in ["9999", CORRECT_CODE, CORRECT_CODE].into_iter().enumerate() {
        // A query finds the outcome that the first response did not report.
        let mut standing = status(shop, &id).await;
        for _ in 0..4 {
            if standing["nextAction"] == "ENTER_OTP" || standing["status"] != "PENDING" {
                break;
            }
            app.advance(61);
            app.wait_for_due_work().await;
            standing = status(shop, &id).await;
        }
        if standing["status"] != "PENDING" {
            break;
        }
        let body = json!({ "transactionId": id, "otp": code });
        send_until_ok(shop, "/v1/submit-otp", &attempt.to_string(), &body).await;
    }
    for _ in 0..4 {
        app.advance(61);
        app.wait_for_due_work().await;
    }
    assert_eq!(status(shop, &id).await["status"], "SUCCESSFUL", "{fault:?}");
    // A further repetition is a replay and changes nothing.
    assert_eq!(send_until_ok(&payer, "/v1/charge", "charge", &instruction).await.id(), id);
    assert_eq!(fake.orders().len(), 1, "{fault:?}");
    let heard = receiver.types();
    for event_type in ["checkout.opened", "charge.pending", "charge.successful", "checkout.paid"] {
        assert!(
            heard.iter().any(|one| one == event_type),
            "{event_type} was never heard: {fault:?}"
        );
    }
    // The check of the ledger reads through the store too.
    let called = plan.called();
    consistency::assert_consistent(&app, &fake).await;
    called
}

async fn every_method_fails(moment: Moment) {
    let called = a_payment(None).await;
    assert!(called.len() >= 19, "{called:?}");
    for method in called {
        a_payment(Some((method, moment))).await;
    }
}

#[tokio::test]
async fn a_store_error_before_any_operation_leads_to_one_payment() {
    every_method_fails(Moment::Before).await;
}

#[tokio::test]
async fn a_store_error_after_any_operation_leads_to_one_payment() {
    every_method_fails(Moment::After).await;
}

#[tokio::test]
async fn a_charge_takes_two_commits() {
    let (app, plan, _fake) = service().await;
    let shop = app.shop().await;
    let charge =
        json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" }).to_string();
    plan.begin(None);
    let first = send_with_key(&shop, "/v1/charge", "key", &charge).await.is(202);
    let called = plan.called();
    assert!(
        called.contains("begin")
            && called.contains("observe")
            && !called.contains("record_response"),
        "{called:?}"
    );
    assert_eq!(send_with_key(&shop, "/v1/charge", "key", &charge).await.is(202).text, first.text);
}

#[tokio::test]
async fn a_failing_store_is_503_on_every_route_and_on_readyz() {
    let (app, plan, fake) = service().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    plan.set(Some(Fault { method: None, moment: Moment::Before, times: usize::MAX }));
    let session = json!({ "amount": 10.5, "email": "ama@example.com" });
    let payment = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let code = json!({ "transactionId": id, "otp": CORRECT_CODE });
    for _ in 0..3 {
        for (path, body) in [
            ("checkout", &session),
            ("charge", &payment),
            ("payout", &payment),
            ("submit-otp", &code),
        ] {
            assert_unavailable(
                send_with_key(&shop, &format!("/v1/{path}"), path, &body.to_string()).await,
            );
        }
        for path in ["/v1/transactions", &format!("/v1/status/{id}"), "/readyz"] {
            assert_unavailable(shop.get(path).await);
        }
        assert_unavailable(payer.get("/v1/checkout").await);
        app.actor("").get("/healthz").await.is(200);
        // The workers get the error too, and continue.
        app.advance(60);
        app.wait_for_due_work().await;
    }
    plan.set(None);
    shop.get("/readyz").await.is(200);
    send_with_key(&shop, "/v1/submit-otp", "submit-otp", &code.to_string()).await.is(200);
    assert_eq!(shop.status(&id).await["status"], "SUCCESSFUL");
    let charge =
        send_with_key(&shop, "/v1/charge", "charge", &payment.to_string()).await.is(202).id();
    app.advance(10);
    app.wait_for_due_work().await;
    assert_eq!(shop.status(&charge).await["nextAction"], "ENTER_OTP");
    assert_eq!(fake.orders().len(), 2, "nothing was begun while it was down");
    consistency::assert_consistent(&app, &fake).await;
}
