//! A failure without a reason waits for the callback that has it (docs/operators/hubtel.md).

use serde_json::json;
use std::time::Duration;
use tua_domain::TransactionId;
use tua_emulator::{Call, Fault, Operator, State};
use tua_test_support::{eventually, live_operators::LiveOperators};

/// A payout to a number that Hubtel does not find. Its status is read, and says that it has failed.
async fn failed_at_hubtel(live: &LiveOperators, callback: Fault) -> String {
    live.emulator.chaos().set_once(Operator::HUBTEL, Call::Callback, callback);
    let body = json!({ "amount": 10.5, "phoneNumber": "0241230006", "network": "MTN" });
    let id = live.shop.post("/v1/payout", &body).await.is(202).id();
    let reference = TransactionId::new(&id).operator_reference().replace('-', "");
    let is_failed =
        async || live.emulator.state_of(Operator::HUBTEL, &reference) == Some(State::Failed);
    eventually("it fails at Hubtel", is_failed).await;
    let reads = || live.emulator.requests().of_call(Operator::HUBTEL, Call::Status);
    let before = reads();
    live.app.advance(11);
    eventually("its status is read", async || reads() > before).await;
    assert_eq!(live.shop.status(&id).await["status"], "PENDING", "the reason may follow");
    id
}

#[tokio::test]
async fn a_payout_whose_status_is_read_first_fails_with_the_reason_of_its_callback() {
    let live = LiveOperators::routed_to("hubtel").await;
    // The emulator's clock runs by itself, so a short delay could end before the status is read.
    let delay = Duration::from_hours(24);
    let id = failed_at_hubtel(&live, Fault::Delayed(delay)).await;
    live.emulator.clock().advance(delay);
    let failed = live.end_of(&id).await;
    assert_eq!(failed["failure"]["code"], "recipient_not_found", "{failed}");
}

#[tokio::test]
async fn without_a_callback_it_fails_after_a_minute() {
    let live = LiveOperators::routed_to("hubtel").await;
    let id = failed_at_hubtel(&live, Fault::Lost).await;
    live.app.advance(60);
    let failed = live.end_of(&id).await;
    assert_eq!(failed["failure"]["code"], "unspecified", "{failed}");
}
