//! A fee that an operator first names after the success is not counted as unknown any more, on
//! both engines.

use super::books::{read, scope};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tua_contract::lifecycle::Observation;
use tua_domain::{
    Generation, Mode, Scope, TransactionId,
    books::{month::Month, movements::FeeSum},
    calendar::day_of,
    ports::{Clock, Report, StatusResponse},
    transfer::OperatorDetails,
};
use tua_test_support::{TestApp, refunds::charge, scripted_operator::ScriptedOperator};
use tua_use_cases::verify_ledger;

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
    let is_reversed = Arc::new(AtomicBool::new(false));
    let reversed = is_reversed.clone();
    let details = OperatorDetails { fee_pesewas: Some(20), ..OperatorDetails::NONE };
    let operator =
        ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)).asks(move |_| {
            let is_reversed = reversed.load(Ordering::SeqCst);
            let observed = if is_reversed { Observation::Reversed } else { Observation::Succeeded };
            Some(StatusResponse::Known(Report::new(observed).with_details(details.clone())))
        });
    let app = TestApp::with_stopped_clock(Arc::new(operator).behind_live()).await;
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

    is_reversed.store(true, Ordering::SeqCst);
    app.running().gateway.clone().refresh_by_reference(paid.operator_reference()).await;
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
