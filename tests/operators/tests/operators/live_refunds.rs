//! Refunds through the real connectors, with the emulator as operators.

use reqwest::Method;
use serde_json::{Value, json};
use tua_test_support::{
    live_operators::LiveOperators,
    refunds::{read, refund, refund_id},
};

/// Waits until a refund is final. Where the operator does not call back, the service's clock goes
/// ahead to the question.
async fn end_of(live: &LiveOperators, id: &str) -> Value {
    let path = format!("/v1/refunds/{id}");
    for _ in 0..10 {
        let refund =
            live.shop.send(Method::GET, &path, &[("prefer", "wait=1")], None).await.is(200).json();
        if refund["status"] != "PENDING" {
            return refund;
        }
        live.app.advance(10);
    }
    panic!("still pending: {}", read(&live.shop, id).await)
}

#[tokio::test]
async fn each_operator_returns_the_money_of_a_charge() {
    for (name, methods) in [
        ("mtn", ["NATIVE", "NATIVE"]),
        ("paystack", ["NATIVE", "NATIVE"]),
        ("pawapay", ["NATIVE", "NATIVE"]),
        // Hubtel returns whole payments only.
        ("hubtel", ["PAYOUT", "PAYOUT"]),
    ] {
        let live = LiveOperators::routed_to(name).await;
        let paid = live.charge_to_the_end("0241234567", "MTN").await;
        assert_eq!(paid["status"], "SUCCESSFUL", "{name}: {paid}");
        let id = paid["transactionId"].as_str().unwrap();
        for (amount, method) in [json!(4), json!(6.5)].into_iter().zip(methods) {
            let begun =
                refund(&live.shop, json!({ "transactionId": id, "amount": amount })).await.is(202);
            let shown = begun.json();
            assert_eq!(
                (&shown["method"], &shown["operator"]),
                (&json!(method), &json!(name)),
                "{shown}"
            );
            let ended = end_of(&live, &refund_id(&begun)).await;
            assert_eq!(ended["status"], "SUCCESSFUL", "{name}: {ended}");
        }
        let charge = live.shop.status(id).await;
        let expected = (json!("SUCCESSFUL"), json!(null), json!(10.5), json!(0));
        let sums = (charge["refundedAmount"].clone(), charge["refundableAmount"].clone());
        assert_eq!(
            (charge["status"].clone(), charge["conflict"].clone(), sums.0, sums.1),
            expected,
            "{name}"
        );
        assert_eq!(refund(&live.shop, json!({ "transactionId": id })).await.status, 409);
    }
}

#[tokio::test]
async fn a_whole_payment_is_returned_by_hubtel_and_is_no_conflict() {
    let live = LiveOperators::routed_to("hubtel").await;
    let paid = live.charge_to_the_end("0241234567", "MTN").await;
    let id = paid["transactionId"].as_str().unwrap();
    let begun = refund(&live.shop, json!({ "transactionId": id })).await.is(202);
    assert_eq!(begun.json()["method"], "NATIVE");
    assert_eq!(end_of(&live, &refund_id(&begun)).await["status"], "SUCCESSFUL");
    // Hubtel's status of the charge is Refunded now.
    let charge = tua_domain::TransactionId::new(id);
    live.app.running().status_queries.refresh(&charge).await;
    let charge = live.shop.status(id).await;
    assert_eq!((&charge["conflict"], &charge["refundedAmount"]), (&json!(null), &json!(10.5)));
}
