//! A suspended account: no new payment or session begins, and what is under way goes on
//! (docs/reference/lifecycle.md).

use crate::support::{
    ApiClient, TestApp,
    hosted_page::{FORM_CONTENT_TYPE, send_form},
    idempotency::{CHECKOUT, PAYMENT, assert_replay, count, send_with_key},
    scripted_operator::ScriptedOperator,
};
use serde_json::json;
use std::sync::Arc;
use tua_contract::lifecycle::Observation;
use tua_service::domain::{
    AccountId, Generation, Mode,
    ports::{AccountChange, Answer, Clock, SendResponse},
};

async fn change(app: &TestApp, account: &AccountId, change: AccountChange) {
    assert!(app.running().store.change_account(account, change, &app.audit()).await.unwrap().is_some());
}

async fn suspend(app: &TestApp, account: &AccountId) {
    change(app, account, AccountChange::Suspend(app.clock.now())).await;
}

async fn merchant(app: &TestApp) -> (AccountId, ApiClient) {
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    (account, shop)
}

#[tokio::test]
async fn every_new_payment_or_session_is_refused_until_the_account_is_resumed() {
    let app = TestApp::start().await;
    let (account, shop) = merchant(&app).await;
    let v1 = app.key(&account, Mode::Test, Generation::V1).await;
    let payer = app.payer(&shop).await;
    suspend(&app, &account).await;
    for key in [&shop, &v1] {
        for path in ["/v1/charge", "/v1/payout"] {
            key.post_text(path, PAYMENT).await.is_problem(403, "account_suspended");
        }
    }
    shop.post_text("/v1/checkout", CHECKOUT).await.is_problem(403, "account_suspended");
    payer.charge("0241234567", "MTN").await.is_problem(403, "account_suspended");
    let path = format!("/pay?key={}", payer.credential);
    let page = send_form(&app.actor(""), &path, "phoneNumber=0241234567&network=MTN", &[FORM_CONTENT_TYPE]).await;
    let page = page.is(403).text;
    assert!(page.contains("This shop cannot take payments right now.") && page.contains("0241234567"), "{page}");
    // An attempt of the session was not used up, and another account is not affected.
    assert_eq!(payer.get("/v1/checkout").await.is(200).json()["attemptsLeft"], 5);
    app.shop().await.post_text("/v1/charge", PAYMENT).await.is(202);
    change(&app, &account, AccountChange::Resume).await;
    payer.charge("0241234567", "MTN").await.is(202);
    shop.post_text("/v1/payout", PAYMENT).await.is(202);
}

#[tokio::test]
async fn what_is_under_way_goes_on_while_the_account_is_suspended() {
    let app = TestApp::start().await;
    let (account, shop) = merchant(&app).await;
    let payer = app.payer(&shop).await;
    let first = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    suspend(&app, &account).await;
    assert_replay(send_with_key(&shop, "/v1/charge", "k", PAYMENT).await, &first);
    shop.get("/v1/transactions").await.is(200);
    payer.post("/v1/submit-otp", &json!({ "transactionId": id, "otp": "123456" })).await.is(200);
    app.advance(2);
    payer.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(payer.get("/v1/checkout").await.is(200).json()["status"], "PAID");
}

#[tokio::test]
async fn an_order_that_the_operator_never_received_is_not_sent_again_while_suspended() {
    let never = |_| Some(Answer::NeverReceived);
    let operator = Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Ambiguous)).asks(never));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let (account, shop) = merchant(&app).await;
    shop.post_text("/v1/payout", PAYMENT).await.is(202);
    suspend(&app, &account).await;
    app.advance(10);
    app.wait_for_due_work().await;
    assert_eq!((operator.count("ask"), operator.count("send")), (1, 1));
}

#[tokio::test]
async fn an_order_that_is_not_handed_over_is_held_until_the_account_is_resumed() {
    let sends = |time| Some(if time == 1 { SendResponse::NotSent } else { Observation::StillPending.into() });
    let operator = Arc::new(ScriptedOperator::new().responds(sends));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let (account, shop) = merchant(&app).await;
    let id = shop.post_text("/v1/payout", PAYMENT).await.is(202).id();
    suspend(&app, &account).await;
    for _ in 0..3 {
        app.advance(60);
        app.wait_for_due_work().await;
    }
    assert_eq!((operator.count("send"), &shop.status(&id).await["status"]), (1, &json!("PENDING")));
    change(&app, &account, AccountChange::Resume).await;
    app.advance(60);
    app.wait_for_due_work().await;
    assert_eq!(operator.count("send"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_payment_begins_after_a_suspension_that_races_with_it() {
    for _ in 0..5 {
        let app = TestApp::start().await;
        let (account, shop) = merchant(&app).await;
        let payments = (0..4).map(|_| shop.post_text("/v1/charge", PAYMENT));
        let (answers, ()) = tokio::join!(futures_util::future::join_all(payments), suspend(&app, &account));
        let begun = answers.into_iter().filter(|answer| answer.status == 202).count();
        assert_eq!(count(&app, "transactions"), i64::try_from(begun).unwrap());
        shop.post_text("/v1/charge", PAYMENT).await.is_problem(403, "account_suspended");
    }
}
