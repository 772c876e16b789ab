//! `tua backup` and `tua restore` (docs/operations.md, "Backups").

use crate::support::{
    binary::{RunningService, account, json, refused, run, tua},
    test_database,
};
use serde_json::json;
use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

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
    assert_eq!((metadata.permissions().mode() & 0o777, json!(metadata.len())), (0o600, made["bytes"].clone()));
    let server_key = test_database::server_key_text(path);
    let bytes = fs::read(&copy).unwrap();
    assert!(!bytes.windows(server_key.len()).any(|part| part == server_key.as_bytes()), "it has the server key");
    let said = refused(tua(path).args(["backup", "copy.db"]));
    assert!(said.contains("exists"), "{said}");
    assert_eq!(fs::read(&copy).unwrap(), bytes, "an existing file stays as it is");

    // Without the key, with a wrong one, onto an existing database, or from half a file: nothing is written.
    let files =
        || fs::read_dir(path).unwrap().map(|file| file.unwrap().file_name()).collect::<std::collections::BTreeSet<_>>();
    let there = files();
    let said = refused(on_restored(path).args(["restore", "copy.db"]));
    assert!(said.contains("restored.db.key"), "{said}");
    let said = refused(on_restored(path).args(["restore", "copy.db"]).env("TUA_SERVER_KEY", "A".repeat(43)));
    assert!(said.contains("another server key"), "{said}");
    let said = refused(tua(path).args(["restore", "copy.db"]));
    assert!(said.contains("it exists"), "{said}");
    assert_eq!(files(), there);
    fs::write(path.join("half.db"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(path.join("other.db"), "hunter2").unwrap();
    let there = files();
    for broken in ["half.db", "other.db", "none.db"] {
        let said = refused(on_restored(path).args(["restore", broken]).env("TUA_SERVER_KEY", server_key.trim()));
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
    assert!(listed.contains("database.restored") && listed.contains("\"suspendedAccounts\":1"), "{listed}");
    let serving = RunningService::start(path, |command| {
        command.env("TUA_DATABASE", "sqlite://restored.db");
    });
    let shop = serving.actor(&key);
    assert_eq!(shop.status(&before).await["status"], "FAILED");
    shop.get(&format!("/v1/status/{after}")).await.is(404);
    assert!(run(path, &["audit", "verify"]).status.success(), "the first database is as it was");
}
