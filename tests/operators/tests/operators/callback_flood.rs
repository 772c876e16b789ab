//! More callbacks than any operator sends: right ones, forged ones, and about nothing.

use futures_util::{StreamExt, stream};
use serde_json::json;
use tua_domain::TransactionId;
use tua_emulator::{Call, Decision, Operator};
use tua_test_support::{
    eventually,
    live_operators::{LiveOperators, callback_url},
};

const CALLBACKS: usize = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_callbacks_are_acknowledged_and_the_operator_is_asked_far_less_often() {
    let live = LiveOperators::routed_to("mtn").await;
    let pending = TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id());
    let reference = pending.operator_reference();
    let other = live.charge_to_the_end("0241234567", "MTN").await;
    let ended = TransactionId::new(other["transactionId"].as_str().unwrap()).operator_reference();
    let asked = || live.emulator.requests().of_call(Operator::MTN_MOMO, Call::Status);
    let asked_before = asked();

    let http = reqwest::Client::new();
    let url = callback_url(&live.app, "mtn");
    let send = async |number: usize| {
        let unknown = TransactionId::mint().operator_reference();
        // The reference of a pending charge, of an ended one, an unknown one, and none.
        let body = match number % 4 {
            0 => json!({ "externalId": reference, "status": "FAILED", "reason": "EXPIRED" }),
            1 => json!({ "externalId": ended, "status": "FAILED", "reason": "EXPIRED" }),
            2 => json!({ "externalId": unknown, "status": "SUCCESSFUL" }),
            _ => json!({ "status": "SUCCESSFUL" }),
        };
        http.post(&url).json(&body).send().await.unwrap().status().as_u16()
    };
    let statuses: Vec<u16> =
        stream::iter(0..CALLBACKS).map(&send).buffer_unordered(100).collect().await;
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");

    // What they claim is not believed.
    let shown = live.shop.status(pending.as_str()).await;
    assert_eq!(shown["status"], "PENDING", "{shown}");
    let ended = live.shop.status(other["transactionId"].as_str().unwrap()).await;
    assert_eq!((&ended["status"], &ended["conflict"]), (&json!("SUCCESSFUL"), &json!(null)));
    let questions = asked() - asked_before;
    assert!(
        questions < CALLBACKS as u64 / 4,
        "{questions} status requests for {CALLBACKS} callbacks"
    );

    live.emulator.decide(Operator::MTN_MOMO, &reference, Decision::Approve).unwrap();
    eventually("the payment goes on", async || {
        live.shop.status(pending.as_str()).await["status"] == "SUCCESSFUL"
    })
    .await;
    let events = live.app.running().store.events(&pending).await.unwrap();
    assert!(events.len() < 6, "callbacks that change nothing are no events: {events:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_forged_callbacks_are_refused_and_ask_nothing() {
    let live = LiveOperators::routed_to("paystack").await;
    let pending = TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id());
    let asked = || live.emulator.requests().of_call(Operator::PAYSTACK, Call::Status);
    let asked_before = asked();
    let http = reqwest::Client::new();
    let url = callback_url(&live.app, "paystack");
    let body =
        json!({ "event": "charge.success", "data": { "reference": pending.operator_reference() } });
    let send = async |number: usize| {
        let (url, expected) =
            if number.is_multiple_of(2) { (url.clone(), 401) } else { (format!("{url}x"), 404) };
        let request = http.post(url).header("x-paystack-signature", "00".repeat(64)).json(&body);
        (request.send().await.unwrap().status().as_u16(), expected)
    };
    let statuses: Vec<_> =
        stream::iter(0..CALLBACKS).map(&send).buffer_unordered(100).collect().await;
    assert!(statuses.iter().all(|(status, expected)| status == expected), "{statuses:?}");
    assert_eq!(asked(), asked_before);
    assert_eq!(live.shop.status(pending.as_str()).await["status"], "PENDING");
}
