//! `tua backup` and `tua restore` (docs/operations.md, "Backups").

use serde_json::{Value, json};
use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};
use tokio::net::TcpListener;
use tua_emulator::{Emulator, Settings};
use tua_test_support::{
    binary::{RunningService, account, json, refused, run, tua},
    eventually, test_database,
};

/// `tua` on a database that is restored.
fn on_restored(folder: &Path) -> Command {
    let mut command = tua(folder);
    command.env("TUA_DATABASE", "sqlite://restored.db");
    command
}

#[test]
fn postgresql_has_backups_of_its_own() {
    if test_database::skip_on_sqlite("the file is backed up") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let said = refused(tua(folder.path()).args(["backup", "copy.db"]));
    assert!(said.contains("pg_dump"), "{said}");
    assert!(refused(tua(folder.path()).args(["restore", "copy.db"])).contains("PostgreSQL"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_beside_the_running_service_is_restored_with_its_key() {
    if test_database::skip_on_postgres("pg_dump does this") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let shop = serving.actor(&key);
    let payment = json!({ "amount": 1, "phoneNumber": "0241230006", "network": "MTN" });
    let before = shop.post("/v1/charge", &payment).await.is(202).id();
    let made = json(path, &["backup", "copy.db"]);
    let after = shop.post("/v1/charge", &payment).await.is(202).id();

    let copy = path.join("copy.db");
    let metadata = fs::metadata(&copy).unwrap();
    assert_eq!(
        (metadata.permissions().mode() & 0o777, json!(metadata.len())),
        (0o600, made["bytes"].clone())
    );
    let server_key = test_database::server_key_text(path);
    let bytes = fs::read(&copy).unwrap();
    assert!(
        !bytes.windows(server_key.len()).any(|part| part == server_key.as_bytes()),
        "it has the server key"
    );
    let said = refused(tua(path).args(["backup", "copy.db"]));
    assert!(said.contains("exists"), "{said}");
    assert_eq!(fs::read(&copy).unwrap(), bytes, "an existing file stays as it is");

    // Without the key, with a wrong one, onto an existing database, or from half a file: nothing is
    // written.
    let files = || {
        fs::read_dir(path)
            .unwrap()
            .map(|file| file.unwrap().file_name())
            .collect::<std::collections::BTreeSet<_>>()
    };
    let there = files();
    let said = refused(on_restored(path).args(["restore", "copy.db"]));
    assert!(said.contains("restored.db.key"), "{said}");
    let said = refused(
        on_restored(path).args(["restore", "copy.db"]).env("TUA_SERVER_KEY", "A".repeat(43)),
    );
    assert!(said.contains("another server key"), "{said}");
    let said = refused(tua(path).args(["restore", "copy.db"]));
    assert!(said.contains("it exists"), "{said}");
    assert_eq!(files(), there);
    fs::write(path.join("half.db"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(path.join("other.db"), "hunter2").unwrap();
    let there = files();
    for broken in ["half.db", "other.db", "none.db"] {
        let said = refused(
            on_restored(path).args(["restore", broken]).env("TUA_SERVER_KEY", server_key.trim()),
        );
        assert!(said.contains(broken), "{said}");
        assert_eq!(files(), there);
    }
    serving.terminate();

    fs::copy(path.join("tua.db.key"), path.join("restored.db.key")).unwrap();
    let restored = on_restored(path).args(["restore", "copy.db", "--json"]).output().unwrap();
    assert!(restored.status.success(), "{restored:?}");
    assert_eq!(fs::metadata(path.join("restored.db")).unwrap().permissions().mode() & 0o777, 0o600);
    let verified = on_restored(path).args(["audit", "verify"]).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
    let listed = on_restored(path).args(["audit", "list"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(
        listed.contains("database.restored") && listed.contains("\"suspendedAccounts\":1"),
        "{listed}"
    );
    let serving = RunningService::start(path, |command| {
        command.env("TUA_DATABASE", "sqlite://restored.db");
    });
    let shop = serving.actor(&key);
    assert_eq!(shop.status(&before).await["status"], "FAILED");
    shop.get(&format!("/v1/status/{after}")).await.is(404);
    assert!(run(path, &["audit", "verify"]).status.success(), "the first database is as it was");
}

/// Wherever the keys are: in the file, or in `TUA_SERVER_KEY`.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_from_before_a_rotation_of_the_server_key_is_restored_with_the_present_keys() {
    if test_database::skip_on_postgres("pg_dump does this") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    json(path, &["backup", "copy.db"]);
    for _ in 0..2 {
        json(path, &["server-key", "rotate"]);
    }
    let keys = test_database::server_key_text(path);
    assert_eq!(keys.trim().split(',').count(), 3);
    for (database, is_in_file) in [("file.db", true), ("given.db", false)] {
        let place = |command: &mut Command| {
            command.env("TUA_DATABASE", format!("sqlite://{database}"));
            if !is_in_file {
                command.env("TUA_SERVER_KEY", keys.trim());
            }
        };
        if is_in_file {
            fs::copy(path.join("tua.db.key"), path.join("file.db.key")).unwrap();
        }
        let run = |arguments: &[&str]| {
            let mut command = tua(path);
            place(&mut command);
            command.args(arguments).output().unwrap()
        };
        let restored = run(&["restore", "copy.db"]);
        assert!(restored.status.success(), "{database}: {restored:?}");
        let verified = run(&["audit", "verify"]);
        assert!(verified.status.success(), "{database}: {verified:?}");
        let rotated = run(&["server-key", "rotate"]);
        assert!(rotated.status.success(), "{database}: {rotated:?}");
        let serving = RunningService::start(path, place);
        serving.actor(&key).get("/v1/networks").await.is(200);
    }
}

/// A payout is approved and sent after the backup. In the restored database it looks unsent.
#[tokio::test(flavor = "multi_thread")]
async fn resuming_a_restored_account_asks_operators_about_what_looks_unsent() {
    if test_database::skip_on_postgres("pg_dump does this") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let emulator = Emulator::start(listener, Settings::default()).unwrap();
    let settings = run(path, &["emulate", "--listen", &address, "--print-config"]).stdout;
    fs::write(path.join("tua.toml"), settings).unwrap();
    let serving = RunningService::start(path, |command| {
        command.args(["--config", "tua.toml"]);
    });
    let (id, ..) = account(path);
    json(
        path,
        &["account", "set", "--account", &id, "--mode", "live", "--payout-approval-above", "0"],
    );
    let key = json(path, &["key", "create", "--account", &id, "--mode", "live"]);
    let shop = serving.actor(key["key"].as_str().unwrap());
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let sent = shop.post("/v1/payout", &body).await.is(202).id();
    let waiting = shop.post("/v1/payout", &body).await.is(202).id();
    json(path, &["backup", "copy.db"]);
    json(path, &["payout", "approve", &sent, "--as", "Esi", "--config", "tua.toml"]);
    eventually("the payout is sent", async || !emulator.orders().is_empty()).await;
    serving.terminate();

    fs::copy(path.join("tua.db.key"), path.join("restored.db.key")).unwrap();
    assert!(on_restored(path).args(["restore", "copy.db"]).output().unwrap().status.success());
    let resume = ["account", "resume", &id];
    let said = refused(on_restored(path).args(resume));
    assert!(
        said.contains("stays suspended") && said.contains(&sent) && said.contains("--config"),
        "{said}"
    );
    let accounts = on_restored(path).args(["account", "list", "--json"]).output().unwrap().stdout;
    assert!(String::from_utf8(accounts).unwrap().contains(r#""suspendedAt":"2"#));
    let resumed =
        on_restored(path).args(resume).args(["--config", "tua.toml", "--json"]).output().unwrap();
    let resumed: Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!(
        (&resumed["found"], &resumed["unanswered"]),
        (&json!([sent]), &json!([])),
        "{resumed}"
    );
    assert_eq!(
        (&resumed["payoutsToApprove"], &resumed["suspendedAt"]),
        (&json!(1), &Value::Null),
        "{resumed}"
    );
    let shown = on_restored(path).args(["transaction", "show", &sent]).output().unwrap().stdout;
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("found at operator"), "{shown}");
    let listed = on_restored(path).args(["payout", "list"]).output().unwrap().stdout;
    let listed = String::from_utf8(listed).unwrap();
    assert!(listed.contains(&waiting) && !listed.contains(&sent), "{listed}");
    let restored_db = rusqlite::Connection::open(path.join("restored.db")).unwrap();
    let unsent = "SELECT count(*) FROM transactions \
        WHERE id = ?1 AND (handed_over_at IS NULL OR send_at IS NOT NULL)";
    let unsent: i64 = restored_db.query_row(unsent, [&sent], |row| row.get(0)).unwrap();
    assert_eq!(unsent, 0, "a service on this database does not send it again");
    let again =
        on_restored(path).args(resume).args(["--config", "tua.toml"]).output().unwrap().stdout;
    let again = String::from_utf8(again).unwrap();
    assert!(again.contains("import the operators' statements since the backup"), "{again}");
}
