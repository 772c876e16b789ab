//! Wall clocks that are wrong, or are set while the service runs: they neither repeat an order nor
//! end a payment (docs/reference/lifecycle.md, Clocks).

use jiff::SignedDuration;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tua_contract::lifecycle::Observation;
use tua_domain::ports::{SendResponse, StatusResponse};
use tua_service::start_with;
use tua_system::clock::OffsetClock;
use tua_test_support::{
    eventually,
    idempotency::{PAYMENT, assert_first, assert_replay, count, send_with_key},
    payout_controls::Merchant,
    scripted_operator::ScriptedOperator,
    test_clock::TestClock,
    test_database,
    world::World,
};

const AMBIGUOUS: Option<Observation> = Some(Observation::Ambiguous);
const NEVER: Option<StatusResponse> = Some(StatusResponse::NeverReceived);
const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// The transaction's `status` and `failure.code`; `null` without a failure.
async fn outcome(world: &World, id: &str) -> (String, Value) {
    let status = world.shop.status(id).await;
    (status["status"].as_str().unwrap().to_owned(), status["failure"]["code"].clone())
}

async fn is_pending(world: &World, id: &str) -> bool {
    outcome(world, id).await == ("PENDING".to_owned(), Value::Null)
}

/// Its "never received" is final after 15 minutes.
fn never_received() -> ScriptedOperator {
    let mut operator = ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(|_| NEVER);
    operator.never_received_is_final_after = Some(Duration::from_secs(900));
    operator
}

#[tokio::test]
async fn a_step_forward_does_not_make_never_received_final() {
    let world = World::new(never_received()).await;
    let id = world.begin("/v1/payout").await;
    world.wait([10]).await;
    world.app.step_clock(2 * HOUR);
    world.wait([20, 40, 60, 300]).await;
    assert!(world.operator.count("ask") > 1 && is_pending(&world, &id).await);
    assert_eq!(world.operator.count("send"), 1, "by the wall clock it is too old to be sent again");
    // 930 seconds after the hand-over by the uptime, whenever the next question is due.
    world.wait([3600]).await;
    assert_eq!(outcome(&world, &id).await, ("FAILED".to_owned(), json!("not_sent")));
}

#[tokio::test]
async fn after_a_restart_the_time_of_never_received_begins_anew() {
    let mut world = World::new(never_received()).await;
    let id = world.begin("/v1/payout").await;
    world.wait([10]).await;
    let behind = world.operator.behind_test();
    world.app.restart_with(behind).await;
    world.app.step_clock(DAY / 2);
    world.wait([1, 900]).await;
    assert!(world.operator.count("ask") > 1 && is_pending(&world, &id).await);
    world.wait([3600, 3600]).await;
    assert_eq!(outcome(&world, &id).await, ("FAILED".to_owned(), json!("not_sent")));
}

#[tokio::test]
async fn after_a_step_back_an_old_order_is_not_sent_again() {
    let world = World::new(never_received()).await;
    let id = world.begin("/v1/payout").await;
    world.wait([10, 20]).await;
    assert_eq!(world.operator.count("send"), 2);
    world.app.step_clock(-DAY);
    // A minute later, everything is due that is scheduled later than any schedule.
    world.wait([700, 60, 60]).await;
    assert!(world.operator.count("ask") > 2, "it is asked about all the same");
    assert_eq!(world.operator.count("send"), 2);
    world.wait([3600, 3600]).await;
    assert_eq!(outcome(&world, &id).await, ("FAILED".to_owned(), json!("not_sent")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_whose_clock_is_ahead_neither_sends_an_order_again_nor_ends_it() {
    if test_database::skip_on_sqlite("one service serves a file") {
        return;
    }
    let world = World::new(never_received()).await;
    let id = world.begin("/v1/payout").await;
    let ahead = OffsetClock::stopped();
    ahead.step(SignedDuration::from_mins(16));
    let clock = TestClock::new(ahead.clone());
    let mut config = world.app.config.clone();
    config.listen = "127.0.0.1:0".to_owned();
    let node =
        start_with(config, Arc::new(clock.clone()), world.operator.behind_test()).await.unwrap();
    eventually("the other node asks", async || world.operator.count("ask") > 0).await;
    clock.wait_for_workers().await;
    for _ in 0..5 {
        ahead.advance(Duration::from_secs(60));
        clock.wait_for_workers().await;
    }
    assert_eq!(world.operator.count("send"), 1);
    assert!(world.operator.count("ask") > 1 && is_pending(&world, &id).await);
    node.stop().await;
}

/// No operator takes it: its connection is refused.
#[tokio::test]
async fn a_step_forward_does_not_end_an_order_that_waits() {
    for (path, ahead) in [("/v1/charge", 2 * HOUR), ("/v1/payout", 73 * HOUR)] {
        let responds = |time| {
            Some(if time < 2 { SendResponse::NotSent } else { Observation::StillPending.into() })
        };
        let world = World::new(ScriptedOperator::new().responds(responds)).await;
        let id = world.begin(path).await;
        world.app.step_clock(ahead);
        world.wait([60, 60]).await;
        assert!(is_pending(&world, &id).await, "{path}");
        assert_eq!(
            world.operator.count("send"),
            1,
            "{path}: by the wall clock it has waited for too long"
        );
        world.app.step_clock(-ahead);
        world.wait([60, 60]).await;
        assert_eq!(world.operator.count("send"), 2, "{path}: the clock was set right");
    }
}

#[tokio::test]
async fn after_a_step_forward_an_order_that_waits_ends_once_its_time_has_passed() {
    let world = World::new(ScriptedOperator::new().responds(|_| Some(SendResponse::NotSent))).await;
    let charge = world.begin("/v1/charge").await;
    let payout = world.begin("/v1/payout").await;
    world.app.step_clock(100 * HOUR);
    world.wait([300, 240]).await;
    assert!(is_pending(&world, &charge).await && is_pending(&world, &payout).await);
    world.wait([60, 60]).await;
    assert_eq!(outcome(&world, &charge).await, ("FAILED".to_owned(), json!("not_sent")));
    world.wait([11 * 3600]).await;
    assert!(is_pending(&world, &payout).await);
    world.wait([3600, 60]).await;
    assert_eq!(
        outcome(&world, &payout).await,
        ("FAILED".to_owned(), json!("not_sent")),
        "the clock is believed"
    );
}

#[tokio::test]
async fn after_a_step_back_an_order_that_waited_too_long_is_not_sent() {
    let responds = |time| {
        Some(if time < 2 { SendResponse::NotSent } else { Observation::StillPending.into() })
    };
    let world = World::new(ScriptedOperator::new().responds(responds)).await;
    let id = world.begin("/v1/charge").await;
    world.app.step_clock(-DAY);
    world.wait([700, 60]).await;
    assert_eq!(outcome(&world, &id).await, ("FAILED".to_owned(), json!("not_sent")));
    assert_eq!(world.operator.count("send"), 1);
}

#[tokio::test]
async fn a_step_forward_does_not_refuse_payouts_that_wait_for_an_approval() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let id = merchant.begin_unapproved_payout(5.0).await;
    merchant.app.step_clock(73 * HOUR);
    for hours in [1, 10] {
        merchant.wait(hours * 3600).await;
        assert_eq!(merchant.shop.status(&id).await["nextAction"], "APPROVE_IN_DASHBOARD");
    }
    merchant.wait(2 * 3600).await;
    assert_eq!(merchant.outcome(&id).await, ("FAILED".to_owned(), "approval_refused".to_owned()));
}

#[tokio::test]
async fn a_step_forward_does_not_free_idempotency_keys() {
    let world = World::new(ScriptedOperator::new().sends(|_| Some(Observation::Succeeded))).await;
    for path in ["/v1/charge", "/v1/payout"] {
        let first = send_with_key(&world.shop, path, "order-17", PAYMENT).await;
        assert_first(&first);
        world.app.step_clock(30 * DAY);
        world.wait([60]).await;
        assert_replay(send_with_key(&world.shop, path, "order-17", PAYMENT).await, &first);
        world.app.step_clock(-30 * DAY);
    }
    assert_eq!(count(&world.app, "transactions"), 2);
}

#[tokio::test]
async fn what_a_clock_that_was_ahead_scheduled_is_due_once_it_is_set_right() {
    let asks = |time| {
        Some(StatusResponse::known(if time < 3 {
            Observation::StillPending
        } else {
            Observation::Succeeded
        }))
    };
    let world = World::new(ScriptedOperator::new().asks(asks)).await;
    world.app.step_clock(365 * DAY);
    let id = world.begin("/v1/charge").await;
    world.wait([10]).await;
    assert_eq!(world.operator.count("ask"), 1);
    world.app.step_clock(-365 * DAY);
    world.wait([60, 60, 60]).await;
    assert_eq!(outcome(&world, &id).await.0, "SUCCESSFUL");
}
