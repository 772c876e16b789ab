//! `tua export summary`: the sums of the ledger by day, operator and type of transactions.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::{collections::BTreeMap, path::Path};
use tua_domain::ports::Clock;
use tua_test_support::{
    TestApp,
    binary::{json, run, tua},
    refunds::{charge, refund},
};

/// The columns of the accounts of the ledger.
const ACCOUNTS: [&str; 6] =
    ["operatorFloat", "inTransit", "fees", "merchant", "refunds", "suspense"];

/// The rows, by the names of the columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    lines.map(|row| header.iter().cloned().zip(row).collect()).collect()
}

fn summary(folder: &Path, from: &str, to: &str) -> Vec<BTreeMap<String, String>> {
    let output = run(folder, &["export", "summary", "--format", "csv", "--from", from, "--to", to]);
    assert!(output.status.success(), "{output:?}");
    rows(&String::from_utf8(output.stdout).unwrap())
}

fn pesewas(cedis: &str) -> i64 {
    cedis.replace('.', "").parse().unwrap()
}

/// The sums of the rows, as the balances of the ledger are shown.
fn sums(rows: &[BTreeMap<String, String>]) -> Vec<i64> {
    ACCOUNTS.iter().map(|account| rows.iter().map(|row| pesewas(&row[*account])).sum()).collect()
}

/// The balances of the only account, mode and operator at a time.
fn balances(folder: &Path, at: Timestamp) -> Vec<i64> {
    let all = json(folder, &["ledger", "balance", "--at", &at.to_string()]);
    ACCOUNTS.iter().map(|account| pesewas(all[0]["balances"][account].as_str().unwrap())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sums_of_days_agree_with_the_balances_of_the_ledger() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let path = app.folder.path();
    let shop = app.shop().await;
    // Noon, so that a day ends where the test says.
    let since_midnight = app.clock.now().as_second().rem_euclid(86_400);
    app.advance(u64::try_from(86_400 + 43_200 - since_midnight).unwrap());
    app.wait_for_due_work().await;
    let day = |at: Timestamp| at.to_string()[..10].to_owned();
    let first = app.clock.now();
    let paid = charge(&app, &shop, "0241234567").await;
    charge(&app, &shop, "0241230001").await;
    let evening = app.clock.now() + SignedDuration::from_hours(11);
    app.advance(86_400);
    app.wait_for_due_work().await;
    charge(&app, &shop, "0241234567").await;
    let payout = json!({ "amount": 4, "phoneNumber": "0241234567", "network": "MTN" });
    shop.post("/v1/payout", &payout).await.is(202);
    refund(&shop, json!({ "transactionId": paid, "amount": 2.5 })).await.is(202);
    app.advance(3);
    app.wait_for_due_work().await;
    let second = app.clock.now();

    let all = summary(path, &day(first), &day(second));
    let shown: Vec<[&str; 5]> = all
        .iter()
        .map(|row| {
            ["day", "type", "transactions", "merchant", "refunds"].map(|name| row[name].as_str())
        })
        .collect();
    let one = day(first);
    let two = day(second);
    let expected = [
        [&*one, "CHARGE", "1", "-10.50", "0.00"],
        [&*two, "CHARGE", "1", "-10.50", "0.00"],
        [&*two, "PAYOUT", "1", "4.00", "0.00"],
        [&*two, "REFUND", "1", "0.00", "2.50"],
    ];
    assert_eq!(shown, expected);
    assert_eq!(sums(&all), balances(path, second + SignedDuration::from_secs(1)));
    assert_eq!(sums(&summary(path, &one, &one)), balances(path, evening));
    for row in &all {
        let row_sum: i64 = ACCOUNTS.iter().map(|account| pesewas(&row[*account])).sum();
        assert_eq!(row["unknownFees"], "0", "the sandbox charges none");
        assert_eq!(
            (row_sum, row["mode"].as_str(), row["currency"].as_str()),
            (0, "test", "GHS"),
            "{row:?}"
        );
    }
    assert_eq!(summary(path, "2020-01-01", "2020-01-31"), []);
    let workbook = [
        "export",
        "summary",
        "--format",
        "xlsx",
        "--from",
        &one,
        "--to",
        &two,
        "--output",
        "sums.xlsx",
    ];
    assert_eq!(json(path, &workbook)["rows"], 4);
    let refused = tua(path).args(workbook).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "the file exists: {refused:?}");
    let log = json(path, &["audit", "list"]).to_string();
    assert!(log.contains("summary.exported"), "{log}");
}
