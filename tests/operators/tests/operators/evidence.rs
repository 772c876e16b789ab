//! What operators report besides a status that fits: reversals, other sums, ids and fees of
//! contradictions.

use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tua_contract::{Amount, FailureCode, lifecycle::Observation};
use tua_domain::{
    Transaction, TransactionId,
    capabilities::RefundCapability,
    ports::{Receipt, Report, StatusResponse},
    transfer::OperatorDetails,
};
use tua_test_support::{
    TestApp,
    payout_controls::Merchant,
    refunds::{read, refund, refund_id},
    scripted_operator::ScriptedOperator,
};

/// Whether the charge is contradicted after refunds by its operator of these amounts, and its
/// report that the whole charge was reversed.
async fn conflict_after_refunds(amounts: &[f64]) -> Value {
    let is_reversed = Arc::new(AtomicBool::new(false));
    let reversed = is_reversed.clone();
    let operator = ScriptedOperator::new()
        .refunding(RefundCapability::Partial { within: None })
        .sends(|_| Some(Observation::Succeeded))
        .asks(move |_| {
            if reversed.load(Ordering::SeqCst) {
                Some(StatusResponse::known(Observation::Reversed))
            } else {
                Some(StatusResponse::known(Observation::Succeeded))
            }
        });
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let charge = TransactionId::new(merchant.shop.post("/v1/charge", &body).await.is(202).id());
    for amount in amounts {
        let begun =
            refund(&merchant.shop, json!({ "transactionId": charge.as_str(), "amount": amount }))
                .await
                .is(202);
        assert_eq!(read(&merchant.shop, &refund_id(&begun)).await["status"], "SUCCESSFUL");
    }
    is_reversed.store(true, Ordering::SeqCst);
    merchant.app.running().status_queries.refresh(&charge).await;
    merchant.outcome(charge.as_str()).await;
    merchant.shop.status(charge.as_str()).await["conflict"]["observed"].clone()
}

#[tokio::test]
async fn a_whole_reversal_is_a_conflict_unless_refunds_cover_it() {
    for (amounts, observed) in [
        (&[][..], json!("FAILED")),
        (&[2.0], json!("FAILED")),
        (&[4.0, 6.49], json!("FAILED")),
        (&[4.0, 6.5], json!(null)),
        (&[10.5], json!(null)),
    ] {
        assert_eq!(conflict_after_refunds(amounts).await, observed, "{amounts:?}");
    }
}

/// The first response names another sum, so the operator has the order, whatever it says
/// afterwards.
#[tokio::test]
async fn an_order_that_was_answered_with_another_sum_is_neither_sent_again_nor_ended_as_never_sent()
{
    let other = || {
        Report::new(Observation::Succeeded).with_receipt(Receipt::of(Amount::parse("9").unwrap()))
    };
    let mut operator = ScriptedOperator::new()
        .responds(move |_| Some(other().into()))
        .asks(|_| Some(StatusResponse::NeverReceived));
    operator.never_received_is_final_after = Some(Duration::from_secs(15 * 60));
    let operator = Arc::new(operator);
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    app.test_clock.wait_for_workers().await;
    for seconds in [11, 61, 600, 1_200, 3_600] {
        app.advance(seconds);
        app.wait_for_due_work().await;
        let shown = shop.status(&id).await;
        assert_eq!(
            (&shown["status"], &shown["failure"]),
            (&json!("PENDING"), &json!(null)),
            "{seconds}"
        );
    }
    assert!(operator.count("ask") > 2);
    assert_eq!(operator.count("send"), 1);
}

#[tokio::test]
async fn a_contradiction_keeps_the_ids_and_the_fee_under_which_the_money_moved() {
    let details = |id: &str, fee| OperatorDetails {
        transaction_id: Some(id.to_owned()),
        order_id: Some(format!("order-{id}")),
        fee_pesewas: Some(fee),
    };
    let failed = Observation::Failed(FailureCode::CustomerRejected);
    let paid = Observation::Succeeded;
    for (first, then, of_first, shown) in [
        // A success has the id that the payer's SMS shows.
        (failed, paid, None, ("2", json!(0.2))),
        (failed, paid, Some("1"), ("2", json!(0.2))),
        // What moved, moved under the first id.
        (paid, failed, Some("1"), ("1", json!(0.1))),
        (paid, failed, None, ("2", json!(0.2))),
        (paid, Observation::Reversed, None, ("2", json!(0.2))),
    ] {
        let first = Report::new(first)
            .with_details(of_first.map_or(OperatorDetails::NONE, |id| details(id, 10)));
        let then = Report::new(then).with_details(details("2", 20));
        let operator = ScriptedOperator::new()
            .responds(move |_| Some(first.clone().into()))
            .asks(move |_| Some(StatusResponse::Known(then.clone())));
        let app = TestApp::with_stopped_clock(Arc::new(operator).behind_test()).await;
        let shop = app.shop().await;
        let id = TransactionId::new(
            app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id(),
        );
        app.running().status_queries.refresh(&id).await;
        let charge = shop.status(id.as_str()).await;
        assert!(!charge["conflict"].is_null(), "{charge}");
        assert_eq!(
            (&charge["operatorTransactionId"], &charge["operatorFee"]),
            (&json!(shown.0), &shown.1),
            "{charge}"
        );
        let found = shop
            .get(&format!("/v1/transactions?operatorTransactionId={}", shown.0))
            .await
            .is(200)
            .json();
        assert_eq!(found["data"][0]["transactionId"], id.as_str(), "{found}");
        let store = &app.running().store;
        let events = store.events(&id).await.unwrap();
        let row = store.transaction(&id).await.unwrap();
        assert_eq!(Transaction::replay(events), row);
    }
}
