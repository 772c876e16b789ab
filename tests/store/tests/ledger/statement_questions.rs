//! A statement that shows a failed charge as paid makes the service ask the operator again, and
//! never decides by itself.

use serde_json::json;
use std::sync::Arc;
use tua_config::Config;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Generation, Mode, StatementId, TransactionId,
    ports::{Clock, StatementImport, StatusResponse},
    statement::{LineKind, Statement, StatementLine},
};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{TestApp, scripted_operator::ScriptedOperator};

/// A service with a live key does not start without limits.
fn keep_limits(config: &mut Config) {
    config.limits = Limits::On(Rates::default());
}

async fn wait(app: &TestApp, seconds: u64) {
    app.advance(seconds);
    app.wait_for_due_work().await;
}

/// Imports a statement with one line about this transaction, and returns how many transactions are
/// asked about.
async fn import(app: &TestApp, id: &TransactionId, is_reversal: bool) -> u64 {
    let store = &app.running().store;
    let now = app.clock.now();
    let operator = store.transaction(id).await.unwrap().unwrap().operator.unwrap();
    let digest = [u8::from(is_reversal); 32];
    let new = Statement {
        id: StatementId::mint(),
        operator,
        digest,
        created_at: now,
        completed_at: None,
        abandoned_at: None,
        covers: None,
    };
    let StatementImport::Open(statement) = store.begin_statement(new).await.unwrap() else {
        panic!("imported before")
    };
    let line = StatementLine {
        number: 2,
        key: digest,
        at: now,
        kind: LineKind::Charge,
        is_reversal,
        operator_transaction_id: None,
        network: None,
        referenced: Some(id.clone()),
        pesewas: 1050,
        fee_pesewas: None,
    };
    store.insert_statement_lines(&statement, vec![line]).await.unwrap();
    store.complete_statement(&statement, &app.audit()).await.unwrap()
}

#[tokio::test]
async fn a_failed_charge_that_a_statement_shows_as_paid_is_asked_about_until_the_operator_responds()
{
    let operator = Arc::new(
        ScriptedOperator::new()
            .sends(|_| Some(Observation::Failed(FailureCode::CustomerRejected)))
            .asks(|number| match number {
                1 => Some(StatusResponse::Unanswered),
                _ => Some(StatusResponse::known(Observation::Succeeded)),
            }),
    );
    let app =
        TestApp::with_clock(OffsetClock::stopped(), keep_limits, operator.behind_live()).await;
    app.test_clock.wait_for_workers().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let failed = shop.post("/v1/charge", &body).await.is(202).id();
    assert_eq!(shop.status(&failed).await["status"], "FAILED");
    let id = TransactionId::new(&*failed);

    assert_eq!(import(&app, &id, true).await, 0, "a line about returned money");
    assert_eq!(import(&app, &id, false).await, 1);
    wait(&app, 1).await;
    assert_eq!(operator.count("ask"), 1, "it did not respond");
    wait(&app, 60).await;
    assert_eq!(operator.count("ask"), 2);
    let transaction = app.running().store.transaction(&id).await.unwrap().unwrap();
    assert!(transaction.conflict.is_some() && transaction.is_paid(), "{transaction:?}");
    assert_eq!(shop.status(&failed).await["status"], "FAILED", "a final state stays");
    wait(&app, 48 * 3600).await;
    assert_eq!(operator.count("ask"), 2, "it has responded");
    assert_eq!(app.query_number("SELECT count(*) FROM transactions WHERE ask_at IS NOT NULL"), 0);
}

#[tokio::test]
async fn a_pending_charge_that_a_statement_shows_is_asked_about_at_once() {
    let paid = |_| Some(StatusResponse::known(Observation::Succeeded));
    let operator = Arc::new(ScriptedOperator::new().asks(paid));
    let app =
        TestApp::with_clock(OffsetClock::stopped(), keep_limits, operator.behind_live()).await;
    app.test_clock.wait_for_workers().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let pending = shop.post("/v1/charge", &body).await.is(202).id();
    let id = TransactionId::new(&*pending);
    wait(&app, 1).await;
    assert_eq!(operator.count("ask"), 0, "the schedule asks after ten seconds");
    assert_eq!(import(&app, &id, false).await, 1);
    wait(&app, 1).await;
    assert_eq!(operator.count("ask"), 1);
    assert_eq!(shop.status(&pending).await["status"], "SUCCESSFUL", "as the operator says");
}
