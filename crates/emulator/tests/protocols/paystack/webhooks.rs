//! Webhooks with faults, their retries, and disputes.

use super::signature;
use crate::support::Test;
use serde_json::json;
use tua_emulator::{Call, Decision, DisputeEvent, Fault, Operator};

#[tokio::test]
async fn unanswered_webhooks_are_repeated_and_disputes_reported() {
    let test = Test::start().await;
    test.merchant.respond_with(500);
    test.charge("r-8", "0241234567", "mtn").await;
    test.advance(2);
    test.merchant.wait_for_callbacks(1).await;
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    test.merchant.respond_with(200);
    test.advance(180);
    test.merchant.wait_for_callbacks(2).await;
    test.emulator
        .decide(Operator::PAYSTACK, "r-8", Decision::Dispute(DisputeEvent::Create))
        .unwrap();
    let events = test.merchant.wait_for_callbacks(3).await;
    assert_eq!(events[2].json()["event"], "charge.dispute.create");
}

#[tokio::test]
async fn callbacks_can_be_forged_lost_and_doubled() {
    let test = Test::start().await;
    let chaos = test.emulator.chaos();
    chaos.set_once(Operator::PAYSTACK, Call::Callback, Fault::Forged);
    test.charge("r-9", "0241230007", "mtn").await;
    let forged = test.merchant.wait_for_callbacks(1).await.remove(0);
    assert_eq!(forged.json()["event"], "charge.success");
    assert_ne!(forged.headers["x-paystack-signature"], signature(&forged.body).as_str());
    chaos.set_once(Operator::PAYSTACK, Call::Callback, Fault::Doubled);
    test.charge("r-10", "0241234567", "mtn").await;
    test.advance(2);
    test.merchant.wait_for_callbacks(3).await;
    chaos.set_once(Operator::PAYSTACK, Call::Callback, Fault::Lost);
    test.charge("r-11", "0241234567", "mtn").await;
    test.advance(2);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(test.merchant.wait_for_callbacks(3).await.len(), 3);
}

#[tokio::test]
async fn a_reordered_webhook_arrives_after_the_next_one() {
    let test = Test::start().await;
    test.emulator.chaos().set_once(Operator::PAYSTACK, Call::Callback, Fault::Reordered);
    test.charge("first", "0241234567", "mtn").await;
    test.advance(2);
    test.charge("second", "0241234567", "mtn").await;
    test.advance(2);
    let events = test.merchant.wait_for_callbacks(2).await;
    let references =
        events.iter().map(|event| event.json()["data"]["reference"].clone()).collect::<Vec<_>>();
    assert_eq!(references, [json!("second"), json!("first")]);
}
