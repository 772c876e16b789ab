//! Undecided transactions: queried, never guessed, sent once (docs/reference/lifecycle.md).

use serde_json::json;
use std::sync::Arc;
use tokio::sync::Notify;
use tua_contract::{Step, lifecycle::Observation};
use tua_domain::ports::StatusResponse;
use tua_test_support::{TestApp, scripted_operator::ScriptedOperator};

const PAID: StatusResponse = StatusResponse::known(Observation::Succeeded);

/// The intervals of docs/reference/lifecycle.md, up to the hourly ones.
const GAPS: [u64; 8] = [10, 20, 40, 60, 300, 900, 3600, 3600];

#[tokio::test]
async fn an_ambiguous_send_stays_pending_until_a_query_settles_it() {
    let operator = Arc::new(
        ScriptedOperator::new().sends(|_| Some(Observation::Ambiguous)).asks(|_| Some(PAID)),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let charge = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202);
    assert_eq!(
        (&charge.json()["status"], &charge.json()["nextAction"]),
        (&json!("PENDING"), &json!("WAIT"))
    );
    app.advance(9);
    app.wait_for_due_work().await;
    assert_eq!(shop.status(&charge.id()).await["status"], "PENDING");
    app.advance(1);
    app.wait_for_due_work().await;
    assert_eq!(shop.status(&charge.id()).await["status"], "SUCCESSFUL");
    app.advance(86_400);
    app.wait_for_due_work().await;
    assert_eq!((operator.count("send"), operator.count("ask")), (1, 1));
}

#[tokio::test]
async fn the_operator_is_polled_on_schedule_for_a_day_and_then_the_transaction_is_flagged() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let before = shop.get(&format!("/v1/status/{id}")).await;
    for (asked, gap) in GAPS.into_iter().enumerate() {
        app.advance(gap - 1);
        app.wait_for_due_work().await;
        assert_eq!(operator.count("ask"), asked, "too early, gap {gap}");
        app.advance(1);
        app.wait_for_due_work().await;
        assert_eq!(operator.count("ask"), asked + 1, "too late, gap {gap}");
    }
    let after = shop.get(&format!("/v1/status/{id}")).await;
    assert_eq!(
        (after.text.as_str(), after.header("etag")),
        (before.text.as_str(), before.header("etag"))
    );
    for _ in 0..30 {
        app.advance(3600);
        app.wait_for_due_work().await;
    }
    // Every hour, and a last time at the end of the day.
    assert_eq!(operator.count("ask"), 6 + 23 + 1);
    let flagged =
        "SELECT count(*) FROM transactions WHERE review_at IS NOT NULL AND status = 'PENDING'";
    assert_eq!(app.query_number(flagged), 1);
}

#[tokio::test]
async fn a_transaction_has_one_query_at_a_time_and_a_hanging_query_blocks_no_other() {
    // The first query never returns, the others return at once.
    let unheard = std::sync::atomic::AtomicBool::new(true);
    let operator = ScriptedOperator::new().asks(move |_| {
        if unheard.swap(false, std::sync::atomic::Ordering::SeqCst) { None } else { Some(PAID) }
    });
    let operator = Arc::new(operator);
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let unlucky = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    app.advance(10);
    operator.called("ask", 1).await;
    app.test_clock.wait_for_workers().await;
    let lucky = app.payer(&shop).await.charge("0241234568", "MTN").await.is(202).id();
    app.advance(10);
    shop.until(&lucky, |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(
        (operator.count("ask"), operator.max_concurrent_queries()),
        (2, 2),
        "one question for each"
    );
    assert_eq!(shop.status(&unlucky).await["status"], "PENDING");
    app.test_clock.wait_for_workers().await;
    // The hanging query times out and is repeated.
    app.advance(60);
    shop.until(&unlucky, |status| status["status"] == "SUCCESSFUL").await;
}

#[tokio::test]
async fn a_charge_returns_after_two_seconds_when_the_operator_hangs() {
    let gate = Arc::new(Notify::new());
    let operator = Arc::new(
        ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)).gated(gate.clone()),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let charging = tokio::spawn(async move { payer.charge("0241234567", "MTN").await });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(2), 1).await;
    assert!(!charging.is_finished());
    app.advance(2);
    let charge = charging.await.unwrap().is(202);
    assert_eq!(
        (&charge.json()["status"], &charge.json()["nextAction"]),
        (&json!("PENDING"), &json!("WAIT"))
    );
    gate.notify_one();
    shop.until(&charge.id(), |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(operator.count("send"), 1);
}

#[tokio::test]
async fn a_send_without_a_response_times_out_and_a_query_settles_it() {
    let asks =
        |time| Some(if time < 4 { StatusResponse::known(Observation::StillPending) } else { PAID });
    let operator = Arc::new(ScriptedOperator::new().sends(|_| None).asks(asks));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let charging = tokio::spawn(async move { payer.charge("0241234567", "MTN").await });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;
    app.advance(30);
    let charge = charging.await.unwrap().is(202);
    assert_eq!(
        (&charge.json()["status"], &charge.json()["nextAction"]),
        (&json!("PENDING"), &json!("WAIT"))
    );
    // From now on no call hangs.
    app.wait_for_due_work().await;
    for gap in [20, 40, 60] {
        app.advance(gap);
        app.wait_for_due_work().await;
    }
    shop.until(&charge.id(), |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(operator.count("send"), 1);
}

#[tokio::test]
async fn an_order_that_never_arrived_is_sent_again_with_the_same_reference() {
    let send = |time| {
        Some(if time == 1 {
            Observation::Ambiguous
        } else {
            Observation::Awaits(Step::ApproveOnPhone)
        })
    };
    let ask = |time| {
        Some(if time < 3 {
            StatusResponse::NeverReceived
        } else {
            StatusResponse::known(Observation::StillPending)
        })
    };
    let operator = Arc::new(ScriptedOperator::new().sends(send).asks(ask));
    let next_action = next_action_after_the_schedule(&operator).await;
    assert_eq!((operator.each("send"), operator.each("ask")), (vec![2], vec![GAPS.len()]));
    assert_eq!(next_action, "APPROVE_ON_PHONE");
}

#[tokio::test]
async fn an_operator_without_deduplication_never_gets_a_repeated_order() {
    let mut operator = ScriptedOperator::new()
        .sends(|_| Some(Observation::Ambiguous))
        .asks(|_| Some(StatusResponse::NeverReceived));
    operator.refuses_repeats = false;
    let operator = Arc::new(operator);
    let next_action = next_action_after_the_schedule(&operator).await;
    assert_eq!((operator.each("send"), operator.each("ask")), (vec![1], vec![GAPS.len()]));
    assert_eq!(next_action, "WAIT");
}

/// Creates a charge with this operator, and moves the clock through the whole poll schedule.
async fn next_action_after_the_schedule(operator: &Arc<ScriptedOperator>) -> serde_json::Value {
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    for gap in GAPS {
        app.advance(gap);
        app.wait_for_due_work().await;
    }
    shop.status(&id).await["nextAction"].clone()
}
