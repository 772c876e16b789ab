//! `tua demo`: the made-up history of its shop.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Stdio},
};
use tua_domain::ports::Clock;
use tua_system::clock::SystemClock;
use tua_test_support::{
    ApiClient,
    binary::{run, tua},
    client, test_database,
};

/// The number of groups in which the totals of days and their rows differ.
const DIFFERENCES: &str = "SELECT count(*) FROM (
    SELECT day, kind, network, status, sum(payments) AS payments, sum(pesewas) AS pesewas
    FROM transaction_days GROUP BY day, kind, network, status) AS counted
    FULL JOIN (
    SELECT created_at / 86400000 AS day, kind, network, status, count(*) AS payments,
           sum(coalesce(settled_amount, amount)) AS pesewas
    FROM transactions WHERE status <> 'PENDING'
    GROUP BY created_at / 86400000, kind, network, status) AS found
    ON counted.day = found.day AND counted.kind = found.kind
       AND counted.network = found.network AND counted.status = found.status
    WHERE counted.payments IS NULL OR found.payments IS NULL OR counted.payments <> found.payments
       OR counted.pesewas <> found.pesewas";

/// A running `tua demo`. Dropping it kills it.
struct Demo {
    child: Child,
    origin: String,
}

impl Demo {
    fn start(folder: &Path) -> Self {
        let log = File::create(folder.join("demo.log")).unwrap();
        let listen = ["--listen", "127.0.0.1:0", "--shop-listen", "127.0.0.1:0"];
        let mut command = tua(folder);
        command.args(["demo", "--json", "--data-dir", "demo"]).args(listen);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let log = || fs::read_to_string(folder.join("demo.log")).unwrap();
        let ready: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {}", log()));
        Self { child, origin: ready["api"].as_str().unwrap().to_owned() }
    }

    fn shop(&self, folder: &Path) -> ApiClient {
        let credential = fs::read_to_string(folder.join("demo/companion.key")).unwrap();
        ApiClient {
            credential: credential.trim().to_owned(),
            origin: self.origin.clone(),
            http: client(),
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // Fails if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn number(database: &Connection, sql: &str) -> i64 {
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The exit code of a command on the database of the demo, and what it prints.
fn on_demo(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let database = ["--database", "sqlite://demo/demo.db"];
    let output = run(folder, &[arguments, &database].concat());
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_begins_with_ninety_days_of_payments_that_agree_with_all_sums() {
    if test_database::skip_on_postgres("the demo keeps a file of its own") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let shop = demo.shop(folder.path());

    let sixty_days_ago: Timestamp = SystemClock.now() - SignedDuration::from_hours(60 * 24);
    let list = format!("/v1/transactions?createdBefore={sixty_days_ago}&limit=100");
    let old = shop.get(&list).await.is(200).json();
    assert_eq!(old["data"].as_array().unwrap().len(), 100, "{old}");
    assert!(old["data"].as_array().unwrap().iter().all(|one| one["status"] != "PENDING"), "{old}");
    let pending = shop.get("/v1/transactions?status=PENDING").await.is(200).json();
    assert_eq!(pending["data"].as_array().unwrap().len(), 1, "{pending}");
    assert_eq!(pending["data"][0]["nextAction"], json!("APPROVE_ON_PHONE"), "{pending}");

    let database = Connection::open(folder.path().join("demo/demo.db")).unwrap();
    assert_eq!(number(&database, DIFFERENCES), 0);
    let (code, printed) = on_demo(folder.path(), &["ledger", "verify"]);
    assert_eq!(code, Some(0), "{printed}");
    let (code, printed) = on_demo(folder.path(), &["audit", "verify"]);
    assert_eq!(code, Some(0), "{printed}");
    let backwards = "SELECT count(*) FROM audit_log AS one JOIN audit_log AS next
        ON next.seq = one.seq + 1 WHERE next.at < one.at";
    assert_eq!(number(&database, backwards), 0);
    for table in ["webhook_deliveries", "mail_messages", "mail_alerts"] {
        assert_eq!(number(&database, &format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    // Otherwise the simulated phone would ask for what was paid shortly before the start.
    let undecided = "SELECT count(*) FROM sandbox_orders
        WHERE kind = 'CHARGE' AND substr(phone, -4) > '0022' AND decision IS NULL";
    assert_eq!(number(&database, undecided), 0);
    let count = "SELECT count(*) FROM transactions";
    let all = number(&database, count);
    for (least, condition) in [
        (900, "kind = 'CHARGE'"),
        (700, "kind = 'CHARGE' AND status = 'SUCCESSFUL'"),
        (40, "kind = 'CHARGE' AND status = 'FAILED'"),
        (10, "refund_of IS NOT NULL AND status = 'SUCCESSFUL'"),
        (30, "kind = 'PAYOUT' AND refund_of IS NULL AND status = 'SUCCESSFUL'"),
        (30, "link_id IS NOT NULL"),
        (10, "batch_id IS NOT NULL AND status = 'PENDING'"),
    ] {
        let found = number(&database, &format!("{count} WHERE {condition}"));
        assert!(found >= least, "{found} with {condition}");
    }

    let (code, listed) = on_demo(folder.path(), &["statement", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!((code, listed.as_array().unwrap().len()), (Some(0), 1), "{listed}");
    let id = listed[0]["statementId"].as_str().unwrap();
    let (code, shown) = on_demo(folder.path(), &["statement", "show", id, "--json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((code, &shown["exceptions"]), (Some(0), &json!(1)), "{shown}");
    assert_eq!(shown["outcomes"]["missing-at-the-operator"], json!(1), "{shown}");
    assert_eq!(shown["comparedLines"], shown["outcomes"]["matched"], "{shown}");
    assert!(shown["comparedLines"].as_u64().unwrap() > 40, "{shown}");

    drop(demo);
    let again = Demo::start(folder.path());
    assert_eq!(number(&database, count), all);
    again.shop(folder.path()).get("/v1/transactions").await.is(200);
    assert_eq!(number(&database, "SELECT count(*) FROM accounts"), 1);
}
