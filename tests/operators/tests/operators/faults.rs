//! Operators that fail: nothing is lost, executed twice, or guessed.

use serde_json::json;
use std::sync::Arc;
use tokio::sync::Notify;
use tua_contract::{FailureCode, Step, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ports::{CodeResponse, StatusResponse},
    routing::Operators,
};
use tua_test_support::{
    TestApp, consistency,
    fake_operator::{CORRECT_CODE, FailureMode, FakeOperator, OrderOutcome},
    scripted_operator::ScriptedOperator,
};

async fn app_with(fake: &Arc<FakeOperator>) -> TestApp {
    let operator = fake.clone();
    TestApp::with_stopped_clock(|operators: Operators| operators.with_test(operator)).await
}

async fn operator_reference(app: &TestApp, id: &str) -> String {
    let store = &app.running().store;
    store.transaction(&TransactionId::new(id)).await.unwrap().unwrap().order.id.operator_reference()
}

#[tokio::test]
async fn after_a_failed_send_the_operator_is_queried_and_the_order_is_executed_once() {
    for mode in [FailureMode::RequestLost, FailureMode::ResponseLost, FailureMode::Panic] {
        let fake = Arc::new(FakeOperator::default());
        let app = app_with(&fake).await;
        let shop = app.shop().await;
        fake.set_failure(mode);
        let payer = app.payer(&shop).await;
        let charge = payer.charge("0241234567", "MTN").await.is(202);
        assert_eq!(
            (&charge.json()["status"], &charge.json()["nextAction"]),
            (&json!("PENDING"), &json!("WAIT"))
        );
        payer.charge("0241234567", "MTN").await.is_problem(409, "charge_in_progress");
        fake.set_failure(FailureMode::Normal);
        for seconds in [10, 20] {
            app.advance(seconds);
            app.wait_for_due_work().await;
        }
        let executed: Vec<usize> = fake.orders().values().map(|order| order.executed).collect();
        assert_eq!(executed, [1], "{mode:?}");
        assert_eq!(shop.status(&charge.id()).await["nextAction"], "ENTER_OTP", "{mode:?}");
        consistency::assert_consistent(&app, &fake).await;
    }
}

#[tokio::test]
async fn a_code_without_a_response_leaves_the_charge_pending_and_is_not_judged_wrong() {
    for mode in [FailureMode::RequestLost, FailureMode::ResponseLost, FailureMode::Panic] {
        let fake = Arc::new(FakeOperator::default());
        let app = app_with(&fake).await;
        let shop = app.shop().await;
        let id = app.payer(&shop).await.charge("0201234567", "TELECEL").await.is(202).id();
        fake.set_failure(mode);
        let body = json!({ "transactionId": id, "otp": CORRECT_CODE });
        let answer = shop.post("/v1/submit-otp", &body).await.is(200).json();
        assert_eq!(
            (&answer["status"], &answer["nextAction"]),
            (&json!("PENDING"), &json!("WAIT")),
            "{mode:?}"
        );
        fake.set_failure(FailureMode::Normal);
        app.advance(10);
        app.wait_for_due_work().await;
        let now = shop.status(&id).await;
        match mode {
            FailureMode::RequestLost => assert_eq!(now["nextAction"], "ENTER_OTP"),
            _ => assert_eq!(now["status"], "SUCCESSFUL", "{mode:?}"),
        }
        consistency::assert_consistent(&app, &fake).await;
    }
}

#[tokio::test]
async fn a_connector_that_always_panics_is_queried_on_schedule_and_flagged_after_a_day() {
    let operator = Arc::new(
        ScriptedOperator::new()
            .sends(|_| panic!("planned panic of a send"))
            .asks(|_| panic!("planned panic of a query")),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let flagged =
        "SELECT count(*) FROM transactions WHERE review_at IS NOT NULL AND status = 'PENDING'";
    for hour in 1..=40 {
        app.advance(3600);
        app.wait_for_due_work().await;
        // Every hour for a day, then once a day.
        assert_eq!(operator.count("ask"), hour.min(24), "{hour} hours");
        assert_eq!(app.query_number(flagged), i64::from(hour >= 24), "{hour} hours");
    }
    assert_eq!(shop.status(&id).await["status"], "PENDING");
    assert_eq!(operator.count("send"), 1);
}

#[tokio::test]
async fn after_a_fifth_wrong_code_a_cancellation_that_panics_leaves_the_charge_pending() {
    let operator = Arc::new(
        ScriptedOperator::new()
            .sends(|_| Some(Observation::Awaits(Step::EnterOtp)))
            .codes(|_| Some(CodeResponse::Wrong))
            .cancels(|_| panic!("planned panic of a cancellation")),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let wrong = json!({ "transactionId": id, "otp": "9999" });
    for _ in 0..5 {
        shop.post("/v1/submit-otp", &wrong).await.is(200);
    }
    let now = shop.status(&id).await;
    assert_eq!((&now["status"], &now["nextAction"]), (&json!("PENDING"), &json!("WAIT")));
    shop.post("/v1/submit-otp", &wrong).await.is_problem(409, "verification_not_expected");
    assert_eq!((operator.count("code"), operator.count("cancel")), (5, 1));
}

#[tokio::test]
async fn operator_responses_after_the_final_status_change_nothing() {
    const LATE: [Observation; 4] = [
        Observation::Awaits(Step::EnterOtp),
        Observation::Awaits(Step::ApproveOnPhone),
        Observation::StillPending,
        Observation::Ambiguous,
    ];
    for first in [Observation::Succeeded, Observation::Failed(FailureCode::CustomerRejected)] {
        for late in LATE.into_iter().chain([first]) {
            let operator = Arc::new(
                ScriptedOperator::new()
                    .sends(move |_| Some(first))
                    .asks(move |_| Some(StatusResponse::known(late))),
            );
            let app = TestApp::with_stopped_clock(operator.behind_test()).await;
            let shop = app.shop().await;
            let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
            let before = shop.get(&format!("/v1/status/{id}")).await;
            app.running()
                .status_queries
                .refresh_by_reference(&operator_reference(&app, &id).await)
                .await;
            let after = shop.get(&format!("/v1/status/{id}")).await;
            assert_eq!(
                (&after.text, after.header("etag")),
                (&before.text, before.header("etag")),
                "{first:?}, {late:?}"
            );
            assert_eq!(operator.count("ask"), 1, "{first:?}, {late:?}");
        }
    }
}

#[tokio::test]
async fn a_callback_with_an_unknown_reference_is_ignored() {
    let fake = Arc::new(FakeOperator::default());
    let app = app_with(&fake).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    // A query would find it paid.
    fake.decide(&operator_reference(&app, &id).await, OrderOutcome::Paid);
    for unknown in
        ["", "' OR 1=1 --", "00000000-0000-4000-8000-000000000000", &id, "\0", &"x".repeat(100_000)]
    {
        app.running().status_queries.refresh_by_reference(unknown).await;
    }
    assert_eq!(shop.status(&id).await["nextAction"], "ENTER_OTP");
    consistency::assert_consistent(&app, &fake).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_callbacks_at_once_settle_a_transaction_once() {
    let fake = Arc::new(FakeOperator::default());
    let app = app_with(&fake).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let reference = operator_reference(&app, &id).await;
    fake.decide(&reference, OrderOutcome::Paid);
    let queries: Vec<_> = (0..1000)
        .map(|_| {
            let status_queries = app.running().status_queries.clone();
            let reference = reference.clone();
            tokio::spawn(async move { status_queries.refresh_by_reference(&reference).await })
        })
        .collect();
    for query in queries {
        query.await.unwrap();
    }
    let seen = shop.get(&format!("/v1/status/{id}")).await;
    assert_eq!(
        (&seen.json()["status"], &seen.json()["conflict"]),
        (&json!("SUCCESSFUL"), &json!(null))
    );
    assert_eq!(seen.header("etag"), "\"3\"", "created, waiting for a code, paid");
    consistency::assert_consistent(&app, &fake).await;
}

#[tokio::test]
async fn an_older_status_that_arrives_after_the_final_one_changes_nothing() {
    let first_query_ends = Arc::new(Notify::new());
    let observed = |number| match number {
        1 => Observation::Awaits(Step::EnterOtp),
        _ => Observation::Succeeded,
    };
    let operator = Arc::new(
        ScriptedOperator::new()
            .sends(|_| Some(Observation::Awaits(Step::EnterOtp)))
            .asks(move |number| Some(StatusResponse::known(observed(number))))
            .gated_query(1, first_query_ends.clone()),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let reference = operator_reference(&app, &id).await;
    let query = || {
        let status_queries = app.running().status_queries.clone();
        let reference = reference.clone();
        async move { status_queries.refresh_by_reference(&reference).await }
    };
    let first_query = tokio::spawn(query());
    operator.called("ask", 1).await;
    query().await;
    let paid = shop.get(&format!("/v1/status/{id}")).await;
    assert_eq!(paid.json()["status"], "SUCCESSFUL");
    first_query_ends.notify_one();
    first_query.await.unwrap();
    let after = shop.get(&format!("/v1/status/{id}")).await;
    assert_eq!((&after.text, after.header("etag")), (&paid.text, paid.header("etag")));
}
