//! A callback counts only for a payment that is pinned to the operator entry at whose address it
//! arrives (docs/reference/operators.md#callbacks).

use super::live::OPERATORS;
use serde_json::json;
use tua_domain::TransactionId;
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

async fn pay_out(live: &LiveOperators) -> TransactionId {
    let body = json!({ "amount": 10.5, "phoneNumber": "0241230007", "network": "MTN" });
    TransactionId::new(live.shop.post("/v1/payout", &body).await.is(202).id())
}

#[tokio::test]
async fn a_callback_of_another_operator_asks_nothing_claims_nothing_and_is_no_evidence() {
    for (pinned, operator, _) in OPERATORS {
        let live = routed_to(pinned).await;
        let charge = TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id());
        for id in [charge, pay_out(&live).await] {
            let reference = id.operator_reference();
            let own = || failures(&reference).into_iter().filter(|(name, _)| *name == pinned);
            for (name, body) in failures(&reference).into_iter().filter(|(name, _)| *name != pinned)
            {
                assert_eq!(
                    send(&live, name, &body.to_string()).await,
                    200,
                    "{name} about {pinned}'s"
                );
            }
            assert_eq!(callbacks_of(&live, &id).await, Vec::<String>::new(), "{pinned}");
            let asked = || live.emulator.requests().of_call(operator, Call::Status);
            // Only Hubtel's own claim could fail it, so that it is not sent to Hubtel's.
            for (name, body) in own().filter(|(name, _)| *name != "hubtel") {
                let before = asked();
                assert_eq!(send(&live, name, &body.to_string()).await, 200, "{name}");
                assert_eq!(callbacks_of(&live, &id).await, [format!("/callbacks/{name}")]);
                eventually("its own operator's callback is a hint", async || asked() > before)
                    .await;
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
    let charge = live.charge_to_the_end("0241234567", "MTN").await;
    let begun =
        refund(&live.shop, json!({ "transactionId": charge["transactionId"] })).await.is(202);
    let id = TransactionId::new(refund_id(&begun));
    let reference = id.operator_reference();
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
    assert_eq!(
        callbacks_of(&live, &id).await.iter().filter(|path| *path != "/callbacks/mtn").count(),
        0
    );
    assert_eq!(live.app.running().store.failure_claim(&id).await.unwrap(), None);
}

#[tokio::test]
async fn a_claim_about_another_amount_is_evidence_and_decides_nothing() {
    let live = LiveOperators::routed_to("hubtel").await;
    let id = TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id());
    let body = hubtel_failure(&id.operator_reference()).to_string();
    let asked = || live.emulator.requests().of_call(Operator::HUBTEL, Call::Status);
    let before = asked();
    assert_eq!(send(&live, "hubtel", &body.replace("10.5", "10.51")).await, 200);
    assert_eq!(callbacks_of(&live, &id).await, ["/callbacks/hubtel"]);
    eventually("it is a hint", async || asked() > before).await;
    assert_eq!(live.app.running().store.failure_claim(&id).await.unwrap(), None);
    assert_eq!(live.shop.status(id.as_str()).await["status"], "PENDING");
}
