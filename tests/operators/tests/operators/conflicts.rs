//! An operator that contradicts a final status: the status stays, and people must review
//! (docs/reference/lifecycle.md).

use serde_json::json;
use std::sync::Arc;
use tokio::sync::Notify;
use tua_contract::{Amount, FailureCode, lifecycle::Observation};
use tua_domain::{
    Transaction, TransactionId,
    ports::{ReviewError, StatusResponse},
    review::{Case, DecisionNote, ReviewVerdict},
};
use tua_test_support::{ApiClient, TestApp, scripted_operator::ScriptedOperator};

const REFUSED: Observation = Observation::Failed(FailureCode::CustomerRejected);

#[tokio::test]
async fn a_success_after_a_failure_is_a_conflict_and_closes_the_session() {
    let gate = Arc::new(Notify::new());
    let operator =
        ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)).gated(gate.clone());
    let operator = Arc::new(operator.asks(|_| Some(StatusResponse::known(REFUSED))));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let id = refused_charge(&app, &shop, &payer).await;
    gate.notify_one();
    let seen = shop.until(&id, |status| !status["conflict"].is_null()).await;
    assert_eq!(
        (&seen["status"], &seen["failure"]["code"]),
        (&json!("FAILED"), &json!("customer_rejected"))
    );
    assert_eq!(
        (&seen["conflict"]["observed"], &seen["conflict"]["at"]),
        (&json!("SUCCESSFUL"), &seen["updatedAt"])
    );
    payer.charge("0241234567", "MTN").await.is_problem(409, "checkout_already_paid");
    assert_eq!(payer.get("/v1/checkout").await.json()["status"], "PAID");
    assert_eq!(operator.count("send"), 1);
}

/// Makes a charge whose order is not responded to, and which a status query finds refused.
async fn refused_charge(app: &TestApp, shop: &ApiClient, payer: &ApiClient) -> String {
    let payer = payer.clone();
    let charging = tokio::spawn(async move { payer.charge("0241234567", "MTN").await });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(2), 1).await;
    app.advance(2);
    let id = charging.await.unwrap().is(202).id();
    app.test_clock.wait_for_workers().await;
    app.advance(8);
    shop.until(&id, |status| status["status"] == "FAILED").await;
    id
}

/// The payer's second charge fails too, and then the operator responds to the order of the first.
#[tokio::test]
async fn merchants_see_the_charge_that_paid_and_not_only_the_latest() {
    let gate = Arc::new(Notify::new());
    let operator =
        ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)).gated(gate.clone());
    let operator = Arc::new(operator.asks(|_| Some(StatusResponse::known(REFUSED))));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let paid = refused_charge(&app, &shop, &payer).await;
    let latest = refused_charge(&app, &shop, &payer).await;
    let session =
        format!("/v1/checkout/{}", shop.status(&paid).await["checkoutId"].as_str().unwrap());
    assert_eq!(shop.get(&session).await.json()["paidTransaction"], json!(null));

    gate.notify_one();
    let seen = shop.until(&paid, |status| !status["conflict"].is_null()).await;
    let read = shop.get(&session).await.is(200).json();
    assert_eq!(read["status"], "PAID");
    assert_eq!(read["paidTransaction"], seen);
    assert_eq!(read["transaction"]["transactionId"], latest);
    let listed = shop.get("/v1/checkouts").await.is(200).json();
    assert_eq!(listed["data"][0], read);
    let events = shop.get("/v1/events?type=checkout.paid").await.is(200).json();
    assert_eq!(events["data"][0]["data"]["paidTransaction"]["transactionId"], paid);
    assert_eq!(payer.get("/v1/checkout").await.json().get("paidTransaction"), None);

    let verdict = ReviewVerdict::Failed(FailureCode::Unspecified);
    let note = "the statement has no such payment".parse::<DecisionNote>().unwrap();
    let id = TransactionId::new(&paid);
    app.running().store.review(&id, verdict, note, &app.audit()).await.unwrap();
    let read = shop.get(&session).await.json();
    assert_eq!((&read["status"], &read["paidTransaction"]), (&json!("PAID"), &json!(null)));
}

#[tokio::test]
async fn a_failure_after_a_success_is_one_conflict_and_changes_no_status() {
    let operator = Arc::new(
        ScriptedOperator::new()
            .sends(|_| Some(Observation::Succeeded))
            .asks(|_| Some(StatusResponse::known(REFUSED))),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id = app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id();
    let stored = app.running().store.transaction(&TransactionId::new(&id)).await.unwrap().unwrap();
    let mut tags = Vec::new();
    for _ in 0..3 {
        app.running().status_queries.refresh(&stored.order.id).await;
        app.advance(5);
        let status = shop.get(&format!("/v1/status/{id}")).await;
        assert_eq!(
            (&status.json()["status"], &status.json()["failure"]),
            (&json!("SUCCESSFUL"), &json!(null))
        );
        assert_eq!(status.json()["conflict"]["observed"], "FAILED");
        tags.push(status.header("etag").to_owned());
    }
    tags.dedup();
    assert_eq!((tags.len(), operator.count("ask")), (1, 3));
}

#[tokio::test]
async fn people_decide_a_conflict_once_and_the_status_stays() {
    let operator = Arc::new(
        ScriptedOperator::new()
            .sends(|_| Some(Observation::Succeeded))
            .asks(|_| Some(StatusResponse::known(REFUSED))),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let id =
        TransactionId::new(app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id());
    let store = &app.running().store;
    app.running().status_queries.refresh(&id).await;
    let cases = store.flagged(None).await.unwrap();
    assert_eq!(cases.iter().map(|one| one.case).collect::<Vec<_>>(), [Case::Conflict]);
    assert_eq!(shop.status(id.as_str()).await["conflict"]["decision"], json!(null));

    let note = || "the statement shows the reversal".parse::<DecisionNote>().unwrap();
    let verdict = ReviewVerdict::Failed(FailureCode::Unspecified);
    let audit = app.audit();
    let sum = ReviewVerdict::SuccessfulFor(Amount::parse("1").unwrap());
    assert!(matches!(
        store.review(&id, sum, note(), &audit).await,
        Err(ReviewError::SumUnexpected)
    ));
    store.review(&id, verdict, note(), &audit).await.unwrap();
    let status = shop.status(id.as_str()).await;
    assert_eq!(
        (&status["status"], &status["conflict"]["decision"]),
        (&json!("SUCCESSFUL"), &json!("FAILED"))
    );
    assert!(store.flagged(None).await.unwrap().is_empty());
    assert!(matches!(
        store.review(&id, verdict, note(), &audit).await,
        Err(ReviewError::AlreadyFinal(_))
    ));
    assert_eq!(
        Transaction::replay(store.events(&id).await.unwrap()),
        store.transaction(&id).await.unwrap()
    );
}
