//! `tua copy`: from a SQLite file to a PostgreSQL server.

use serde_json::{Value, json};
use std::{fs, path::Path, process::Command};
use tua_test_support::{
    binary::{RunningService, account, json, refused, tua},
    test_database,
};

/// `tua` on the folder's SQLite file, also when the tests run on PostgreSQL.
fn on_file(folder: &Path) -> Command {
    let mut command = tua(folder);
    command.env("TUA_DATABASE", "sqlite://tua.db").env_remove("TUA_SERVER_KEY");
    command
}

fn copy(folder: &Path) -> Command {
    let mut command = on_file(folder);
    command
        .args(["copy", "--from", "sqlite://tua.db", "--json"])
        .env("TUA_COPY_TO", test_database::url_with(folder, |url| url));
    command
}

/// What `tua audit verify` prints about a log that is unbroken.
fn audit_verify(command: &mut Command) -> Value {
    let output = command.args(["audit", "verify", "--json"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["valid"], true, "{printed}");
    printed
}

/// A merchant with payments in a SQLite file.
async fn merchant_with_payments(folder: &Path) -> (String, Vec<String>) {
    let mut made = on_file(folder);
    let made =
        made.args(["account", "create", "--name", "Adom Stores", "--json"]).output().unwrap();
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let key = made["keys"]["testV2"].as_str().unwrap().to_owned();
    let serving = RunningService::start(folder, |command| {
        command
            .env("TUA_DATABASE", "sqlite://tua.db")
            .env_remove("TUA_SERVER_KEY")
            .args(["--sandbox-speed", "100"]);
    });
    let mut add = on_file(folder);
    let account = made["accountId"].as_str().unwrap();
    add.args([
        "webhook",
        "add",
        "--account",
        account,
        "--mode",
        "test",
        "--url",
        "http://127.0.0.1:9/",
    ]);
    assert!(add.status().unwrap().success());
    let shop = serving.actor(&key);
    let mut ids = Vec::new();
    for ending in ["4567", "0001", "0002"] {
        let body =
            json!({ "amount": 1.5, "phoneNumber": format!("024123{ending}"), "network": "MTN" });
        ids.push(shop.post("/v1/charge", &body).await.is(202).id());
    }
    let opened = shop
        .post("/v1/checkout", &json!({ "amount": 2, "email": "ama@example.com" }))
        .await
        .is(201);
    ids.push(opened.json()["checkoutToken"].as_str().unwrap().to_owned());
    for id in &ids[..3] {
        shop.until(id, |status| status["status"] != "PENDING").await;
    }
    let said = refused(&mut copy(folder));
    assert!(
        said.contains("another `tua serve` runs on it"),
        "copied although it is in use: {said}"
    );
    assert_eq!(serving.terminate(), Some(0));
    (key, ids)
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_moves_all_data_to_a_server() {
    if test_database::skip_on_sqlite("the way there needs a server") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (key, mut ids) = merchant_with_payments(path).await;
    let token = ids.pop().unwrap();
    let server_key = fs::read_to_string(path.join("tua.db.key")).unwrap();
    let verified = audit_verify(&mut on_file(path));
    assert!(verified["entries"].as_u64().unwrap() >= 5, "{verified}");

    let printed = copy(path).output().unwrap();
    assert!(printed.status.success(), "{printed:?}");
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let rows = |table: &str| {
        let found = printed.as_array().unwrap().iter().find(|one| one["table"] == table).unwrap();
        (found["rows"].as_i64().unwrap(), found["digest"].as_str().unwrap().to_owned())
    };
    assert_eq!((rows("transactions").0, rows("checkouts").0, rows("sandbox_orders").0), (3, 1, 3));
    let events = rows("transaction_events");
    assert!(events.0 >= 6 && events.1.len() == 64 && events.1 != "0".repeat(64), "{events:?}");

    // Without statistics the server would read large tables in full until autovacuum has run.
    let statistics = "SELECT count(*) FROM pg_stats WHERE schemaname = current_schema() AND \
        tablename = 'transactions'";
    assert!(test_database::query_number(path, statistics) > 0);

    // The same audit log, which the same server key verifies, and another one does not.
    assert_eq!(audit_verify(tua(path).env("TUA_SERVER_KEY", server_key.trim())), verified);
    assert!(refused(tua(path).args(["audit", "verify"])).contains("TUA_SERVER_KEY"));

    // The same keys, tokens and transactions, under the same server key.
    let serving = RunningService::start(path, |command| {
        command.env("TUA_SERVER_KEY", server_key.trim());
    });
    let shop = serving.actor(&key);
    for id in &ids {
        assert_ne!(shop.status(id).await["status"], "PENDING");
    }
    serving.actor(&token).get("/v1/checkout").await.is(200);
    assert_eq!(serving.terminate(), Some(0));

    let said = refused(&mut copy(path));
    assert!(said.contains("not empty"), "{said}");
}

#[test]
fn copy_reports_each_error_in_one_line() {
    if test_database::skip_on_sqlite("the way there needs a server") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let said = refused(&mut copy(path));
    assert!(said.contains("tua.db: there is") && said.contains("no such file"), "{said}");
    assert_eq!(fs::read_dir(path).unwrap().count(), 0);
    let mut backwards = on_file(path);
    let there = test_database::url_with(path, |url| url);
    let said = refused(backwards.args(["copy", "--from", &there, "--to", "sqlite://tua.db"]));
    assert!(said.contains("--from must be sqlite://"), "{said}");
    // A server with rows of another installation.
    account(path);
    let mut made = on_file(path);
    assert!(
        made.args(["account", "create", "--name", "Adom Stores"])
            .output()
            .unwrap()
            .status
            .success()
    );
    let mut other = copy(path);
    let said = refused(&mut other);
    assert!(said.contains("not empty") && said.contains("accounts"), "{said}");
    assert_eq!(json(path, &["key", "list"]).as_array().unwrap().len(), 2);
}
