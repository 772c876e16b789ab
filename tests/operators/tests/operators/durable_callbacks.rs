//! What a callback says is on disk before it is acknowledged
//! (docs/reference/operators.md#callbacks).

use jiff::SignedDuration;
use serde_json::json;
use std::sync::Arc;
use tua_domain::{
    Generation, Mode, TransactionId,
    exchange::Exchange,
    ports::{CallbackRequest, Clock, NextStatusQuery, ReceivedCallback},
    routing::OperatorFingerprint,
};
use tua_emulator::{Call, Fault, Operator};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp,
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

/// A service whose live payments of MTN go to a scripted operator, and a plan for its store.
async fn live_app() -> (TestApp, Plan, Arc<ScriptedOperator>) {
    let plan = Plan::default();
    let operator = Arc::new(ScriptedOperator::new());
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

#[tokio::test]
async fn a_callback_that_cannot_be_stored_is_not_acknowledged() {
    let (app, plan, operator) = live_app().await;
    let id = charge(&app).await;
    let name = app.running().store.transaction(&id).await.unwrap().unwrap().operator.unwrap().name;
    let post = async || {
        let request =
            app.http.post(callback_url(&app, name.as_str())).body(id.operator_reference());
        request.send().await.unwrap().status().as_u16()
    };
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
