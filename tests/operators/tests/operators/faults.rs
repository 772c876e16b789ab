//! Operators that fail: nothing is lost, executed twice, or guessed.

use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tua_contract::{FailureCode, Step, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ports::{CancelResponse, CodeResponse, StatusResponse},
    routing::Operators,
};
use tua_test_support::{
    TestApp, consistency,
    fake_operator::{CORRECT_CODE, FailureMode, FakeOperator, OrderOutcome},
    scripted_operator::ScriptedOperator,
};

async fn service(fake: &Arc<FakeOperator>) -> TestApp {
    let operator = fake.clone();
    TestApp::with_stopped_clock(|operators: Operators| operators.with_test(operator)).await
}

async fn reference(app: &TestApp, id: &str) -> String {
    let store = &app.running().store;
    store.transaction(&TransactionId::new(id)).await.unwrap().unwrap().order.id.operator_reference()
}

#[tokio::test]
async fn a_failed_send_is_verified_and_executed_once() {
    for mode in [FailureMode::RequestLost, FailureMode::ResponseLost, FailureMode::Panic] {
        let fake = Arc::new(FakeOperator::default());
        let app = service(&fake).await;
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
        if mode == FailureMode::RequestLost {
            assert_eq!(fake.orders().len(), 1, "queried, never received, and sent");
        }
        assert_eq!(shop.status(&charge.id()).await["nextAction"], "ENTER_OTP", "{mode:?}");
        consistency::assert_consistent(&app, &fake).await;
    }
}

#[tokio::test]
async fn a_code_with_a_failed_response_stays_pending_and_is_not_wrong() {
    for mode in [FailureMode::RequestLost, FailureMode::ResponseLost, FailureMode::Panic] {
        let fake = Arc::new(FakeOperator::default());
        let app = service(&fake).await;
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
async fn an_operator_that_always_panics_is_polled_on_schedule_and_flagged_after_a_day() {
    let fake = Arc::new(FakeOperator::default());
    let app = service(&fake).await;
    let shop = app.shop().await;
    fake.set_failure(FailureMode::Panic);
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    for _ in 0..40 {
        app.advance(3600);
        app.wait_for_due_work().await;
    }
    assert_eq!(shop.status(&id).await["status"], "PENDING");
    let flagged =
        "SELECT count(*) FROM transactions WHERE review_at IS NOT NULL AND status = 'PENDING'";
    assert_eq!(app.query_number(flagged), 1);
}

#[tokio::test]
async fn a_fifth_wrong_code_stays_pending_until_the_cancellation_is_confirmed() {
    for cancelled in [Some(CancelResponse::NotConfirmed), None] {
        let operator = Arc::new(
            ScriptedOperator::new()
                .sends(|_| Some(Observation::Awaits(Step::EnterOtp)))
                .codes(|_| Some(CodeResponse::Wrong))
                .cancels(move |_| match cancelled {
                    Some(word) => Some(word),
                    None => panic!("the connector met what it did not expect"),
                }),
        );
        let app = TestApp::with_stopped_clock(operator.behind_test()).await;
        let shop = app.shop().await;
        let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
        for _ in 0..5 {
            shop.post("/v1/submit-otp", &json!({ "transactionId": id, "otp": "9999" }))
                .await
                .is(200);
        }
        let now = shop.status(&id).await;
        assert_eq!(
            (&now["status"], &now["nextAction"]),
            (&json!("PENDING"), &json!("WAIT")),
            "{cancelled:?}"
        );
        let more =
            shop.post("/v1/submit-otp", &json!({ "transactionId": id, "otp": "9999" })).await;
        more.is_problem(409, "verification_not_expected");
        assert_eq!((operator.count("code"), operator.count("cancel")), (5, 1));
    }
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
            let operator = ScriptedOperator::new()
                .sends(move |_| Some(first))
                .asks(move |_| Some(StatusResponse::known(late)));
            let app = TestApp::with_stopped_clock(Arc::new(operator).behind_test()).await;
            let shop = app.shop().await;
            let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
            let before = shop.get(&format!("/v1/status/{id}")).await;
            app.running().status_queries.refresh_by_reference(&reference(&app, &id).await).await;
            let after = shop.get(&format!("/v1/status/{id}")).await;
            assert_eq!(
                (&after.text, after.header("etag")),
                (&before.text, before.header("etag")),
                "{first:?}, {late:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_callback_with_an_unknown_reference_is_ignored() {
    let fake = Arc::new(FakeOperator::default());
    let app = service(&fake).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
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
    let app = service(&fake).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let reference = reference(&app, &id).await;
    fake.decide(&reference, OrderOutcome::Paid);
    let hints: Vec<_> = (0..1000)
        .map(|_| {
            let status_queries = app.running().status_queries.clone();
            let reference = reference.clone();
            tokio::spawn(async move { status_queries.refresh_by_reference(&reference).await })
        })
        .collect();
    for hint in hints {
        hint.await.unwrap();
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
async fn responses_out_of_order_end_in_the_final_status() {
    // The first query returns last, with an older status.
    let stale = Arc::new(AtomicBool::new(true));
    let answers = stale.clone();
    let operator = Arc::new(
        ScriptedOperator::new().sends(|_| Some(Observation::Awaits(Step::EnterOtp))).asks(
            move |_| {
                let word = if answers.load(Ordering::SeqCst) {
                    Observation::Succeeded
                } else {
                    Observation::Awaits(Step::EnterOtp)
                };
                Some(StatusResponse::known(word))
            },
        ),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let reference = reference(&app, &id).await;
    for first in [true, false, true, false] {
        stale.store(first, Ordering::SeqCst);
        app.running().status_queries.refresh_by_reference(&reference).await;
        let now = shop.status(&id).await;
        assert_eq!((&now["status"], &now["conflict"]), (&json!("SUCCESSFUL"), &json!(null)));
    }
}
