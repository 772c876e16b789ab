//! `tua audit`: the log of administrative changes (docs/reference/command-line.md, "Audit log").

use serde_json::{Value, json};
use std::{fs, path::Path};
use tua_test_support::{
    binary::{RunningService, account, json, refused, run, tua},
    test_database,
};

fn list(folder: &Path) -> Vec<Value> {
    json(folder, &["audit", "list"]).as_array().unwrap().clone()
}

/// The exit code of `tua audit verify`, and what it prints.
#[track_caller]
fn verify(folder: &Path) -> (Option<i32>, Value) {
    let output = run(folder, &["audit", "verify", "--json"]);
    let printed = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (output.status.code(), printed)
}

#[track_caller]
fn assert_broken_at(folder: &Path, seq: u64) {
    let (code, printed) = verify(folder);
    assert_eq!(
        (code, &printed["valid"], &printed["firstBadSeq"]),
        (Some(1), &json!(false), &json!(seq)),
        "{printed}"
    );
}

#[track_caller]
fn assert_unbroken(folder: &Path, entries: usize) {
    let (code, printed) = verify(folder);
    assert_eq!(
        (code, &printed["valid"], &printed["entries"]),
        (Some(0), &json!(true), &json!(entries)),
        "{printed}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_administrative_change_is_logged_with_who_what_before_and_after() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, ..) = account(path);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let key = json(
        path,
        &["key", "create", "--account", &id, "--mode", "test", "--generation", "v2", "--as", "Esi"],
    );
    let secret = text(&key["key"]);
    let key = text(&key["keyId"]);
    json(path, &["key", "rotate", &key]);
    json(path, &["key", "revoke", &key]);
    json(path, &["key", "revoke", &key]);
    let url = "http://127.0.0.1:9/hooks?token=hunter2";
    let endpoint =
        json(path, &["webhook", "add", "--account", &id, "--mode", "test", "--url", url]);
    let whsec = text(&endpoint["secret"]);
    let endpoint = text(&endpoint["endpointId"]);
    let rotated = text(&json(path, &["webhook", "rotate", &endpoint])["secret"]);
    let ping = text(&json(path, &["webhook", "ping", &endpoint, "--no-wait"])["deliveryId"]);
    json(path, &["webhook", "replay", &ping]);
    json(path, &["webhook", "enable", &endpoint]);
    json(path, &["webhook", "remove", &endpoint]);
    RunningService::start(path, |_| {}).terminate();

    let log = list(path);
    let actions: Vec<&str> = log.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    let expected = [
        "account.created",
        "key.created",
        "key.created",
        "key.created",
        "key.rotated",
        "key.created",
        "key.revoked",
        "webhook.added",
        "webhook.rotated",
        "delivery.replayed",
        "webhook.enabled",
        "webhook.removed",
        "settings.changed",
    ];
    assert_eq!(actions, expected, "a second revocation changes nothing");
    for (index, entry) in log.iter().enumerate() {
        assert_eq!((&entry["seq"], &entry["keyVersion"]), (&json!(index + 1), &json!(1)));
        assert!(
            entry["at"].is_string() && entry["actor"].is_string() && entry.get("before").is_some(),
            "{entry}"
        );
    }
    let user = text(&log[0]["actor"]);
    assert_eq!((&log[0]["source"], &log[0]["subject"]), (&json!("command-line"), &json!(id)));
    assert_eq!(
        (&log[3]["actor"], &log[3]["subject"]),
        (&json!(format!("Esi ({user})")), &json!(key))
    );
    assert_eq!(
        (&log[6]["before"]["revokedAt"], log[6]["after"]["revokedAt"].is_string()),
        (&Value::Null, true)
    );
    assert_eq!(
        (&log[11]["after"], &log[11]["before"]["url"]),
        (&Value::Null, &json!("http://127.0.0.1:9/hooks"))
    );
    assert_eq!(log[12]["source"], "start");
    let text = format!("{log:?}");
    for secret in
        [secret.as_str(), &whsec, &rotated, "hunter2", test_database::server_key_text(path).trim()]
    {
        assert!(!text.contains(secret), "a secret is in the audit log");
    }
    assert_unbroken(path, 13);
    // The same settings again are no change.
    let again = RunningService::start(path, |_| {});
    assert_eq!(list(path).len(), 13);
    drop(again);
}

#[tokio::test(flavor = "multi_thread")]
async fn ending_a_test_checkout_is_logged_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let opened = serving
        .actor(&key)
        .post("/v1/checkout", &json!({ "amount": 1, "email": "ama@example.com" }))
        .await;
    let checkout = opened.is(201).json()["checkoutId"].as_str().unwrap().to_owned();
    for _ in 0..2 {
        json(path, &["sandbox", "expire", &checkout, "--as", "Esi"]);
    }
    let log: Vec<Value> =
        list(path).into_iter().filter(|entry| entry["subject"] == checkout.as_str()).collect();
    let [entry] = &log[..] else { panic!("{log:?}") };
    assert_eq!(
        (&entry["action"], &entry["source"]),
        (&json!("checkout.expired"), &json!("command-line"))
    );
    assert!(entry["actor"].as_str().unwrap().starts_with("Esi ("), "{entry}");
    assert!(
        entry["before"]["expiresAt"].as_str() > entry["after"]["expiresAt"].as_str(),
        "{entry}"
    );
    let entries = list(path).len();
    assert_unbroken(path, entries);
}

#[test]
fn an_altered_deleted_or_truncated_log_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    account(path);
    account(path);
    assert_unbroken(path, 6);
    let execute = |sql: &str| test_database::execute(path, sql);

    execute("UPDATE audit_log SET actor = actor || 'x' WHERE seq = 4");
    assert_broken_at(path, 4);
    let actor = "(SELECT actor FROM audit_log WHERE seq = 1)";
    execute(&format!("UPDATE audit_log SET actor = {actor} WHERE seq = 4"));
    assert_unbroken(path, 6);

    // The last entry is cut off: the head still has it, and the next entry does not hide it.
    execute("DELETE FROM audit_log WHERE seq = 6");
    assert_broken_at(path, 6);
    account(path);
    assert_broken_at(path, 6);

    // As well with a head that was set back by somebody without the server key.
    execute("DELETE FROM audit_log WHERE seq > 4");
    execute("UPDATE audit_head SET seq = 4");
    assert_broken_at(path, 4);
    account(path);
    assert_broken_at(path, 5);

    execute("DELETE FROM audit_log WHERE seq = 2");
    assert_broken_at(path, 2);
    execute("DELETE FROM audit_log");
    assert_broken_at(path, 1);
}

#[test]
fn a_log_that_was_emptied_with_its_end_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    account(path);
    let execute = |sql: &str| test_database::execute(path, sql);
    execute("DELETE FROM audit_log");
    // The end of an empty log is not any end without entries.
    execute("UPDATE audit_head SET seq = 0");
    for _ in 0..2 {
        assert_broken_at(path, 1);
        let output = run(path, &["audit", "verify"]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("the log was emptied"), "{said}");
        execute("DELETE FROM audit_head");
    }
    // What is changed afterwards does not hide it.
    account(path);
    assert_broken_at(path, 1);
}

#[test]
fn commands_that_race_leave_an_unbroken_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    account(path);
    let racing: Vec<_> = (0..8)
        .map(|_| tua(path).args(["account", "create", "--name", "Adom", "--json"]).spawn().unwrap())
        .collect();
    for mut one in racing {
        assert!(one.wait().unwrap().success());
    }
    assert_unbroken(path, 27);
    let log = list(path);
    let created = log.iter().filter(|entry| entry["action"] == "account.created").count();
    assert_eq!((log.len(), created), (27, 9));
}

#[test]
fn the_first_commands_of_a_new_database_agree_on_one_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    json(path, &["migrate"]);
    let racing: Vec<_> = (0..8)
        .map(|_| tua(path).args(["account", "create", "--name", "Adom", "--json"]).spawn().unwrap())
        .collect();
    for mut one in racing {
        assert!(one.wait().unwrap().success());
    }
    assert_unbroken(path, 24);
}

#[test]
fn a_missing_key_file_is_a_fault_and_never_replaced() {
    if test_database::skip_on_postgres("the key is in no file") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    account(path);
    let file = path.join("tua.db.key");
    let copy = path.join("copy");
    fs::rename(&file, &copy).unwrap();
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["account", "create", "--name", "Adom"],
        &["audit", "verify"],
    ] {
        let said = refused(tua(path).args(arguments));
        assert!(said.contains("tua.db.key") && said.contains("restore"), "{said}");
        assert!(!file.exists(), "it was replaced");
    }
    fs::write(&file, "B".repeat(42) + "A").unwrap();
    let said = refused(tua(path).args(["serve", "--listen", "127.0.0.1:0"]));
    assert!(said.contains("tua.db.key") && said.contains("not the key"), "{said}");
    fs::rename(&copy, &file).unwrap();
    assert_unbroken(path, 3);
}
