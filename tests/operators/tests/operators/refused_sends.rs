//! What the refusal of a first or of a repeated send decides (docs/reference/lifecycle.md, Sending
//! again).

use super::sending_again::{AMBIGUOUS, NEVER, is_waiting, payment_status};
use serde_json::{Value, json};
use std::time::Duration;
use tua_contract::{FailureCode, State, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ports::{Clock, Finding, StatusResponse},
};
use tua_test_support::{scripted_operator::ScriptedOperator, world::World};

/// The response to the first send is stored late, as after an outage of the database, when a repeat
/// was permitted already.
#[tokio::test]
async fn a_refusal_of_any_send_decides_nothing_once_the_order_was_sent_again() {
    let world = World::new(ScriptedOperator::new().sends(|_| AMBIGUOUS).asks(|_| NEVER)).await;
    let id = world.begin("/v1/payout").await;
    let store = world.app.running().store.clone();
    let sent_once = store.transaction(&TransactionId::new(&*id)).await.unwrap().unwrap();
    world.wait([10, 20]).await;
    assert_eq!(world.operator.count("send"), 2);
    let refused = Finding::from(Observation::Failed(FailureCode::MerchantFloatLow));
    let now = world.app.clock.now();
    let observed = store.observe(&sent_once, refused.clone().of_send(), None, now).await.unwrap();
    assert_eq!((observed.transaction.state, observed.before), (State::NEW, None));
    assert!(is_waiting(&world, &id).await);
    store.observe(&sent_once, refused, None, now).await.unwrap();
    assert_eq!(
        payment_status(&world, &id).await.2,
        json!("merchant_float_low"),
        "the status of the order decides"
    );
}

#[tokio::test]
async fn a_refused_send_is_final_while_it_is_the_only_one() {
    let refused = Observation::Failed(FailureCode::MerchantFloatLow);
    let world = World::new(ScriptedOperator::new().sends(move |_| Some(refused))).await;
    let id = world.begin("/v1/payout").await;
    assert_eq!(
        payment_status(&world, &id).await,
        ("FAILED".to_owned(), "NONE".to_owned(), json!("merchant_float_low"))
    );
}

/// The first send has no response, and the second one is refused, as by revoked credentials. The
/// first one is executed late.
#[tokio::test]
async fn a_refusal_of_a_repeated_send_is_no_failure_of_the_first_one() {
    for (late, expected) in [
        (Observation::Succeeded, ("SUCCESSFUL", Value::Null)),
        (Observation::Failed(FailureCode::PayerLimit), ("FAILED", json!("payer_limit"))),
    ] {
        let sends = |time| {
            if time == 1 {
                AMBIGUOUS
            } else {
                Some(Observation::Failed(FailureCode::NetworkUnavailable))
            }
        };
        let asks = move |time| if time < 4 { NEVER } else { Some(StatusResponse::known(late)) };
        let world = World::new(ScriptedOperator::new().sends(sends).asks(asks)).await;
        let id = world.begin("/v1/payout").await;
        world.wait([10, 20]).await;
        assert_eq!((world.operator.count("send"), world.operator.count("ask")), (2, 2));
        assert!(is_waiting(&world, &id).await, "the first send may be executed yet");
        world.wait([40, 60]).await;
        let (status, _, code) = payment_status(&world, &id).await;
        assert_eq!((status.as_str(), code), expected);
    }
}

#[tokio::test]
async fn after_a_refused_repeat_never_received_is_final_as_documented() {
    let sends = |time| {
        if time == 1 { AMBIGUOUS } else { Some(Observation::Failed(FailureCode::MerchantFloatLow)) }
    };
    let mut operator = ScriptedOperator::new().sends(sends).asks(|_| NEVER);
    operator.never_received_is_final_after = Some(Duration::from_secs(900));
    let world = World::new(operator).await;
    let id = world.begin("/v1/payout").await;
    world.wait([10, 20, 40, 60, 300, 900]).await;
    assert!(is_waiting(&world, &id).await, "1330 seconds");
    world.wait([3600]).await;
    assert_eq!(
        payment_status(&world, &id).await,
        ("FAILED".to_owned(), "NONE".to_owned(), json!("not_sent"))
    );
}
