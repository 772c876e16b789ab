//! A store that fails at any of its methods, before or after doing it: the payer hears 503 or how things
//! stand, sends the same again under the same key, and pays once.

use crate::support::{
    ApiClient, Response, TestApp, consistency,
    failing_store::{Fault, Moment, Plan, SECRET},
    fake_operator::{FakeOperator, Mood, RIGHT},
    idempotency::keyed,
    webhook_receiver::{Subscriber, WebhookReceiver},
};
use serde_json::{Value, json};
use std::sync::Arc;
use tua_service::clock::OffsetClock;

/// As it should be told: nothing of how we are built, and when to try again.
#[track_caller]
fn is_told(answer: Response) {
    assert!(!answer.text.contains(SECRET) && !answer.text.contains("SELECT"), "{}", answer.text);
    let answer = answer.is_problem(503, "service_unavailable");
    assert!(answer.header("retry-after").parse::<u32>().unwrap() > 0);
}

/// Sends the same again under the same key until the store is well.
async fn insist(actor: &ApiClient, path: &str, key: &str, body: &Value) -> Response {
    for _ in 0..3 {
        let answer = keyed(actor, path, key, &body.to_string()).await;
        if answer.status.is_success() {
            return answer;
        }
        is_told(answer);
    }
    panic!("{path} does not recover");
}

async fn status(shop: &ApiClient, id: &str) -> Value {
    let mut answer = shop.get(&format!("/v1/status/{id}")).await;
    if !answer.status.is_success() {
        is_told(answer);
        answer = shop.get(&format!("/v1/status/{id}")).await;
    }
    answer.is(200).json()
}

/// A service on a store and an operator of the test's.
async fn service() -> (TestApp, Plan, Arc<FakeOperator>) {
    let (plan, till) = (Plan::default(), Arc::new(FakeOperator::default()));
    let operator = till.clone();
    let choose = |operators: tua_service::domain::ports::Operators| operators.with_test(operator);
    let app = TestApp::around(OffsetClock::stopped(), |_| {}, choose, plan.wrap()).await;
    app.sleepers.work_is_looked_for().await;
    (app, plan, till)
}

/// A session, a charge, a wrong code, the right one, the webhooks: all under keys, and each sent again
/// where it is answered 503.
async fn a_payment(fault: Option<(&'static str, Moment)>) -> Plan {
    let (app, plan, till) = service().await;
    let (merchant, receiver) = (Subscriber::new(&app).await, WebhookReceiver::start().await);
    merchant.subscribes(&app, &receiver.url).await;
    let shop = &merchant.shop;
    plan.begin(fault.map(|(method, moment)| Fault { method: Some(method), moment, times: 1 }));
    let session = json!({ "amount": 10.5, "email": "ama@example.com" });
    let opened = insist(shop, "/v1/checkout", "session", &session).await;
    let payer = app.actor(opened.json()["checkoutToken"].as_str().unwrap());
    let instruction = json!({ "phoneNumber": "0201234567", "network": "TELECEL" });
    // So that the ladder is needed as well.
    till.is(Mood::Unanswered);
    let id = insist(&payer, "/v1/charge", "charge", &instruction).await.id();
    till.is(Mood::Well);
    let session = payer.get("/v1/checkout").await;
    if !session.status.is_success() {
        is_told(session);
    }
    for (attempt, code) in ["9999", RIGHT, RIGHT].into_iter().enumerate() {
        // What the first answer did not tell, the ladder learns.
        let mut standing = status(shop, &id).await;
        for _ in 0..4 {
            if standing["nextAction"] == "ENTER_OTP" || standing["status"] != "PENDING" {
                break;
            }
            app.advance(61);
            app.work_is_done().await;
            standing = status(shop, &id).await;
        }
        if standing["status"] != "PENDING" {
            break;
        }
        let body = json!({ "transactionId": id, "otp": code });
        insist(shop, "/v1/submit-otp", &attempt.to_string(), &body).await;
    }
    for _ in 0..4 {
        app.advance(61);
        app.work_is_done().await;
    }
    assert_eq!(status(shop, &id).await["status"], "SUCCESSFUL", "{fault:?}");
    // The same once more is a replay, and moves nothing.
    assert_eq!(insist(&payer, "/v1/charge", "charge", &instruction).await.id(), id);
    assert_eq!(till.orders().len(), 1, "{fault:?}");
    let heard = receiver.types();
    for event_type in ["checkout.opened", "charge.pending", "charge.successful", "checkout.paid"] {
        assert!(heard.iter().any(|one| one == event_type), "{event_type} was never heard: {fault:?}");
    }
    consistency::holds(&app, &till).await;
    plan
}

async fn every_method_fails(moment: Moment) {
    let called = a_payment(None).await.called();
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
    let (app, plan, _till) = service().await;
    let shop = app.shop().await;
    let charge = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" }).to_string();
    plan.begin(None);
    let first = keyed(&shop, "/v1/charge", "key", &charge).await.is(202);
    let called = plan.called();
    assert!(called.contains("begin") && called.contains("observe") && !called.contains("answer_attempt"), "{called:?}");
    assert_eq!(keyed(&shop, "/v1/charge", "key", &charge).await.is(202).text, first.text);
}

#[tokio::test]
async fn a_failing_store_is_503_on_every_route_and_on_readyz() {
    let (app, plan, till) = service().await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    plan.set(Some(Fault { method: None, moment: Moment::Before, times: usize::MAX }));
    let session = json!({ "amount": 10.5, "email": "ama@example.com" });
    let payment = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let code = json!({ "transactionId": id, "otp": RIGHT });
    for _ in 0..3 {
        for (path, body) in [("checkout", &session), ("charge", &payment), ("payout", &payment), ("submit-otp", &code)]
        {
            is_told(keyed(&shop, &format!("/v1/{path}"), path, &body.to_string()).await);
        }
        for path in ["/v1/transactions", &format!("/v1/status/{id}"), "/readyz"] {
            is_told(shop.get(path).await);
        }
        is_told(payer.get("/v1/checkout").await);
        app.actor("").get("/healthz").await.is(200);
        // The workers meet it as well, and live on.
        app.advance(60);
        app.work_is_done().await;
    }
    plan.set(None);
    shop.get("/readyz").await.is(200);
    keyed(&shop, "/v1/submit-otp", "submit-otp", &code.to_string()).await.is(200);
    assert_eq!(shop.status(&id).await["status"], "SUCCESSFUL");
    let charge = keyed(&shop, "/v1/charge", "charge", &payment.to_string()).await.is(202).id();
    app.advance(10);
    app.work_is_done().await;
    assert_eq!(shop.status(&charge).await["nextAction"], "ENTER_OTP");
    assert_eq!(till.orders().len(), 2, "nothing was begun while it was down");
    consistency::holds(&app, &till).await;
}
