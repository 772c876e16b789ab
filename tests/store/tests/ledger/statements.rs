//! Statements of operators, compared with the transactions (docs/reference/statements.md).

use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Value, json};
use std::{fs, path::Path, process::Output};
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{TransactionId, ports::Clock};
use tua_emulator::Operator;
use tua_system::clock::SystemClock;
use tua_test_support::{
    binary::{json, not_found, refused, run, tua},
    live_operators::LiveOperators,
    refunds::{refund, refund_id},
    test_database,
};

pub(super) const HEADER: &str = "Transaction ID,Transaction \
    Type,Status,Currency,Amount,Fee,Completed At,Provider Transaction ID";

/// A service with a live operator, and a settings file in its folder.
pub(super) async fn live(name: &str) -> LiveOperators {
    let live = LiveOperators::routed_to(name).await;
    let address =
        live.emulator.base_url(Operator::MTN_MOMO).replace("http://", "").replace("/mtn-momo", "");
    let printed = run(live.app.folder.path(), &["emulate", "--listen", &address, "--print-config"]);
    fs::write(live.app.folder.path().join("tua.toml"), printed.stdout).unwrap();
    live
}

/// The statement of the emulator.
pub(super) async fn download(live: &LiveOperators, operator: Operator) -> String {
    let base = live.emulator.base_url(Operator::MTN_MOMO).replace("/mtn-momo", "");
    let url = format!("{base}/statement.csv?operator={operator}");
    live.app.http.get(url).send().await.unwrap().text().await.unwrap()
}

pub(super) fn import_arguments<'a>(name: &'a str, file: &'a str) -> [&'a str; 7] {
    ["statement", "import", "--operator", name, "--config", "tua.toml", file]
}

/// Imports a file with these contents.
#[track_caller]
pub(super) fn import(folder: &Path, name: &str, contents: &str) -> Value {
    fs::write(folder.join("file.csv"), contents).unwrap();
    json(folder, &import_arguments(name, "file.csv"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_is_imported_without_a_folder_for_temporary_files() {
    if test_database::skip_on_postgres("a server has no folder of data") {
        return;
    }
    let live = live("pawapay").await;
    let folder = live.app.folder.path();
    fs::write(folder.join("file.csv"), format!("{HEADER}\n{}", line("txn_1", "FAILED", "1", "7")))
        .unwrap();
    let import = import_arguments("pawapay", "file.csv");
    let output = tua(folder).args(import).env("TMPDIR", "/no/such/folder").output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// The line of an import that is refused.
#[track_caller]
fn import_refused(folder: &Path, name: &str, contents: &str) -> String {
    fs::write(folder.join("file.csv"), contents).unwrap();
    refused(tua(folder).args(import_arguments(name, "file.csv")))
}

/// `tua statement verify` of all days of the test.
pub(super) fn verify(folder: &Path) -> (Option<i32>, Value) {
    let day = |days: i64| {
        (SystemClock.now() + SignedDuration::from_hours(24 * days)).to_string()[..10].to_owned()
    };
    let from = day(-1);
    let to = day(1);
    let output: Output =
        run(folder, &["statement", "verify", "--from", &from, "--to", &to, "--json"]);
    let printed = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (output.status.code(), printed)
}

/// A line about a charge.
pub(super) fn line(id: &str, status: &str, amount: &str, operator_id: &str) -> String {
    let reference = TransactionId::new(id).operator_reference();
    format!("{reference},DEPOSIT,{status},GHS,{amount},,{},{operator_id}\n", SystemClock.now())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_cedi_agrees_with_the_statement_of_each_operator() {
    for (name, operator) in [
        ("mtn", Operator::MTN_MOMO),
        ("paystack", Operator::PAYSTACK),
        ("pawapay", Operator::PAWAPAY),
        ("hubtel", Operator::HUBTEL),
    ] {
        let live = live(name).await;
        let path = live.app.folder.path();
        let paid = live.charge_to_the_end("0241234567", "MTN").await;
        live.charge_to_the_end("0241230001", "MTN").await;
        live.pay_out_to_the_end("0241234567", "MTN").await;
        let begun =
            refund(&live.shop, json!({ "transactionId": paid["transactionId"] })).await.is(202);
        let refund = format!("/v1/refunds/{}", refund_id(&begun));
        for _ in 0..10 {
            let now =
                live.shop.send(Method::GET, &refund, &[("prefer", "wait=1")], None).await.json();
            if now["status"] != "PENDING" {
                break;
            }
            live.app.advance(10);
        }
        let (code, missing) = verify(path);
        assert_eq!(
            (code, &missing["outcomes"]["missing-at-the-operator"]),
            (Some(1), &json!(3)),
            "{name}: {missing}"
        );

        let statement = download(&live, operator).await;
        let imported = import(path, name, &statement);
        assert_eq!(
            (&imported["inserted"], &imported["outcomes"]["matched"]),
            (&json!(3), &json!(3)),
            "{name}: {imported}"
        );
        assert_eq!(verify(path).0, Some(0), "{name}: {}", verify(path).1);
        let again = import(path, name, &statement);
        assert_eq!(
            (&again["repeated"], &again["inserted"], &again["statementId"]),
            (&json!(true), &json!(0), &imported["statementId"])
        );
        let ledger = run(path, &["ledger", "verify"]);
        assert_eq!(ledger.status.code(), Some(0), "{name}: {ledger:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_difference_is_an_exception_by_name() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let paid = live.charge_to_the_end("0241234567", "MTN").await;
        ids.push(paid["transactionId"].as_str().unwrap().to_owned());
    }
    let failed = live.charge_to_the_end("0241230001", "MTN").await["transactionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let lines = [
        line(&ids[0], "COMPLETED", "10.50", "a"),
        line(&ids[0], "COMPLETED", "10.50", "b"),
        line(&ids[1], "COMPLETED", "10.49", "c"),
        line(&failed, "COMPLETED", "10.50", "d"),
        line(TransactionId::mint().as_str(), "COMPLETED", "3", "e"),
        line(&ids[1], "REVERSED", "10.50", "c"),
    ];
    let imported = import(path, "mtn", &format!("{HEADER}\n{}", lines.concat()));
    let expected = json!({
        "matched": 1,
        "missing-at-the-operator": 1,
        "missing-with-us": 2,
        "amount-differs": 1,
        "fee-differs": 0,
        "duplicate": 1,
        "reversed": 1,
    });
    assert_eq!(
        (&imported["outcomes"], &imported["exceptions"]),
        (&expected, &json!(6)),
        "{imported}"
    );
    assert_eq!(
        live.shop.status(&failed).await["status"],
        "FAILED",
        "a file alone completes nothing"
    );
    let (code, all) = verify(path);
    assert_eq!((code, &all["outcomes"]["missing-at-the-operator"]), (Some(1), &json!(1)));
    let missing =
        all["listed"].as_array().unwrap().iter().find(|one| one["line"].is_null()).unwrap();
    assert_eq!((&missing["transactionId"], &missing["amount"]), (&json!(ids[2]), &json!("10.50")));

    // A longer file of the same operator repeats the lines, and adds one.
    let longer =
        format!("{HEADER}\n{}{}", lines.concat(), line(&ids[2], "COMPLETED", "10.50", "f"));
    let added = import(path, "mtn", &longer);
    assert_eq!(
        (&added["lines"], &added["inserted"], &added["outcomes"]["matched"]),
        (&json!(7), &json!(1), &json!(1))
    );
    assert_eq!(verify(path).1["outcomes"]["missing-at-the-operator"], 0);
    let listed = json(path, &["statement", "list"]);
    assert_eq!(
        (listed.as_array().unwrap().len(), &listed[0]["lines"], &listed[1]["lines"]),
        (2, &json!(1), &json!(6))
    );
    let id = listed[1]["statementId"].as_str().unwrap();
    assert_eq!(json(path, &["statement", "show", id])["exceptions"], 5);
    let log = json(path, &["audit", "list"]).to_string();
    assert_eq!(log.matches("statement.imported").count(), 2, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_about_a_pending_charge_is_counted_as_asked_and_decides_nothing() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    // It stays pending at the emulator.
    let id = live.charge("0241230007", "MTN").await.is(202).id();
    let imported =
        import(path, "mtn", &format!("{HEADER}\n{}", line(&id, "COMPLETED", "10.50", "7")));
    assert_eq!(
        (&imported["asked"], &imported["outcomes"]["missing-with-us"]),
        (&json!(1), &json!(1)),
        "{imported}"
    );
    assert_eq!(live.shop.status(&id).await["status"], "PENDING");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_a_fault_stores_nothing_and_names_each_line() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let id = live.charge_to_the_end("0241234567", "MTN").await["transactionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let good = line(&id, "COMPLETED", "10.50", "7");
    let faulty = format!(
        "{HEADER}\n{good}x,DEPOSIT,COMPLETED,USD,1,,yesterday,8\n{good}y,DEPOSIT,LOST,GHS,1,,,9\n"
    );
    let said = import_refused(path, "mtn", &faulty);
    for part in ["nothing was stored", "line 3:", "USD", "yesterday", "line 5:", "LOST"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let cut_off = import_refused(path, "mtn", &format!("{HEADER}\n{good}{id},DEPOSIT,COMP"));
    assert!(cut_off.contains("line 3:"), "{cut_off}");
    assert!(
        import_refused(path, "paystack", &format!("{HEADER}\n{good}"))
            .contains(&format!("{id} is a transaction of mtn"))
    );
    assert!(import_refused(path, "mtn", "Date;Sum\n1;2\n").contains("the header has no column"));
    fs::write(path.join("file.csv"), format!("{HEADER}\n{good}")).unwrap();
    let period = ["--from", "2020-01-01", "--to", "2020-01-31"];
    let said = refused(tua(path).args(import_arguments("mtn", "file.csv")).args(period));
    assert!(said.contains("line 2:") && said.contains("not in the period"), "{said}");
    let unknown = not_found(tua(path).args(import_arguments("nobody", "file.csv")));
    assert!(unknown.contains("operator nobody"), "{unknown}");
    let missing = refused(tua(path).args(import_arguments("mtn", "missing.csv")));
    assert!(missing.contains("missing.csv"), "{missing}");
    assert_eq!(live.app.query_number("SELECT count(*) FROM statements"), 0);
    assert_eq!(live.app.query_number("SELECT count(*) FROM statement_lines"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_line_of_a_charge_agrees_although_the_operator_returned_the_money_later() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let id = live.charge_to_the_end("0241234567", "MTN").await["transactionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let lines = [line(&id, "COMPLETED", "10.50", "7"), line(&id, "REVERSED", "10.50", "7")];
    let imported = import(path, "mtn", &format!("{HEADER}\n{}", lines.concat()));
    assert_eq!(imported["exceptions"], 1, "the charge has not come back here: {imported}");
    let store = &live.app.running().store;
    let charge = store.transaction(&TransactionId::new(&id)).await.unwrap().unwrap();
    let failed = Observation::Failed(FailureCode::CustomerRejected);
    store.observe(&charge, failed.into(), None, SystemClock.now()).await.unwrap();
    assert_eq!(verify(path), (Some(0), verify(path).1));
}
