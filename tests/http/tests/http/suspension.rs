//! A suspended account: no new payment or session begins, and what is under way goes on
//! (docs/reference/lifecycle.md).

use serde_json::json;
use std::{sync::Arc, time::Duration};
use tua_contract::lifecycle::Observation;
use tua_domain::{
    AccountId, Generation, Mode, TransactionId,
    approval::DecideError,
    ports::{AccountChange, Clock, HandOver, Route, SendResponse, StatusResponse},
};
use tua_test_support::{
    ApiClient, TestApp,
    hosted_page::{FORM_CONTENT_TYPE, send_form},
    idempotency::{CHECKOUT, PAYMENT, assert_replay, count, send_with_key},
    payout_controls::{Merchant, approval},
    scripted_operator::ScriptedOperator,
};

async fn change(app: &TestApp, account: &AccountId, change: AccountChange) {
    assert!(
        app.running().store.change_account(account, change, &app.audit()).await.unwrap().is_some()
    );
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
    let page = send_form(
        &app.actor(""),
        &path,
        "phoneNumber=0241234567&network=MTN",
        &[FORM_CONTENT_TYPE],
    )
    .await;
    let page = page.is(403).text;
    assert!(
        page.contains("This shop cannot take payments right now.") && page.contains("0241234567"),
        "{page}"
    );
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
    // A send may be under way for 30 seconds; before that no order is sent again in any case.
    for (is_suspended, sends) in [(true, 1), (false, 2)] {
        let never = |_| Some(StatusResponse::NeverReceived);
        let operator =
            Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Ambiguous)).asks(never));
        let app = TestApp::with_stopped_clock(operator.behind_test()).await;
        let (account, shop) = merchant(&app).await;
        shop.post_text("/v1/payout", PAYMENT).await.is(202);
        if is_suspended {
            suspend(&app, &account).await;
        }
        for seconds in [10, 20] {
            app.advance(seconds);
            app.wait_for_due_work().await;
        }
        assert_eq!((operator.count("ask"), operator.count("send")), (2, sends), "{is_suspended}");
    }
}

#[tokio::test]
async fn a_charge_that_is_not_handed_over_is_held_until_the_account_is_resumed() {
    let sends = |time| {
        Some(if time == 1 { SendResponse::NotSent } else { Observation::StillPending.into() })
    };
    let operator = Arc::new(ScriptedOperator::new().responds(sends));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let (account, shop) = merchant(&app).await;
    let id = shop.post_text("/v1/charge", PAYMENT).await.is(202).id();
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
        let (answers, ()) =
            tokio::join!(futures_util::future::join_all(payments), suspend(&app, &account));
        let accepted = answers.into_iter().filter(|answer| answer.status == 202).count();
        assert_eq!(count(&app, "transactions"), i64::try_from(accepted).unwrap());
        shop.post_text("/v1/charge", PAYMENT).await.is_problem(403, "account_suspended");
    }
}

/// A merchant whose operator cannot be reached by the first send of each order.
async fn merchant_with_unsent_payouts() -> Merchant {
    let sends =
        |time| Some(if time == 1 { SendResponse::NotSent } else { Observation::Succeeded.into() });
    Merchant::with_operator(Arc::new(ScriptedOperator::new().responds(sends))).await
}

const HOUR: u64 = 3600;

#[tokio::test]
async fn a_payout_that_was_not_sent_before_a_suspension_needs_an_approval_after_it() {
    let merchant = merchant_with_unsent_payouts().await;
    merchant.set_limits("", "", "100").await;
    let app = &merchant.app;
    let account = &merchant.scope().account;
    let unsent = merchant.pay_out(5.0).await.is(202).id();
    let cancelled = merchant.pay_out(6.0).await.is(202).id();
    let approved = merchant.begin_unapproved_payout(101.0).await;
    let waiting = merchant.begin_unapproved_payout(102.0).await;
    merchant.approve(&approved).await.unwrap();
    suspend(app, account).await;
    merchant.wait(HOUR).await;
    assert_eq!(merchant.cancel(&cancelled).await.is(200).json()["failure"]["code"], "cancelled");
    let refused = merchant.approve(&waiting).await.unwrap_err();
    assert!(matches!(refused, DecideError::AccountSuspended), "{refused}");
    change(app, account, AccountChange::Resume).await;
    merchant.wait(HOUR).await;
    for id in [&unsent, &approved, &waiting] {
        assert_eq!(merchant.shop.status(id).await["nextAction"], "APPROVE_IN_DASHBOARD");
        assert_eq!(merchant.outcome(id).await.0, "PENDING");
    }
    let sent = merchant.operator.count("send");
    assert_eq!(merchant.store().unapproved(Some(account)).await.unwrap().len(), 3);
    // Resuming again changes nothing about a payout that was approved since.
    merchant.approve(&unsent).await.unwrap();
    change(app, account, AccountChange::Resume).await;
    merchant.wait(HOUR).await;
    assert_eq!(
        (merchant.outcome(&unsent).await.0, merchant.operator.count("send")),
        ("SUCCESSFUL".to_owned(), sent + 1)
    );
    assert_eq!(merchant.cancel(&approved).await.is(200).json()["failure"]["code"], "cancelled");
}

#[tokio::test]
async fn the_72_hours_of_an_unsent_payout_go_on_during_a_suspension() {
    let merchant = merchant_with_unsent_payouts().await;
    merchant.set_limits("", "", "100").await;
    let app = &merchant.app;
    let account = &merchant.scope().account;
    let unsent = merchant.pay_out(5.0).await.is(202).id();
    let approved = merchant.begin_unapproved_payout(101.0).await;
    suspend(app, account).await;
    merchant.wait(HOUR).await;
    change(app, account, AccountChange::Resume).await;
    merchant.wait(69 * HOUR).await;
    merchant.approve(&approved).await.unwrap();
    suspend(app, account).await;
    merchant.wait(HOUR).await;
    change(app, account, AccountChange::Resume).await;
    merchant.wait(HOUR).await;
    let late = merchant.decide(&unsent, approval()).await;
    assert!(
        matches!(late, Err(DecideError::Expired | DecideError::NotWaiting("FAILED"))),
        "{late:?}"
    );
    merchant.wait(1).await;
    assert_eq!(
        merchant.outcome(&unsent).await,
        ("FAILED".to_owned(), "approval_refused".to_owned())
    );
    // The other one has 72 hours from its own approval.
    merchant.approve(&approved).await.unwrap();
    merchant.wait(1).await;
    merchant.wait(HOUR).await;
    assert_eq!(merchant.outcome(&approved).await.0, "SUCCESSFUL");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_held_payout_is_sent_by_a_resumption_that_races_with_its_worker() {
    let merchant = merchant_with_unsent_payouts().await;
    let app = &merchant.app;
    let account = &merchant.scope().account;
    for _ in 0..10 {
        let id = TransactionId::new(merchant.pay_out(5.0).await.is(202).id());
        suspend(app, account).await;
        let now = merchant.now();
        let (handed, ()) = tokio::join!(
            merchant.store().hand_over(&id, Route::Open, now, now, Duration::ZERO),
            change(app, account, AccountChange::Resume)
        );
        assert_eq!(handed.unwrap(), HandOver::Nothing);
        assert_eq!(merchant.shop.status(id.as_str()).await["nextAction"], "APPROVE_IN_DASHBOARD");
    }
}
