//! Postings agree with the transactions, whatever happens to them (docs/reference/ledger.md).

use serde_json::{Value, json};
use std::{path::Path, sync::Arc};
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ledger::verification::LedgerVerification,
    ports::StatusResponse,
    review::{DecisionNote, ReviewVerdict},
};
use tua_test_support::{
    TestApp,
    binary::{json, run},
    refunds::{charge, refund},
    scripted_operator::ScriptedOperator,
    test_database,
};
use tua_use_cases::verify_ledger;

/// The exit code of `tua ledger verify`, and what it prints.
#[track_caller]
fn verify(folder: &Path) -> (Option<i32>, Value) {
    let output = run(folder, &["ledger", "verify", "--json"]);
    let printed = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (output.status.code(), printed)
}

/// The balances of the only account, mode and operator.
#[track_caller]
fn balances(folder: &Path, arguments: &[&str]) -> Value {
    let all = json(folder, &[&["ledger", "balance"], arguments].concat());
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
    assert_eq!(
        (&all[0]["currency"], &all[0]["operator"], &all[0]["mode"]),
        (&json!("GHS"), &json!(null), &json!("test"))
    );
    all[0]["balances"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn charges_payouts_and_refunds_post_when_money_moves() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let path = app.folder.path();
    let shop = app.shop().await;
    assert_eq!(json(path, &["ledger", "balance"]), json!([]));
    let paid = charge(&app, &shop, "0241234567").await;
    charge(&app, &shop, "0241230001").await;
    let earned = json!({
        "operatorFloat": "10.50",
        "inTransit": "0.00",
        "fees": "0.00",
        "merchant": "-10.50",
        "refunds": "0.00",
        "suspense": "0.00",
    });
    assert_eq!(balances(path, &[]), earned, "a failed charge posts nothing");
    let then = app.query_number("SELECT max(at) FROM ledger_entries");
    let then = jiff::Timestamp::from_millisecond(then).unwrap().to_string();

    app.advance(1);
    let payout = json!({ "amount": 4, "phoneNumber": "0241234567", "network": "MTN" });
    shop.post("/v1/payout", &payout).await.is(202);
    refund(&shop, json!({ "transactionId": paid, "amount": 2.5 })).await.is(202);
    let under_way = balances(path, &[]);
    assert_eq!(
        (&under_way["operatorFloat"], &under_way["inTransit"]),
        (&json!("4.00"), &json!("6.50"))
    );
    app.advance(3);
    app.wait_for_due_work().await;
    let after = json!({
        "operatorFloat": "4.00",
        "inTransit": "0.00",
        "fees": "0.00",
        "merchant": "-6.50",
        "refunds": "2.50",
        "suspense": "0.00",
    });
    assert_eq!(balances(path, &["--mode", "test"]), after);
    assert_eq!(balances(path, &["--at", &then]), earned, "the balances at an earlier time");
    assert_eq!(json(path, &["ledger", "balance", "--mode", "live"]), json!([]));
    assert_eq!(
        verify(path),
        (Some(0), json!({ "valid": true, "transactions": 4, "faults": 0, "listed": [] }))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_is_in_suspense_until_it_is_decided() {
    let operator = ScriptedOperator::new().sends(|_| Some(Observation::Succeeded));
    let refused = Observation::Failed(FailureCode::CustomerRejected);
    let operator = Arc::new(operator.asks(move |_| Some(StatusResponse::known(refused))));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let path = app.folder.path();
    let shop = app.shop().await;
    let id =
        TransactionId::new(app.payer(&shop).await.charge("0241234567", "MTN").await.is(202).id());
    app.running().status_queries.refresh(&id).await;
    let float = |of: &str| json(path, &["ledger", "balance"])[0]["balances"][of].clone();
    assert_eq!((float("operatorFloat"), float("suspense")), (json!("0.00"), json!("10.50")));
    assert_eq!(verify(path).0, Some(0));
    let note = "the statement shows the reversal".parse::<DecisionNote>().unwrap();
    let verdict = ReviewVerdict::Failed(FailureCode::Unspecified);
    app.running().store.review(&id, verdict, note, &app.audit()).await.unwrap();
    assert_eq!((float("merchant"), float("suspense")), (json!("0.00"), json!("0.00")));
    assert_eq!(
        app.query_number("SELECT count(*) FROM ledger_entries"),
        3,
        "corrections are postings"
    );
    assert_eq!(verify(path).0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn verification_names_what_does_not_agree() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let path = app.folder.path();
    let shop = app.shop().await;
    let paid = charge(&app, &shop, "0241234567").await;
    let other = charge(&app, &shop, "0241234568").await;
    let execute = |sql: &str| assert_eq!(test_database::execute(path, sql), 1, "{sql}");
    let found = async || -> LedgerVerification {
        verify_ledger(app.running().store.as_ref()).await.unwrap()
    };
    assert_eq!((found().await.transactions, found().await.faults), (2, 0));

    let changed =
        "UPDATE ledger_entries SET operator_float = operator_float + 1, merchant = merchant - 1
                   WHERE transaction_id = ";
    execute(&format!("{changed}'{paid}'"));
    let (code, printed) = verify(path);
    assert_eq!(
        (code, &printed["valid"], &printed["faults"]),
        (Some(1), &json!(false), &json!(1)),
        "{printed}"
    );
    assert_eq!(printed["listed"][0]["transactionId"], paid.as_str());
    let fault = "operatorFloat has 10.51, its state requires 10.50; merchant has -10.51, its state \
        requires -10.50";
    assert_eq!(printed["listed"][0]["fault"], fault);

    execute(&format!(
        "UPDATE ledger_entries SET operator = 'mtn' WHERE transaction_id = '{other}'"
    ));
    assert_eq!(found().await.faults, 2);
    execute(&format!("DELETE FROM ledger_entries WHERE transaction_id = '{other}'"));
    let text = String::from_utf8(run(path, &["ledger", "verify"]).stdout).unwrap();
    assert!(
        text.contains(&format!("{other}: operatorFloat has 0.00, its state requires 10.50")),
        "{text}"
    );
    assert!(text.trim_end().ends_with("2 faults in 2 transactions."), "{text}");
    let unbalanced = test_database::try_execute(path, "UPDATE ledger_entries SET fees = fees + 1");
    assert!(unbalanced.contains("CHECK") || unbalanced.contains("check"), "{unbalanced}");
}
