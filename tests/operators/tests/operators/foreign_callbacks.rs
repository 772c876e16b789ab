//! A callback counts only for a payment that is pinned to the operator entry at whose address it
//! arrives (docs/reference/operators.md#callbacks).

use super::live::OPERATORS;
use jiff::SignedDuration;
use serde_json::json;
use std::time::Duration;
use tua_domain::{
    TransactionId,
    ports::{Clock, NextStatusQuery},
};
use tua_emulator::{Call, Operator};
use tua_test_support::{
    eventually,
    live_operators::LiveOperators,
    operator_callbacks::{failures, hubtel_failure, send},
    refunds::{refund, refund_id},
};

/// The paths of the callbacks that are kept as evidence about a transaction.
async fn callbacks_of(live: &LiveOperators, id: &TransactionId) -> Vec<String> {
    let kept = live.app.running().store.exchanges(id).await.unwrap();
    kept.into_iter().map(|one| one.path).filter(|path| path.starts_with("/callbacks/")).collect()
}

/// Live payments of MTN go to this entry. pawaPay signs no callbacks, so that a test can send them.
async fn routed_to(name: &str) -> LiveOperators {
    let mut live = LiveOperators::routed_to(name).await;
    live.reconfigure(|settings| {
        settings.replace("signed-callbacks = true", "signed-callbacks = false")
    })
    .await;
    live
}

/// Puts the next question of the schedule off by an hour, so that what is asked soon is asked
/// because of a callback.
async fn put_off_the_schedule(live: &LiveOperators, id: &TransactionId) {
    let store = live.app.running().store.clone();
    let is_sent = async || store.transaction(id).await.unwrap().unwrap().handed_over_at.is_some();
    eventually("it is handed over", is_sent).await;
    live.app.wait_for_tasks().await;
    let now = live.app.clock.now();
    let later = Some(now + SignedDuration::from_hours(1));
    let next = NextStatusQuery { at: later, is_flagged: false };
    assert!(store.schedule_status_query(id, 1, next, now).await.unwrap());
}

/// Waits until the operator is asked because of a callback. After a minute it would be asked by the
/// schedule, which the callback has brought forward.
async fn assert_hint(asked: impl Fn() -> u64, before: u64) {
    let asking = eventually("the operator is asked", async || asked() > before);
    tokio::time::timeout(Duration::from_secs(30), asking).await.expect("the callback is a hint");
}

async fn pay_out(live: &LiveOperators) -> TransactionId {
    let body = json!({ "amount": 10.5, "phoneNumber": "0241230007", "network": "MTN" });
    TransactionId::new(live.shop.post("/v1/payout", &body).await.is(202).id())
}

#[tokio::test]
async fn a_callback_of_another_operator_asks_nothing_claims_nothing_and_is_no_evidence() {
    for (pinned, operator, _) in OPERATORS {
        let live = routed_to(pinned).await;
        let charge = TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id());
        let payout = pay_out(&live).await;
        for id in [&charge, &payout] {
            put_off_the_schedule(&live, id).await;
        }
        let asked = || live.emulator.requests().of_call(operator, Call::Status);
        for id in [charge, payout] {
            let reference = id.operator_reference();
            let own = || failures(&reference).into_iter().filter(|(name, _)| *name == pinned);
            let before = asked();
            for (name, body) in failures(&reference).into_iter().filter(|(name, _)| *name != pinned)
            {
                assert_eq!(
                    send(&live, name, &body.to_string()).await,
                    200,
                    "{name} about {pinned}'s"
                );
            }
            live.app.wait_for_tasks().await;
            assert_eq!(asked(), before, "nobody is asked about {pinned}'s");
            assert_eq!(callbacks_of(&live, &id).await, Vec::<String>::new(), "{pinned}");
            // Only Hubtel's own claim could fail it, so that it is not sent to Hubtel's.
            for (name, body) in own().filter(|(name, _)| *name != "hubtel") {
                let before = asked();
                assert_eq!(send(&live, name, &body.to_string()).await, 200, "{name}");
                assert_eq!(callbacks_of(&live, &id).await, [format!("/callbacks/{name}")]);
                assert_hint(&asked, before).await;
                live.app.wait_for_tasks().await;
            }
            assert_eq!(live.shop.status(id.as_str()).await["status"], "PENDING", "{pinned}");
        }
    }
}

#[tokio::test]
async fn a_claim_of_another_account_at_the_same_operator_does_not_count() {
    let mut live = LiveOperators::routed_to("hubtel").await;
    live.reconfigure(|settings| {
        let (operators, routes) = settings.split_once("[routes.live]").unwrap();
        let (_, hubtel) = operators.split_once("[operators.hubtel]").unwrap();
        let other = hubtel.replace("\"emulated\"", "\"another shop\"");
        format!("{operators}[operators.hubtel-two]{other}[routes.live]{routes}")
    })
    .await;
    let id = TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id());
    let body = hubtel_failure(&id.operator_reference()).to_string();
    assert_eq!(send(&live, "hubtel-two", &body).await, 200);
    assert_eq!(callbacks_of(&live, &id).await, Vec::<String>::new());
    assert_eq!(live.app.running().store.failure_claim(&id).await.unwrap(), None);
    assert_eq!(live.shop.status(id.as_str()).await["status"], "PENDING");
    assert_eq!(send(&live, "hubtel", &body).await, 200);
    let failed = live.end_of(id.as_str()).await;
    assert_eq!(failed["status"], "FAILED", "{failed}");
}

#[tokio::test]
async fn a_callback_about_a_refund_counts_at_the_refunds_operator_only() {
    let live = routed_to("mtn").await;
    // The refund of a charge of this number stays pending, and MTN calls nobody back about it.
    let charge = live.charge_to_the_end("0241230022", "MTN").await;
    let begun =
        refund(&live.shop, json!({ "transactionId": charge["transactionId"] })).await.is(202);
    let id = TransactionId::new(refund_id(&begun));
    let reference = id.operator_reference();
    put_off_the_schedule(&live, &id).await;
    let asked = || live.emulator.requests().of_call(Operator::MTN_MOMO, Call::Status);
    let before = asked();
    for (name, body) in [
        ("pawapay", json!({ "refundId": reference, "status": "FAILED" })),
        (
            "paystack",
            json!({ "event": "refund.failed", "data": { "transaction_reference": reference } }),
        ),
        ("hubtel", hubtel_failure(&reference)),
    ] {
        assert_eq!(send(&live, name, &body.to_string()).await, 200, "{name}");
    }
    live.app.wait_for_tasks().await;
    assert_eq!((asked(), callbacks_of(&live, &id).await), (before, Vec::new()));
    assert_eq!(live.app.running().store.failure_claim(&id).await.unwrap(), None);
    let own = json!({ "externalId": reference, "status": "FAILED", "reason": "EXPIRED" });
    assert_eq!(send(&live, "mtn", &own.to_string()).await, 200);
    assert_eq!(callbacks_of(&live, &id).await, ["/callbacks/mtn"]);
    assert_hint(&asked, before).await;
}

#[tokio::test]
async fn a_claim_about_another_amount_is_evidence_and_decides_nothing() {
    let live = LiveOperators::routed_to("hubtel").await;
    let id = TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id());
    let body = hubtel_failure(&id.operator_reference()).to_string();
    put_off_the_schedule(&live, &id).await;
    let asked = || live.emulator.requests().of_call(Operator::HUBTEL, Call::Status);
    let before = asked();
    assert_eq!(send(&live, "hubtel", &body.replace("10.5", "10.51")).await, 200);
    assert_eq!(callbacks_of(&live, &id).await, ["/callbacks/hubtel"]);
    assert_hint(&asked, before).await;
    assert_eq!(live.app.running().store.failure_claim(&id).await.unwrap(), None);
    assert_eq!(live.shop.status(id.as_str()).await["status"], "PENDING");
}
