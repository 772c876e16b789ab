//! A fee that an operator first names after the success is not counted as unknown any more, on
//! both engines.

use super::books::{read, scope};
use serde_json::json;
use std::sync::{Arc, Mutex};
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Generation, Mode, Scope, TransactionId,
    books::{month::Month, movements::FeeSum},
    calendar::day_of,
    ports::{Clock, Report, StatusResponse},
    review::{DecisionNote, ReviewVerdict},
    transfer::OperatorDetails,
};
use tua_test_support::{TestApp, refunds::charge, scripted_operator::ScriptedOperator};
use tua_use_cases::verify_ledger;

/// A service whose operator reports a success at once, and names no fee. What it reports when it is
/// asked, the test changes.
async fn start() -> (TestApp, Arc<Mutex<Report>>) {
    let reported = Arc::new(Mutex::new(Report::new(Observation::Succeeded)));
    let shown = reported.clone();
    let operator = ScriptedOperator::new()
        .sends(|_| Some(Observation::Succeeded))
        .asks(move |_| Some(StatusResponse::Known(shown.lock().unwrap().clone())));
    let app = TestApp::with_stopped_clock(Arc::new(operator).behind_live()).await;
    (app, reported)
}

/// A report that names a fee of 20 pesewas.
fn with_fee(observed: Observation) -> Report {
    let details = OperatorDetails { fee_pesewas: Some(20), ..OperatorDetails::NONE };
    Report::new(observed).with_details(details)
}

/// Asks the operator, as after a callback.
async fn ask(app: &TestApp, id: &TransactionId) {
    app.running().status_queries.refresh(id).await;
}

/// The fees of all months since the first one.
async fn fees(app: &TestApp, scope: &Scope, first: Month) -> FeeSum {
    let mut sum = FeeSum::default();
    let mut month = first;
    while month <= Month::of(day_of(app.clock.now())) {
        let fees = read(app, scope, month).await.total.fees;
        sum.pesewas += fees.pesewas;
        sum.known += fees.known;
        sum.unknown += fees.unknown;
        month = month.next();
    }
    sum
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fee_that_a_contradiction_names_is_known_from_then_on() {
    let (app, reported) = start().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let paid = TransactionId::new(charge(&app, &shop, "0241234567").await);
    let scope = scope(&app, Mode::Live).await;
    let first = Month::of(day_of(app.clock.now()));
    let unknown = FeeSum { pesewas: 0, known: 0, unknown: 1 };
    assert_eq!(fees(&app, &scope, first).await, unknown);

    // The sums of the day are kept.
    app.advance(48 * 3_600);
    app.wait_for_due_work().await;
    assert_eq!(fees(&app, &scope, first).await, unknown);
    assert_eq!(app.query_number("SELECT count(*) FROM ledger_day_sums"), 1);

    *reported.lock().unwrap() = with_fee(Observation::Reversed);
    ask(&app, &paid).await;
    assert!(!shop.status(paid.as_str()).await["conflict"].is_null());
    let known = FeeSum { pesewas: 0, known: 1, unknown: 0 };
    assert_eq!(fees(&app, &scope, first).await, known);
    let counted = "SELECT CAST(sum(known) AS BIGINT) FROM fee_days";
    assert_eq!(app.query_number(counted), 1);

    // The sums are the same after they were made again.
    app.running().store.rebuild_day_totals().await.unwrap();
    assert_eq!(fees(&app, &scope, first).await, known);
    assert_eq!(app.query_number(counted), 1);
    let store = app.running().store.clone();
    assert_eq!(verify_ledger(store.as_ref()).await.unwrap().listed, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fee_is_known_once_when_a_review_decides_about_the_contradiction_that_named_it() {
    let (app, reported) = start().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let paid = TransactionId::new(charge(&app, &shop, "0241234567").await);
    let scope = scope(&app, Mode::Live).await;
    let first = Month::of(day_of(app.clock.now()));
    *reported.lock().unwrap() = with_fee(Observation::Reversed);
    ask(&app, &paid).await;
    let note = "the statement shows the money".parse::<DecisionNote>().unwrap();
    let store = app.running().store.clone();
    store.review(&paid, ReviewVerdict::Successful, note, &app.audit()).await.unwrap();
    assert_eq!(app.query_number("SELECT count(*) FROM ledger_entries"), 3);
    assert_eq!(app.query_number("SELECT max(fees) FROM ledger_entries"), 20);

    let known = FeeSum { pesewas: 20, known: 1, unknown: 0 };
    assert_eq!(fees(&app, &scope, first).await, known);
    app.advance(48 * 3_600);
    app.wait_for_due_work().await;
    assert_eq!(fees(&app, &scope, first).await, known, "kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_that_came_back_before_its_fee_was_named_is_counted_nowhere() {
    let (app, reported) = start().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let body = json!({ "amount": 4, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = TransactionId::new(shop.post("/v1/payout", &body).await.is(202).id());
    app.advance(3);
    app.wait_for_due_work().await;
    let scope = scope(&app, Mode::Live).await;
    let first = day_of(app.clock.now());
    *reported.lock().unwrap() = Report::new(Observation::Reversed);
    ask(&app, &payout).await;
    assert!(shop.status(payout.as_str()).await["reversedAt"].is_string());

    app.advance(48 * 3_600);
    app.wait_for_due_work().await;
    let failed = Observation::Failed(FailureCode::CustomerRejected);
    *reported.lock().unwrap() = with_fee(failed);
    ask(&app, &payout).await;
    assert_eq!(app.query_number("SELECT count(is_fee_late) FROM ledger_entries"), 1);
    let today = day_of(app.clock.now());
    let days = app.running().store.ledger_days(first..=today, None, None).await.unwrap();
    let last = days.last().unwrap();
    assert_eq!((last.day, last.transactions), (today, 0), "its entry has noughts alone");

    // The days are summed up only now.
    let sum = fees(&app, &scope, Month::of(first)).await;
    assert_eq!(sum, FeeSum::default());
    assert_eq!(days.iter().map(|day| day.unknown_fees).sum::<i64>(), 0);
}
