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
use tua_test_support::{TestApp, scripted_operator::ScriptedOperator};

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
    let charging = tokio::spawn({
        let payer = payer.clone();
        async move { payer.charge("0241234567", "MTN").await }
    });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(2), 1).await;
    app.advance(2);
    let id = charging.await.unwrap().is(202).id();
    app.test_clock.wait_for_workers().await;
    app.advance(8);
    shop.until(&id, |status| status["status"] == "FAILED").await;
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
