//! What a callback says is on disk before it is acknowledged
//! (docs/reference/operators.md#callbacks).

use jiff::SignedDuration;
use serde_json::json;
use std::sync::Arc;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Generation, Mode, TransactionId,
    exchange::Exchange,
    ports::{CallbackRequest, Clock, NextStatusQuery, ReceivedCallback, StatusResponse},
    routing::OperatorFingerprint,
};
use tua_emulator::{Call, Fault, Operator};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp, eventually,
    failing_plan::{Fault as StoreFault, Moment, Plan},
    live_operators::{LiveOperators, callback_url},
    operator_callbacks::{hubtel_failure, send},
    scripted_operator::ScriptedOperator,
};

#[tokio::test]
async fn a_claim_survives_a_crash_right_after_its_acknowledgement() {
    let mut live = LiveOperators::routed_to("hubtel").await;
    let id = TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id());
    // Until the restart the operator does not respond, so that the claim is not used before.
    live.emulator.chaos().set(Operator::HUBTEL, Call::Status, Fault::HalfJson);
    let body = hubtel_failure(&id.operator_reference()).to_string();
    assert_eq!(send(&live, "hubtel", &body).await, 200);
    let kept = live.app.running().store.exchanges(&id).await.unwrap();
    assert!(kept.iter().any(|one| one.path == "/callbacks/hubtel"), "{kept:?}");

    live.app.restart().await;
    assert_eq!(live.shop.status(id.as_str()).await["status"], "PENDING");
    live.emulator.chaos().clear();
    live.app.advance(60);
    let failed = live.end_of(id.as_str()).await;
    assert_eq!(
        (&failed["status"], &failed["failure"]["code"]),
        (&json!("FAILED"), &json!("unspecified"))
    );
}

/// A service whose live payments of MTN go to an operator that prompts the payer, and a plan for
/// its store.
async fn live_app() -> (TestApp, Plan, Arc<ScriptedOperator>) {
    app_behind(ScriptedOperator::new()).await
}

/// A service whose live payments of MTN go to this operator, and a plan for its store.
async fn app_behind(operator: ScriptedOperator) -> (TestApp, Plan, Arc<ScriptedOperator>) {
    let plan = Plan::default();
    let operator = Arc::new(operator);
    let limits = |config: &mut tua_config::Config| config.limits = Limits::On(Rates::default());
    let app =
        TestApp::with_store(OffsetClock::stopped(), limits, operator.behind_live(), &plan).await;
    app.test_clock.wait_for_workers().await;
    (app, plan, operator)
}

async fn charge(app: &TestApp) -> TransactionId {
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    TransactionId::new(shop.post("/v1/charge", &body).await.is(202).id())
}

/// Calls back about a transaction, and returns the status of the response.
async fn call_back(app: &TestApp, id: &TransactionId) -> u16 {
    let name = app.running().store.transaction(id).await.unwrap().unwrap().operator.unwrap().name;
    let request = app.http.post(callback_url(app, name.as_str())).body(id.operator_reference());
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn after_a_callback_about_a_failed_payment_the_operator_is_asked_until_it_responds() {
    let refused = |_| Some(Observation::Failed(FailureCode::Unspecified));
    let asked = |time| {
        let succeeded = StatusResponse::known(Observation::Succeeded);
        Some(if time <= 4 { StatusResponse::Unanswered } else { succeeded })
    };
    let (app, _, operator) = app_behind(ScriptedOperator::new().sends(refused).asks(asked)).await;
    let id = charge(&app).await;
    let stored = async || app.running().store.transaction(&id).await.unwrap().unwrap();
    assert!(stored().await.state.is_final());
    assert_eq!(call_back(&app, &id).await, 200);
    for attempt in 1..=3 {
        operator.called("ask", attempt).await;
        if attempt < 3 {
            app.test_clock.wait_for_sleepers(app.test_clock.now_plus(5), 1).await;
            app.advance(5);
        }
    }
    app.advance(60);
    operator.called("ask", 4).await;
    assert_eq!(stored().await.conflict, None);
    app.wait_for_due_work().await;
    app.advance(24 * 3600);
    eventually("the conflict", async || stored().await.conflict.is_some()).await;
    app.wait_for_due_work().await;
    assert_eq!(app.query_number("SELECT count(*) FROM transactions WHERE ask_at IS NOT NULL"), 0);
}

#[tokio::test]
async fn after_a_callback_about_a_final_payment_the_operator_is_asked_once_if_it_responds() {
    let failed = Observation::Failed(FailureCode::Unspecified);
    let scripted = ScriptedOperator::new()
        .sends(move |_| Some(failed))
        .asks(move |_| Some(StatusResponse::known(failed)));
    let (app, _, operator) = app_behind(scripted).await;
    let id = charge(&app).await;
    assert_eq!(call_back(&app, &id).await, 200);
    let planned = || app.query_number("SELECT count(*) FROM transactions WHERE ask_at IS NOT NULL");
    operator.called("ask", 1).await;
    eventually("no other question", async || planned() == 0).await;
    app.advance(3600);
    app.wait_for_due_work().await;
    assert_eq!(operator.count("ask"), 1);
}

#[tokio::test]
async fn a_callback_that_cannot_be_stored_is_not_acknowledged() {
    let (app, plan, operator) = live_app().await;
    let id = charge(&app).await;
    let post = async || call_back(&app, &id).await;
    plan.set(Some(StoreFault {
        method: Some("record_callback"),
        moment: Moment::Before,
        times: 1,
    }));
    let asked = operator.count("ask");
    assert!(post().await >= 500, "it must be repeated");
    assert_eq!(
        (app.running().store.exchanges(&id).await.unwrap().len(), operator.count("ask")),
        (0, asked)
    );
    assert_eq!(post().await, 200);
    operator.called("ask", asked + 1).await;
}

#[tokio::test]
async fn after_a_callback_the_operator_is_asked_within_a_minute_whatever_becomes_of_this_process() {
    let (app, _, _) = live_app().await;
    let id = charge(&app).await;
    let store = app.running().store.clone();
    let now = app.clock.now();
    let planned =
        NextStatusQuery { at: Some(now + SignedDuration::from_hours(1)), is_flagged: false };
    assert!(store.schedule_status_query(&id, 6, planned, now).await.unwrap());
    let request = CallbackRequest {
        method: "POST".to_owned(),
        authority: String::new(),
        path: String::new(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    let record = async |operator: OperatorFingerprint| {
        let exchange = Exchange::of_callback(id.clone(), "mtn", &request, "a\0b".to_owned(), now);
        store.record_callback(ReceivedCallback { exchange, operator, claim: None }).await.unwrap()
    };
    let asked_at = || app.query_number("SELECT ask_at FROM transactions");
    let in_seconds = |seconds| (now + SignedDuration::from_secs(seconds)).as_millisecond();
    assert_eq!(record(OperatorFingerprint::of(&["another"])).await, None);
    assert_eq!((asked_at(), store.exchanges(&id).await.unwrap().len()), (in_seconds(3600), 0));

    let own = store.transaction(&id).await.unwrap().unwrap().operator.unwrap().fingerprint;
    assert!(record(own.clone()).await.is_some());
    assert_eq!((asked_at(), store.exchanges(&id).await.unwrap().len()), (in_seconds(60), 1));
    // A question that is due sooner, or that somebody holds a lease for, stays as it is.
    let sooner =
        NextStatusQuery { at: Some(now + SignedDuration::from_secs(20)), is_flagged: false };
    assert!(store.schedule_status_query(&id, 7, sooner, now).await.unwrap());
    assert!(record(own).await.is_some());
    assert_eq!(asked_at(), in_seconds(20));
}
