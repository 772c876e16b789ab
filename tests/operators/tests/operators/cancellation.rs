//! After the fifth wrong code a charge fails only when the operator can no longer take money
//! (docs/reference/lifecycle.md).

use serde_json::json;
use std::sync::Arc;
use tokio::sync::Notify;
use tua_contract::{Step, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ports::{CancelResponse, Clock, CodeResponse, StatusResponse},
};
use tua_test_support::{
    ApiClient, Response, TestApp, eventually, scripted_operator::ScriptedOperator,
};

const ASKS_VOUCHER: Observation = Observation::Awaits(Step::EnterVoucher);

async fn submit(payer: &ApiClient, id: &str) -> Response {
    payer.post("/v1/submit-otp", &json!({ "transactionId": id, "otp": "000000" })).await
}

/// An operator that waits for a voucher and rejects every one.
fn voucher_operator() -> ScriptedOperator {
    ScriptedOperator::new()
        .sends(|_| Some(ASKS_VOUCHER))
        .asks(|_| Some(StatusResponse::known(ASKS_VOUCHER)))
}

/// A charge after five wrong codes, and the response to the fifth.
async fn exhausted(payer: &ApiClient) -> (String, Response) {
    let charge = payer.charge("0201234567", "TELECEL").await.is(202);
    assert_eq!(charge.json()["nextAction"], "ENTER_VOUCHER");
    for left in [4, 3, 2, 1] {
        let wrong = submit(payer, &charge.id()).await.is(200).json();
        assert_eq!(
            (&wrong["status"], &wrong["codeAttemptsLeft"]),
            (&json!("PENDING"), &json!(left))
        );
    }
    (charge.id(), submit(payer, &charge.id()).await.is(200))
}

#[tokio::test]
async fn the_fifth_wrong_code_cancels_the_order_and_fails_the_charge() {
    let operator = Arc::new(voucher_operator());
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let (id, fifth) = exhausted(&payer).await;
    assert_eq!(
        (&fifth.json()["status"], &fifth.json()["nextAction"]),
        (&json!("FAILED"), &json!("NONE"))
    );
    assert_eq!(fifth.json()["failure"]["code"], "otp_attempts_exhausted");
    submit(&payer, &id).await.is_problem(409, "verification_not_expected");
    assert_eq!((operator.count("code"), operator.count("cancel")), (5, 1));
}

#[tokio::test]
async fn an_order_that_cannot_be_cancelled_stays_pending_without_a_sixth_code() {
    let operator = Arc::new(voucher_operator().cancels(|_| Some(CancelResponse::NotConfirmed)));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let (id, fifth) = exhausted(&payer).await;
    assert_eq!(
        (&fifth.json()["status"], &fifth.json()["nextAction"]),
        (&json!("PENDING"), &json!("WAIT"))
    );
    let before = shop.get(&format!("/v1/status/{id}")).await;
    // The operator still waits for a voucher, which can no longer be submitted, so nothing changes.
    for gap in [10, 20, 40] {
        app.advance(gap);
        app.wait_for_due_work().await;
        submit(&payer, &id).await.is_problem(409, "verification_not_expected");
        payer.charge("0201234567", "TELECEL").await.is_problem(409, "charge_in_progress");
    }
    let after = shop.get(&format!("/v1/status/{id}")).await;
    assert_eq!(
        (after.text.as_str(), after.header("etag")),
        (before.text.as_str(), before.header("etag"))
    );
    assert_eq!(
        (operator.count("code"), operator.count("ask"), operator.count("cancel")),
        (5, 3, 4)
    );
}

#[tokio::test]
async fn a_failed_cancellation_is_retried() {
    let cancels = |time| {
        Some(if time < 3 { CancelResponse::NotConfirmed } else { CancelResponse::Confirmed })
    };
    let operator = Arc::new(voucher_operator().cancels(cancels));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let (id, _) = exhausted(&app.payer(&shop).await).await;
    for (gap, status) in [(10, "PENDING"), (20, "FAILED")] {
        app.advance(gap);
        app.wait_for_due_work().await;
        assert_eq!(shop.status(&id).await["status"], status);
    }
    assert_eq!(shop.status(&id).await["failure"]["code"], "otp_attempts_exhausted");
}

#[tokio::test]
async fn a_charge_that_succeeded_before_the_cancellation_is_successful() {
    let operator = voucher_operator().cancels(|_| Some(CancelResponse::NotConfirmed));
    let operator = Arc::new(operator.asks(|_| Some(StatusResponse::known(Observation::Succeeded))));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let (id, _) = exhausted(&app.payer(&shop).await).await;
    app.advance(10);
    app.wait_for_due_work().await;
    assert_eq!(shop.status(&id).await["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_code_with_an_unknown_result_is_counted_and_can_be_retried() {
    let codes = |time| (time > 1).then_some(CodeResponse::accepted(Observation::Succeeded));
    let asks = |time| {
        Some(if time == 1 {
            StatusResponse::Unanswered
        } else {
            StatusResponse::known(ASKS_VOUCHER)
        })
    };
    let operator = Arc::new(voucher_operator().codes(codes).asks(asks));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    let submitting = tokio::spawn({
        let payer = payer.clone();
        let id = id.clone();
        async move { submit(&payer, &id).await }
    });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;
    app.advance(30);
    let unknown = submitting.await.unwrap().is(200).json();
    assert_eq!((&unknown["status"], &unknown["nextAction"]), (&json!("PENDING"), &json!("WAIT")));
    submit(&payer, &id).await.is_problem(409, "verification_not_expected");
    app.wait_for_due_work().await;
    app.advance(20);
    app.wait_for_due_work().await;
    let asked = payer.status(&id).await;
    assert_eq!(asked["nextAction"], "ENTER_VOUCHER");
    assert_eq!(asked["codeAttemptsLeft"], 4);
    assert_eq!(submit(&payer, &id).await.is(200).json()["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_crash_after_the_fifth_code_does_not_leave_the_order_open() {
    let operator = Arc::new(voucher_operator());
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0201234567", "TELECEL").await.is(202).id();
    // Each code is counted before the call to the operator; the calls were interrupted.
    for _ in 0..5 {
        app.running()
            .store
            .count_code_attempt(&TransactionId::new(&id), None, Vec::new(), app.clock.now())
            .await
            .unwrap();
    }
    assert_eq!(shop.status(&id).await["status"], "PENDING");
    // Until the time of the last code is over, another process may be waiting for its verdict.
    for gap in [10, 20] {
        app.advance(gap);
        app.wait_for_due_work().await;
        assert_eq!(
            (&shop.status(&id).await["status"], operator.count("cancel")),
            (&json!("PENDING"), 0)
        );
    }
    app.advance(40);
    app.wait_for_due_work().await;
    assert_eq!(shop.status(&id).await["failure"]["code"], "otp_attempts_exhausted");
    assert_eq!((operator.count("code"), operator.count("cancel")), (0, 1));
}

#[tokio::test]
async fn a_wrong_fifth_code_ends_the_charge_once_the_time_of_an_earlier_one_is_over() {
    let operator = Arc::new(voucher_operator());
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    for _ in 0..3 {
        submit(&payer, &id).await.is(200);
    }
    // The node that counted the fourth code ended before it had the verdict.
    let store = &app.running().store;
    store
        .count_code_attempt(&TransactionId::new(&id), None, Vec::new(), app.clock.now())
        .await
        .unwrap();
    let fifth = submit_in_background(&operator, &payer, &id, 4).await;
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(60), 1).await;
    assert_eq!(operator.count("cancel"), 0);
    app.advance(60);
    assert_eq!(fifth.await.unwrap().is(200).json()["failure"]["code"], "otp_attempts_exhausted");
}

#[tokio::test]
async fn a_wrong_fifth_code_does_not_end_a_charge_whose_fourth_was_accepted_without_an_outcome() {
    let gate = Arc::new(Notify::new());
    let codes = |time| {
        Some(if time == 4 {
            CodeResponse::accepted(Observation::StillPending)
        } else {
            CodeResponse::Wrong
        })
    };
    let operator = Arc::new(voucher_operator().codes(codes).gated_code(4, gate.clone()));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    for _ in 0..3 {
        submit(&payer, &id).await.is(200);
    }
    let fourth = submit_in_background(&operator, &payer, &id, 4).await;
    let fifth = submit_in_background(&operator, &payer, &id, 5).await;
    gate.notify_one();
    for answer in [fourth, fifth] {
        let answer = answer.await.unwrap().is(200).json();
        assert_eq!((&answer["status"], &answer["nextAction"]), (&json!("PENDING"), &json!("WAIT")));
    }
    assert_eq!(operator.count("cancel"), 0);
}

/// Submits a code in a task of its own, and waits until the operator has it.
async fn submit_in_background(
    operator: &ScriptedOperator,
    payer: &ApiClient,
    id: &str,
    number: usize,
) -> tokio::task::JoinHandle<Response> {
    let payer = payer.clone();
    let id = id.to_owned();
    let submitting = tokio::spawn(async move { submit(&payer, &id).await });
    operator.called("code", number).await;
    submitting
}

#[tokio::test]
async fn a_status_query_does_not_end_a_charge_whose_right_fifth_code_is_on_its_way() {
    let gate = Arc::new(Notify::new());
    let codes = |time| {
        Some(if time == 5 {
            CodeResponse::accepted(Observation::Succeeded)
        } else {
            CodeResponse::Wrong
        })
    };
    let operator = Arc::new(voucher_operator().codes(codes).gated_code(5, gate.clone()));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    for _ in 0..4 {
        submit(&payer, &id).await.is(200);
    }
    let fifth = submit_in_background(&operator, &payer, &id, 5).await;
    app.advance(10);
    eventually("the operator is asked", async || {
        app.query_number("SELECT asks FROM transactions") == 1
    })
    .await;
    assert_eq!((operator.count("ask"), operator.count("cancel")), (1, 0));
    gate.notify_one();
    assert_eq!(fifth.await.unwrap().is(200).json()["status"], "SUCCESSFUL");
    assert_eq!(operator.count("cancel"), 0);
}

#[tokio::test]
async fn a_fifth_code_without_a_verdict_ends_the_charge_only_after_the_operator_was_asked() {
    let codes = |time| (time < 5).then_some(CodeResponse::Wrong);
    let operator = Arc::new(voucher_operator().codes(codes));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    for _ in 0..4 {
        submit(&payer, &id).await.is(200);
    }
    let fifth = submit_in_background(&operator, &payer, &id, 5).await;
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;
    app.advance(30);
    let answer = fifth.await.unwrap().is(200).json();
    // The worker's question is due at the same moment, and may end the charge before the answer is
    // written.
    let is_ended =
        answer["failure"]["code"] == "otp_attempts_exhausted" && operator.count("ask") > 0;
    assert!(answer["nextAction"] == "WAIT" || is_ended, "{answer}");
    app.wait_for_due_work().await;
    app.advance(20);
    app.wait_for_due_work().await;
    assert_eq!(shop.status(&id).await["failure"]["code"], "otp_attempts_exhausted");
    assert!(operator.count("ask") > 0);
}

#[tokio::test]
async fn a_wrong_fifth_code_does_not_end_a_charge_whose_right_fourth_code_is_on_its_way() {
    let gate = Arc::new(Notify::new());
    let codes = |time| {
        Some(if time == 4 {
            CodeResponse::accepted(Observation::Succeeded)
        } else {
            CodeResponse::Wrong
        })
    };
    let operator = Arc::new(voucher_operator().codes(codes).gated_code(4, gate.clone()));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let id = payer.charge("0201234567", "TELECEL").await.is(202).id();
    for _ in 0..3 {
        submit(&payer, &id).await.is(200);
    }
    let fourth = submit_in_background(&operator, &payer, &id, 4).await;
    let fifth = submit_in_background(&operator, &payer, &id, 5).await;
    gate.notify_one();
    for answer in [fourth, fifth] {
        assert_eq!(answer.await.unwrap().is(200).json()["status"], "SUCCESSFUL");
    }
    assert_eq!(operator.count("cancel"), 0);
}
