//! When an order may be sent again, and when never (docs/reference/lifecycle.md, Sending again).

use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::sync::Notify;
use tua_contract::{FailureCode, Step, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ports::{SendResponse, StatusResponse},
    review::{DecisionNote, ReviewVerdict},
};
use tua_test_support::{scripted_operator::ScriptedOperator, world::World};

pub(super) const AMBIGUOUS: Option<Observation> = Some(Observation::Ambiguous);
pub(super) const NEVER: Option<StatusResponse> = Some(StatusResponse::NeverReceived);

/// `status`, `nextAction` and `failure.code`.
pub(super) async fn payment_status(world: &World, id: &str) -> (String, String, Value) {
    let status = world.shop.status(id).await;
    let text = |field: &str| status[field].as_str().unwrap().to_owned();
    (text("status"), text("nextAction"), status["failure"]["code"].clone())
}

pub(super) async fn is_waiting(world: &World, id: &str) -> bool {
    payment_status(world, id).await == ("PENDING".to_owned(), "WAIT".to_owned(), Value::Null)
}

#[tokio::test]
async fn an_acknowledged_order_is_never_sent_again() {
    for acknowledgement in [
        Observation::StillPending,
        Observation::Awaits(Step::Wait),
        Observation::Awaits(Step::ApproveOnPhone),
    ] {
        let world = World::new(
            ScriptedOperator::new().sends(move |_| Some(acknowledgement)).asks(|_| NEVER),
        )
        .await;
        let charge =
            world.app.payer(&world.shop).await.charge("0241234567", "MTN").await.is(202).id();
        let payout = world.begin("/v1/payout").await;
        world.wait([10, 20, 40, 60, 300, 900, 3600]).await;
        assert_eq!(world.operator.each("send"), [1, 1], "{acknowledgement:?}");
        assert!(is_waiting(&world, &charge).await && is_waiting(&world, &payout).await);
        world.wait([86_400, 86_400]).await;
        assert_eq!(world.operator.each("send"), [1, 1]);
        assert_eq!(world.app.running().store.flagged(None).await.unwrap().len(), 2);
    }
}

#[tokio::test]
async fn an_order_that_was_acknowledged_only_by_a_status_is_never_sent_again() {
    let asks = |time| {
        if time == 1 { Some(StatusResponse::known(Observation::StillPending)) } else { NEVER }
    };
    let world = World::new(ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(asks)).await;
    let payout = world.begin("/v1/payout").await;
    world.wait([10, 20, 40, 60, 300]).await;
    assert_eq!((world.operator.count("send"), world.operator.count("ask")), (1, 5));
    assert!(is_waiting(&world, &payout).await);
}

#[tokio::test]
async fn a_stale_callback_about_a_reviewed_payout_sends_nothing() {
    let world = World::new(
        ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(|_| Some(StatusResponse::Unanswered)),
    )
    .await;
    let first = TransactionId::new(world.begin("/v1/payout").await);
    world.wait([86_400, 86_400]).await;
    let store = world.app.running().store.clone();
    let verdict = ReviewVerdict::Failed(FailureCode::Unspecified);
    let note = "not in the operator's statement".parse::<DecisionNote>().unwrap();
    store.review(&first, verdict, note, &world.app.audit()).await.unwrap();
    let operator = Arc::new(ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(|_| NEVER));
    let mut app = world.app;
    app.restart_with(operator.behind_test()).await;
    app.test_clock.wait_for_workers().await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let second = TransactionId::new(world.shop.post("/v1/payout", &body).await.is(202).id());
    assert_eq!(operator.count("send"), 1);
    for id in [&first, &first, &second] {
        app.running().status_queries.refresh(id).await;
    }
    assert_eq!((operator.count("send"), operator.count("ask")), (1, 3), "a callback only asks");
    let status = world.shop.status(first.as_str()).await;
    assert_eq!((&status["status"], &status["conflict"]), (&json!("FAILED"), &Value::Null));
    app.advance(10);
    operator.called("ask", 4).await;
    app.wait_for_due_work().await;
    app.advance(20);
    operator.called("send", 2).await;
    assert_eq!(operator.each("send"), [2], "the worker sends the new payout again, and no other");
}

/// The first send hangs for 20 s. The question after 10 s is answered "never received".
#[tokio::test]
async fn nothing_is_sent_again_while_the_first_send_is_under_way() {
    for late in [Observation::Succeeded, Observation::Failed(FailureCode::MerchantFloatLow)] {
        let gate = Arc::new(Notify::new());
        let operator = ScriptedOperator::new()
            .sends(move |_| Some(late))
            .first_gated(gate.clone())
            .asks(|_| NEVER);
        let world = World::new(operator).await;
        let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
        let shop = world.shop.clone();
        let paying = tokio::spawn(async move { shop.post("/v1/payout", &body).await.is(202).id() });
        world.app.test_clock.wait_for_sleepers(world.app.test_clock.now_plus(2), 1).await;
        world.app.advance(2);
        let id = paying.await.unwrap();
        world.app.test_clock.wait_for_workers().await;
        world.app.advance(8);
        world.operator.called("ask", 1).await;
        world.app.test_clock.wait_for_workers().await;
        world.app.advance(10);
        gate.notify_one();
        world.shop.until(&id, |status| status["status"] != "PENDING").await;
        world.wait([20, 40, 60]).await;
        assert_eq!(world.operator.count("send"), 1, "{late:?}");
    }
}

#[tokio::test]
async fn a_duplicate_refusal_is_answered_by_reading_the_status_and_never_fails() {
    for status in [
        StatusResponse::known(Observation::StillPending),
        StatusResponse::NeverReceived,
        StatusResponse::Unanswered,
    ] {
        let scripted = status.clone();
        let operator = ScriptedOperator::new()
            .responds(|time| {
                Some(if time == 1 {
                    Observation::Ambiguous.into()
                } else {
                    SendResponse::Duplicate
                })
            })
            .asks(move |time| match time {
                1 | 2 => NEVER,
                3 => Some(scripted.clone()),
                _ => Some(StatusResponse::known(Observation::Succeeded)),
            });
        let world = World::new(operator).await;
        let id = world.begin("/v1/payout").await;
        world.wait([10, 20]).await;
        assert_eq!(
            (world.operator.count("send"), world.operator.count("ask")),
            (2, 3),
            "{status:?}"
        );
        assert!(is_waiting(&world, &id).await, "{status:?}");
        world.wait([40]).await;
        assert_eq!(
            (payment_status(&world, &id).await.0.as_str(), world.operator.count("send")),
            ("SUCCESSFUL", 2)
        );
    }
}

#[tokio::test]
async fn an_order_that_never_arrived_is_sent_again_for_ten_minutes_only() {
    let world = World::new(ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(|_| NEVER)).await;
    let payout = world.begin("/v1/payout").await;
    // After 30, 70, 130 and 430 seconds; the question after 10 seconds is too early, that after
    // 1330 seconds too late.
    world.wait([10]).await;
    assert_eq!(world.operator.count("send"), 1);
    world.wait([20, 40, 60, 300]).await;
    assert_eq!(world.operator.count("send"), 5);
    world.wait([900, 3600, 86_400, 86_400]).await;
    assert_eq!(world.operator.count("send"), 5);
    assert!(is_waiting(&world, &payout).await, "unknown is not failed");
    assert_eq!(world.app.running().store.flagged(None).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_charge_is_not_sent_again_after_its_session_expired() {
    let world = World::new(ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(|_| NEVER)).await;
    let payer = world.app.payer(&world.shop).await;
    world.wait([1795]).await;
    let charge = payer.charge("0241234567", "MTN").await.is(202).id();
    world.wait([10, 20, 40]).await;
    assert_eq!((world.operator.count("send"), world.operator.count("ask")), (1, 3));
    assert!(is_waiting(&world, &charge).await);
}

#[tokio::test]
async fn a_day_old_order_that_never_arrived_is_not_sent_and_fails_only_as_documented() {
    for (documented, expected) in [(None, "PENDING"), (Some(Duration::from_secs(900)), "FAILED")] {
        for refuses_repeats in [true, false] {
            let hears = Arc::new(AtomicBool::new(false));
            let answers = hears.clone();
            let asks = move |_| {
                if answers.load(Ordering::SeqCst) {
                    NEVER
                } else {
                    Some(StatusResponse::Unanswered)
                }
            };
            let mut operator = ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(asks);
            operator.never_received_is_final_after = documented;
            operator.refuses_repeats = refuses_repeats;
            let world = World::new(operator).await;
            let id = world.begin("/v1/payout").await;
            world.wait([3600; 23]).await;
            hears.store(true, Ordering::SeqCst);
            world.wait([3600, 3600]).await;
            let (status, _, code) = payment_status(&world, &id).await;
            assert_eq!(status, expected, "{documented:?}");
            assert_eq!(code, if expected == "FAILED" { json!("not_sent") } else { Value::Null });
            assert_eq!(world.operator.count("send"), 1);
        }
    }
}

#[tokio::test]
async fn never_received_is_final_only_after_the_documented_time_since_the_last_send() {
    let mut operator = ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(|_| NEVER);
    operator.never_received_is_final_after = Some(Duration::from_secs(900));
    let world = World::new(operator).await;
    let id = world.begin("/v1/payout").await;
    // The last send begins after 430 seconds and ends after 460 at the latest, so 1360 seconds must
    // pass.
    world.wait([10, 20, 40, 60, 300, 900]).await;
    assert!(is_waiting(&world, &id).await, "1330 seconds");
    world.wait([3600]).await;
    assert_eq!(
        payment_status(&world, &id).await,
        ("FAILED".to_owned(), "NONE".to_owned(), json!("not_sent"))
    );
    assert_eq!(world.operator.count("send"), 5);
}

#[tokio::test]
async fn an_order_of_which_no_byte_was_written_is_handed_over_later() {
    let responds = |time| {
        Some(if time < 3 { SendResponse::NotSent } else { Observation::StillPending.into() })
    };
    let world = World::new(ScriptedOperator::new().responds(responds)).await;
    let payout = world.begin("/v1/payout").await;
    assert!(is_waiting(&world, &payout).await);
    assert_eq!(
        world.app.query_number("SELECT count(*) FROM transactions WHERE handed_over_at IS NULL"),
        1
    );
    world.wait([9]).await;
    assert_eq!((world.operator.count("send"), world.operator.count("ask")), (1, 0));
    world.wait([1, 10, 10]).await;
    assert_eq!(world.operator.count("send"), 3);
    assert_eq!(
        world
            .app
            .query_number("SELECT count(*) FROM transactions WHERE handed_over_at IS NOT NULL"),
        1
    );
    let refused =
        World::new(ScriptedOperator::new().responds(|_| Some(SendResponse::NotSent))).await;
    let charge =
        refused.app.payer(&refused.shop).await.charge("0241234567", "MTN").await.is(202).id();
    refused.wait([300; 6]).await;
    assert_eq!(
        payment_status(&refused, &charge).await,
        ("FAILED".to_owned(), "NONE".to_owned(), json!("not_sent"))
    );
    assert_eq!(refused.operator.count("ask"), 0);
}

/// Between the commit and the call the machine sleeps for a minute.
#[tokio::test]
async fn a_permit_that_expired_sends_nothing() {
    let world = World::new(ScriptedOperator::new()).await;
    let gateway = world.app.running().gateway.clone();
    let permit = gateway.permit();
    assert!(permit.is_valid());
    world.app.advance(30);
    assert!(!permit.is_valid() && permit.remaining().is_zero());
    let id = TransactionId::new(world.begin("/v1/payout").await);
    let transaction = world.app.running().store.transaction(&id).await.unwrap().unwrap();
    assert!(gateway.send(&transaction, &permit, None).await.is_none());
    assert_eq!(world.operator.count("send"), 1);
}

#[tokio::test]
async fn a_flagged_transaction_ends_with_a_late_final_status() {
    let asks = |time| {
        Some(StatusResponse::known(if time < 40 {
            Observation::StillPending
        } else {
            Observation::Succeeded
        }))
    };
    let world = World::new(ScriptedOperator::new().asks(asks)).await;
    let payer = world.app.payer(&world.shop).await;
    let id = payer.charge("0241234567", "MTN").await.is(202).id();
    let store = world.app.running().store.clone();
    world.wait([86_400]).await;
    assert_eq!(store.flagged(None).await.unwrap().len(), 1);
    for day in 2..60 {
        world.wait([86_400]).await;
        if world.operator.count("ask") >= 40 {
            assert_eq!(world.shop.status(&id).await["status"], "SUCCESSFUL", "day {day}");
            assert!(store.flagged(None).await.unwrap().is_empty(), "the flag is lifted");
            return;
        }
        assert_eq!(store.flagged(None).await.unwrap().len(), 1);
    }
    panic!("not asked once a day");
}

#[tokio::test]
async fn a_flagged_transaction_is_asked_about_for_90_days() {
    let world = World::new(ScriptedOperator::new()).await;
    world.begin("/v1/payout").await;
    world.wait([86_400]).await;
    let asked = world.operator.count("ask");
    world.wait([86_400; 95]).await;
    assert_eq!(world.operator.count("ask"), asked + 90);
    assert_eq!(world.app.running().store.flagged(None).await.unwrap().len(), 1);
}
