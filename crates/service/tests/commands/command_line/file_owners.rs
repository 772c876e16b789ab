//! Whose the files are that commands make in the data folder (docs/operations.md, "systemd"):
//! commands run as root, and the service does not.

use serde_json::Value;
use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink},
    path::Path,
    process::Command,
};
use tua_test_support::{
    binary::{RunningService, account, json, run, tua},
    eventually, test_database,
};

/// A user and a group that no other test uses, and that need not exist.
const SERVICE: (u32, u32) = (64_001, 64_002);

/// A data folder of the service's user. `None` where the test does not run as root, who alone can
/// give files away.
fn service_folder() -> Option<tempfile::TempDir> {
    if test_database::skip_on_postgres("it is about files") {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let is_root = chown(folder.path(), Some(SERVICE.0), Some(SERVICE.1)).is_ok();
    is_root.then_some(folder)
}

fn owner(path: &Path) -> (u32, u32) {
    let file = fs::metadata(path).unwrap();
    (file.uid(), file.gid())
}

/// The finding of `tua doctor` about the owners.
fn finding(folder: &Path) -> Value {
    let output = run(folder, &["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["check"] == "data folder").unwrap().clone()
}

#[test]
fn what_root_makes_in_the_data_folder_belongs_to_its_owner() {
    let Some(folder) = service_folder() else { return };
    let path = folder.path();
    account(path);
    RunningService::start(path, |_| {}).terminate();
    // The test has made this one.
    fs::remove_file(path.join("tua.log")).unwrap();
    json(path, &["server-key", "rotate"]);
    json(path, &["backup", "copy.db"]);
    let period = [
        "--from",
        "2026-01-01",
        "--to",
        "2026-01-31",
        "--format",
        "csv",
        "--output",
        "payments.csv",
    ];
    json(path, &[&["export", "transactions"][..], &period].concat());
    fs::copy(path.join("tua.db.key"), path.join("restored.db.key")).unwrap();
    chown(path.join("restored.db.key"), Some(SERVICE.0), Some(SERVICE.1)).unwrap();
    json(path, &["restore", "copy.db", "--database", "sqlite://restored.db"]);
    let files: Vec<_> = fs::read_dir(path).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 7, "{files:?}");
    for file in files {
        assert_eq!(owner(&file), SERVICE, "{}", file.display());
    }
    assert_eq!(finding(path)["severity"], "ok");
}

/// A link that the service's user has made.
fn link_of_service(target: &Path, link: &Path) {
    symlink(target, link).unwrap();
    lchown(link, Some(SERVICE.0), Some(SERVICE.1)).unwrap();
}

/// What a command says that fails.
#[track_caller]
fn failure(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn root_follows_no_link_that_the_service_has_made() {
    let Some(folder) = service_folder() else { return };
    let path = folder.path();
    let elsewhere = tempfile::tempdir().unwrap();
    let create = ["account", "create", "--name", "Adom Stores"];
    for name in ["tua.db", "tua.db.key"] {
        let link = path.join(name);
        let target = elsewhere.path().join(name);
        link_of_service(&target, &link);
        let said = failure(path, &create);
        assert!(said.contains(name) && said.contains("symbolic link"), "{said}");
        assert!(!target.exists(), "{name}");
        fs::remove_file(&link).unwrap();
    }
    assert_eq!(test_database::query_number(path, "SELECT count(*) FROM server_keys"), 0);
    account(path);

    // Of a database of somebody else, root makes no copy for the service either.
    let other = tempfile::tempdir().unwrap();
    account(other.path());
    fs::remove_file(path.join("tua.db")).unwrap();
    link_of_service(&other.path().join("tua.db"), &path.join("tua.db"));
    for arguments in [&["backup", "copy.db"][..], &["key", "list"], &["migrate"]] {
        let said = failure(path, arguments);
        assert!(said.contains("symbolic link"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_link_of_root_leads_to_a_private_file() {
    let Some(folder) = service_folder() else { return };
    let path = folder.path();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("large.db");
    symlink(&target, path.join("tua.db")).unwrap();
    account(path);
    assert_eq!(fs::metadata(&target).unwrap().mode() & 0o777, 0o600);
    json(path, &["backup", "copy.db"]);
    json(path, &["server-key", "rotate"]);
}

#[test]
fn a_pipe_in_place_of_a_lock_stops_no_command() {
    let Some(folder) = service_folder() else { return };
    let path = folder.path();
    account(path);
    for (name, arguments) in [
        ("tua.db.key.lock", &["server-key", "rotate"][..]),
        ("tua.db.lock", &["serve", "--listen", "127.0.0.1:0"]),
    ] {
        let lock = path.join(name);
        drop(fs::remove_file(&lock));
        assert!(Command::new("mkfifo").arg(&lock).status().unwrap().success());
        let said = failure(path, arguments);
        assert!(said.contains(name) && said.contains("not a regular file"), "{said}");
    }
}

#[test]
fn a_rotation_keeps_the_owner_and_the_mode_of_the_key_file() {
    let Some(folder) = service_folder() else { return };
    let path = folder.path();
    let key = folder.path().join("tua.db.key");
    account(path);
    let other = (64_003, 64_004);
    chown(&key, Some(other.0), Some(other.1)).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
    json(path, &["server-key", "rotate"]);
    assert_eq!(owner(&key), other);
    assert_eq!(fs::metadata(&key).unwrap().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&key).unwrap().split(',').count(), 2);
}

#[test]
fn doctor_finds_files_that_the_service_cannot_open() {
    let Some(folder) = service_folder() else { return };
    let path = folder.path();
    account(path);
    for (name, mode, is_open) in
        [("tua.db.key", 0o600, false), ("tua.db", 0o600, false), ("tua.db.key", 0o604, true)]
    {
        let file = path.join(name);
        chown(&file, Some(0), Some(0)).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let found = finding(path);
        assert_eq!(found["severity"] == "ok", is_open, "{name} {mode:o}: {found}");
        let text = found["message"].as_str().unwrap();
        assert!(is_open || text.contains(name) && text.contains("64001"), "{text}");
        chown(&file, Some(SERVICE.0), Some(SERVICE.1)).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_service_reports_a_key_file_that_it_cannot_read() {
    if test_database::skip_on_postgres("the key is in no file") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    account(path);
    let serving = RunningService::start(path, |_| {});
    let key = path.join("tua.db.key");
    let aside = path.join("aside");
    fs::rename(&key, &aside).unwrap();
    let reports = || serving.log().matches("the server key file cannot be read").count();
    eventually("it is reported", async || reports() == 1).await;
    assert!(serving.log().contains("tua.db.key"));
    fs::rename(&aside, &key).unwrap();
    eventually("the file is read again", async || serving.log().contains("server keys reloaded"))
        .await;
    assert_eq!(reports(), 1, "each fault is reported once");
    assert!(tua(path).args(["key", "list"]).status().unwrap().success());
}
