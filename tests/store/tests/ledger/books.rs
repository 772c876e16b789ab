//! The books of a month have the sums of the ledger, on both engines
//! (docs/reference/dashboard.md#monthly-report).

use super::statements::live;
use serde_json::json;
use std::{fs, sync::Arc};
use tua_domain::{
    Mode, Scope,
    books::{month::Month, movements::Movements, report::MonthlyReport},
    calendar::{day_of, start_of_day},
    ledger::verification::LedgerFault,
    ports::Clock,
};
use tua_test_support::{
    ApiClient, TestApp,
    refunds::{charge, refund},
    test_database,
};
use tua_use_cases::{MonthlyReading, MonthlyReports, verify_ledger};

/// A day and a few hours, so that the times of the payments are of different days and hours.
const STEP_SECONDS: u64 = 26 * 3_600;

fn books(app: &TestApp) -> MonthlyReports {
    let store = &app.running().store;
    MonthlyReports::new(store.clone(), store.clone(), store.clone(), Arc::new(app.clock.clone()))
}

/// The report of a month, as the page reads it.
pub(super) async fn read(app: &TestApp, scope: &Scope, month: Month) -> MonthlyReport {
    let operators = app.running().gateway.operators.entries();
    let pins: Vec<_> = operators.iter().map(|entry| entry.pin.clone()).collect();
    match books(app).read(scope, month, &pins).await.unwrap() {
        MonthlyReading::Report(report) => *report,
        other => panic!("{other:?}"),
    }
}

/// The only account, in this mode.
pub(super) async fn scope(app: &TestApp, mode: Mode) -> Scope {
    let account = app.running().store.accounts().await.unwrap().remove(0).id;
    Scope { account, mode }
}

/// Payments of some weeks: charges of which some fail, payouts, refunds, and a payout whose outcome
/// is not known at the end.
async fn history(app: &TestApp, shop: &ApiClient) {
    for n in 0..30_u32 {
        let network = ["MTN", "TELECEL", "AIRTELTIGO"][n as usize % 3];
        let phone = format!("024123{:04}", n % 14);
        let body = json!({ "amount": n + 1, "phoneNumber": phone, "network": network });
        let path = if n % 4 == 3 { "/v1/payout" } else { "/v1/charge" };
        shop.post(path, &body).await.is(202);
        if n % 6 == 0 {
            let paid = charge(app, shop, "0241234567").await;
            refund(shop, json!({ "transactionId": paid, "amount": 4 })).await.is(202);
        }
        for seconds in [3, 60, STEP_SECONDS] {
            app.advance(seconds);
            app.wait_for_due_work().await;
        }
    }
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    shop.post("/v1/payout", &body).await.is(202);
    app.wait_for_tasks().await;
}

/// What the ledger has of some days, from its entries themselves.
fn entries(app: &TestApp, column: &str, condition: &str) -> i64 {
    app.query_number(&format!(
        "SELECT CAST(coalesce(sum(ledger_entries.{column}), 0) AS BIGINT)
         FROM ledger_entries JOIN transactions ON transactions.id = transaction_id
         WHERE {condition}"
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_month_has_the_sums_of_the_ledger() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let began = Month::of(day_of(app.clock.now()));
    history(&app, &shop).await;
    let scope = scope(&app, Mode::Test).await;
    let mut month = began;
    let mut counted = 0;
    let mut before: Option<MonthlyReport> = None;
    while month <= Month::of(day_of(app.clock.now())) {
        let report = read(&app, &scope, month).await;
        let first = month.first();
        let next = month.next().first();
        let days = format!(
            "ledger_entries.at >= {} AND ledger_entries.at < {}",
            start_of_day(first).unwrap().as_millisecond(),
            start_of_day(next).unwrap().as_millisecond(),
        );
        let of = |column, kind: &str| entries(&app, column, &format!("{days} AND {kind}"));
        let Movements { charges, refunds, payouts, .. } = report.total;
        assert_eq!(charges.pesewas, -of("merchant", "kind = 'CHARGE'"));
        assert_eq!(payouts.pesewas, of("merchant", "kind = 'PAYOUT' AND refund_of IS NULL"));
        assert_eq!(refunds.pesewas, of("refunds", "refund_of IS NOT NULL"));
        let moved = charges.count + refunds.count + payouts.count;
        assert_eq!(report.total.fees.unknown, 0, "the sandbox charges none");
        assert_eq!(report.total.fees.pesewas, of("fees", "1 = 1"));
        assert_eq!(report.total.in_transit_pesewas, of("in_transit", "1 = 1"));
        let until = |moment: jiff::civil::Date| {
            let at = start_of_day(moment).unwrap().as_millisecond();
            entries(&app, "operator_float", &format!("ledger_entries.at < {at}"))
        };
        let float = report.operators[0].float;
        assert_eq!((float.opening_pesewas, float.closing_pesewas), (until(first), until(next)));
        assert_eq!(float.difference_pesewas(&report.operators[0].movements), 0);
        if let Some(before) = before {
            assert_eq!(before.operators[0].float.closing_pesewas, float.opening_pesewas);
        }
        counted += moved;
        before = Some(report);
        month = month.next();
    }
    let moved = app.query_number("SELECT count(*) FROM transactions WHERE status = 'SUCCESSFUL'");
    assert_eq!(counted, moved, "each successful transaction is counted once");
    let in_transit = before.unwrap().total.in_transit_pesewas;
    assert!(moved >= 15 && in_transit >= 500, "{moved} moved, {in_transit} are on their way");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_is_summed_up_once_24_hours_after_it_ended() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    charge(&app, &shop, "0241234567").await;
    let scope = scope(&app, Mode::Test).await;
    let month = Month::of(day_of(app.clock.now()));
    let path = app.folder.path().to_owned();
    let kept = || app.query_number("SELECT count(*) FROM ledger_day_sums");
    assert_eq!(read(&app, &scope, month).await.total.charges.pesewas, 1_050);
    assert_eq!(kept(), 0, "the day has not ended");

    app.advance(24 * 3_600);
    app.wait_for_due_work().await;
    assert_eq!(read(&app, &scope, month).await.total.charges.pesewas, 1_050);
    assert_eq!(kept(), 0, "a node with a wrong clock may write entries of the day");

    app.advance(24 * 3_600);
    app.wait_for_due_work().await;
    assert_eq!(read(&app, &scope, month).await.total.charges.pesewas, 1_050);
    assert_eq!(kept(), 1);
    test_database::execute(&path, "UPDATE ledger_day_sums SET payments = payments + 6");
    let report = read(&app, &scope, month).await;
    assert_eq!(report.total.charges.count, 7, "its entries are not read again");
    app.running().store.rebuild_day_totals().await.unwrap();
    assert_eq!(read(&app, &scope, month).await.total.charges.count, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_days_are_summed_up_by_several_readings() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    for _ in 0..3 {
        charge(&app, &shop, "0241234567").await;
        app.advance(STEP_SECONDS);
        app.wait_for_due_work().await;
    }
    app.advance(STEP_SECONDS);
    app.wait_for_due_work().await;
    let scope = scope(&app, Mode::Test).await;
    let month = Month::of(day_of(app.clock.now()));
    let books = books(&app).stopping_after(1);
    for _ in 0..2 {
        let reading = books.read(&scope, month, &[]).await.unwrap();
        assert!(matches!(reading, MonthlyReading::Preparing { .. }), "{reading:?}");
    }
    let reading = books.read(&scope, month, &[]).await.unwrap();
    assert!(matches!(reading, MonthlyReading::Report(_)), "{reading:?}");
    assert_eq!(app.query_number("SELECT count(DISTINCT day) FROM ledger_day_sums"), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_is_kept_only_after_the_one_that_the_reader_saw() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    for _ in 0..3 {
        charge(&app, &shop, "0241234567").await;
        app.advance(STEP_SECONDS);
        app.wait_for_due_work().await;
    }
    let store = app.running().store.clone();
    let first = store.next_ledger_day(None).await.unwrap().unwrap();
    let second = store.next_ledger_day(Some(first)).await.unwrap().unwrap();
    let sums_of = async |day| store.sum_ledger_days(day..=day).await.unwrap();
    let kept = || app.query_number("SELECT count(*) FROM ledger_day_sums");

    assert!(store.keep_day_sums(None, sums_of(first).await).await.unwrap());
    let again = store.keep_day_sums(None, sums_of(first).await).await.unwrap();
    assert_eq!((again, kept()), (false, 1), "another reader kept the day");
    store.rebuild_day_totals().await.unwrap();
    let late = store.keep_day_sums(Some(first), sums_of(second).await).await.unwrap();
    assert_eq!((late, kept()), (false, 0), "without the first day the floats would lack it");
}

#[tokio::test(flavor = "multi_thread")]
async fn verification_finds_a_kept_day_that_lacks_an_entry() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    charge(&app, &shop, "0241234567").await;
    let day = day_of(app.clock.now());
    app.advance(48 * 3_600);
    app.wait_for_due_work().await;
    let scope = scope(&app, Mode::Test).await;
    let store = app.running().store.clone();
    read(&app, &scope, Month::of(day)).await;
    let faults = async || verify_ledger(store.as_ref()).await.unwrap().listed;
    assert_eq!(faults().await, []);

    // The clock of a node was two days behind.
    let other = charge(&app, &shop, "0241234568").await;
    let late =
        format!("UPDATE ledger_entries SET at = at - 172800000 WHERE transaction_id = '{other}'");
    assert_eq!(test_database::execute(app.folder.path(), &late), 1);
    assert_eq!(read(&app, &scope, Month::of(day)).await.total.charges.count, 1);
    assert_eq!(faults().await, [LedgerFault::DaySums { day }]);
    store.rebuild_day_totals().await.unwrap();
    assert_eq!(read(&app, &scope, Month::of(day)).await.total.charges.count, 2);
    assert_eq!(faults().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_wrong_keeps_no_sums_of_a_day_that_goes_on() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    charge(&app, &shop, "0241234567").await;
    let scope = scope(&app, Mode::Test).await;
    let books = books(&app);
    app.step_clock(3 * 86_400);
    let month = Month::of(day_of(app.clock.now()));
    books.read(&scope, month, &[]).await.unwrap();
    assert_eq!(app.query_number("SELECT count(*) FROM ledger_day_sums"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_that_was_renamed_is_one_row_with_its_float() {
    let mut live = live("mtn").await;
    live.charge_to_the_end("0241234567", "MTN").await;
    let renamed = |settings: &str| {
        settings.replace("operators.mtn", "operators.mtn-ghana").replace("\"mtn\"", "\"mtn-ghana\"")
    };
    let settings = live.app.folder.path().join("tua.toml");
    fs::write(&settings, renamed(&fs::read_to_string(&settings).unwrap())).unwrap();
    live.reconfigure(renamed).await;
    live.charge_to_the_end("0241234567", "MTN").await;
    let scope = scope(&live.app, Mode::Live).await;
    let report = read(&live.app, &scope, Month::of(day_of(live.app.clock.now()))).await;
    let rows: Vec<_> = report
        .operators
        .iter()
        .map(|one| {
            let name = one.operator.as_ref().map(|pin| pin.name.as_str());
            (name, one.movements.charges.count, one.float.closing_pesewas)
        })
        .collect();
    assert_eq!(rows, [(Some("mtn-ghana"), 2, 2_100)]);
}
