//! `tua export transactions`, `tua transaction list` and `tua transaction recount`.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::{
    fs,
    path::Path,
    process::Command,
    sync::{Arc, Mutex},
    time::Duration,
};
use tua_domain::{ports::Clock, reporting::ReportFilter};
use tua_test_support::{
    TestApp,
    binary::{RunningService, account, json, not_found, refused, run, tua},
    test_database,
};
use tua_use_cases::reports;

/// A shop with a payment whose reference is a formula.
async fn shop(folder: &Path) -> (String, String) {
    let (account, _, v2) = account(folder);
    let service = RunningService::start(folder, |_| {});
    let body = json!({
        "amount": 10.5,
        "phoneNumber": "0241230006",
        "network": "MTN",
        "reference": "=1+1",
    });
    let id = service.actor(&v2).post("/v1/charge", &body).await.is(202).id();
    (account, id)
}

fn export(folder: &Path, output: &str, format: &str) -> Command {
    let mut command = tua(folder);
    let period = ["--from", "2020-01-01", "--to", "2099-12-31"];
    command.args(["export", "transactions", "--format", format, "--output", output]).args(period);
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_the_rows_of_the_list_and_no_formula() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (account, id) = shop(path).await;
    let period = ["--from", "2020-01-01", "--to", "2099-12-31"];
    // Without --output it goes to standard output.
    let output = tua(path)
        .args(["export", "transactions", "--format", "csv"])
        .args(period)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (header, row) = text.split_once("\r\n").unwrap();
    assert!(header.starts_with("transactionId,createdAt,"), "{header}");
    assert!(row.starts_with(&id) && row.contains(",'=1+1,") && row.contains(",10.50,"), "{row}");

    let listed = json(
        path,
        &[
            "transaction",
            "list",
            "--account",
            &account,
            "--mode",
            "test",
            "--search",
            "024 123 0006",
        ],
    );
    assert_eq!(
        (listed[0]["transactionId"].as_str(), listed.as_array().unwrap().len()),
        (Some(&*id), 1)
    );
    let none = json(path, &["transaction", "list", "--account", &account, "--mode", "live"]);
    assert_eq!(none, json!([]));
    let all = json(path, &["transaction", "list"]);
    assert_eq!(all, listed);
    assert_eq!((&all[0]["accountId"], &all[0]["mode"]), (&json!(account), &json!("test")));
    let text = run(path, &["transaction", "list", "--mode", "test"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with(&format!("{id}  {account} test CHARGE")), "{text}");
    let unknown = not_found(tua(path).args(["transaction", "list", "--account", "acc_none"]));
    assert!(unknown.contains("there is no account acc_none"), "{unknown}");
    assert_eq!(json(path, &["transaction", "recount"])["transactions"], 1);

    let written = export(path, "year.xlsx", "xlsx").arg("--json").output().unwrap();
    assert!(written.status.success(), "{written:?}");
    assert!(
        fs::read(path.join("year.xlsx")).unwrap().starts_with(b"PK"),
        "no ZIP archive, which an XLSX file is"
    );
    // An existing file is not replaced.
    assert!(refused(&mut export(path, "year.xlsx", "csv")).contains("year.xlsx"));
    assert!(refused(&mut export(path, "b.csv", "pdf")).contains("csv or xlsx"));

    let log = run(path, &["audit", "list", "--json"]);
    let log = String::from_utf8(log.stdout).unwrap();
    assert_eq!(log.matches("transactions.exported").count(), 2, "{log}");
    assert_eq!(log.matches("totals.recounted").count(), 1, "{log}");
}

/// How long each batch takes on [`SteppingClock`].
const STEP: SignedDuration = SignedDuration::from_millis(40);

/// A clock that moves on by [`STEP`] whenever it is read, and records for how long others waited
/// for it.
#[derive(Debug)]
struct SteppingClock {
    now: Mutex<Timestamp>,
    waits: Mutex<Vec<SignedDuration>>,
}

#[async_trait]
impl Clock for SteppingClock {
    fn now(&self) -> Timestamp {
        let mut now = self.now.lock().unwrap();
        *now += STEP;
        *now
    }

    fn uptime(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep_until(&self, at: Timestamp) {
        let mut now = self.now.lock().unwrap();
        self.waits.lock().unwrap().push(at.duration_since(*now));
        *now = at;
    }

    async fn sleep_until_uptime(&self, _: Duration) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_pauses_between_batches_for_as_long_as_a_batch_took() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let charge = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    for _ in 0..251 {
        shop.post("/v1/charge", &charge).await.is(202);
    }
    let store = app.running().store.clone();
    let scope = store.keys(None).await.unwrap().remove(0).scope;
    let clock =
        Arc::new(SteppingClock { now: Mutex::new(app.test_clock.now()), waits: Mutex::default() });
    let mut export = reports::Export::new(store, clock.clone(), scope, ReportFilter::default());
    let mut batches = Vec::new();
    while let Some(batch) = export.next().await.unwrap() {
        batches.push(batch.len());
    }
    assert_eq!(batches, [250, 1]);
    assert_eq!(*clock.waits.lock().unwrap(), [SignedDuration::ZERO, STEP]);
}

#[tokio::test(flavor = "multi_thread")]
async fn csv_has_a_byte_order_mark_where_the_person_asks_for_excel() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    shop(path).await;
    for kind in ["transactions", "summary"] {
        let written = |flags: &[&str]| {
            let period =
                ["export", kind, "--from", "2020-01-01", "--to", "2099-12-31", "--format", "csv"];
            let output = tua(path).args(period).args(flags).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            output.stdout
        };
        let plain = written(&[]);
        let for_excel = written(&["--excel"]);
        assert!(!plain.starts_with(b"\xef\xbb\xbf"), "{kind}: programs do not expect it");
        assert_eq!(for_excel, [&b"\xef\xbb\xbf"[..], &plain].concat(), "{kind}");
    }
    let fault = refused(export(path, "-", "xlsx").arg("--excel"));
    assert!(fault.contains("excel: ") && fault.contains("xlsx"), "{fault}");
    assert!(refused(&mut export(path, "-", "excel-csv")).contains("csv or xlsx"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_folder_for_temporary_files_the_folder_of_the_data_is_used() {
    if test_database::skip_on_postgres("a server has no folder of data") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    shop(path).await;
    let written = export(path, "a.xlsx", "xlsx").env("TMPDIR", "/no/such/folder").output().unwrap();
    assert!(written.status.success(), "{written:?}");
    assert!(fs::read(path.join("a.xlsx")).unwrap().starts_with(b"PK"));
}
