//! Invalid database files: reported in one line, and not changed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tua_test_support::{
    binary::{RunningService, account, refused, tua},
    test_database,
};

fn commands(folder: &Path) -> [Command; 4] {
    let verbs: [&[&str]; 4] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &["key", "list"],
        &["key", "revoke", "key_none"],
        &["account", "create", "--name", "Adom Stores"],
    ];
    verbs.map(|arguments| {
        let mut command = tua(folder);
        command.args(arguments);
        command
    })
}

/// How an error message refers to a database file: with its whole path.
fn database_with_path(path: &Path) -> String {
    format!("database {}", path.display())
}

/// Asserts that every command rejects the database in one line with this text, and does not change
/// it.
#[track_caller]
fn assert_rejected(folder: &Path, part: &str) {
    let path = folder.join("tua.db");
    let before = fs::read(&path).ok();
    for mut command in commands(folder) {
        let said = refused(&mut command);
        assert!(
            said.contains(&database_with_path(&path)) && said.contains(part),
            "{command:?}: {said}"
        );
        assert!(fs::read(&path).ok() == before, "{command:?} changed the file");
    }
}

/// A database that has been used.
fn used_database() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        account(folder.path());
    }
    let path = folder.path().join("tua.db");
    // Move everything from the log into the database file.
    let database = rusqlite::Connection::open(&path).unwrap();
    database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    (folder, path)
}

#[test]
fn a_folder_in_place_of_the_database_file_is_rejected() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tua.db")).unwrap();
    assert_rejected(folder.path(), "cannot be opened");
}

#[test]
fn a_missing_folder_is_rejected_and_not_created() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for mut command in commands(folder.path()) {
        let said = refused(command.args(["--database", "sqlite://absent/tua.db"]));
        assert!(said.contains(&database_with_path(&folder.path().join("absent/tua.db"))), "{said}");
        let is_said = ["its folder does not exist", "there is no such file"]
            .iter()
            .any(|part| said.contains(part));
        assert!(is_said, "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn only_serve_and_account_create_create_a_missing_database() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for verb in [&["key", "list"][..], &["key", "revoke", "key_none"]] {
        let said =
            refused(tua(folder.path()).args(verb).args(["--database", "sqlite://mistyped.db"]));
        assert!(said.contains("mistyped.db"), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    account(folder.path());
    assert!(folder.path().join("tua.db").exists());
}

#[test]
fn a_file_that_is_no_database_is_rejected_and_not_changed() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    for bytes in
        [&b"Dear diary, today I was mistaken for a database. It was a long day."[..], &[0xa5; 8192]]
    {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tua.db"), bytes).unwrap();
        assert_rejected(folder.path(), "not an SQLite database");
    }
}

#[test]
fn a_truncated_database_is_rejected() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    for kept in [1, 2, 3] {
        let (folder, path) = used_database();
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() * kept / 4]).unwrap();
        assert_rejected(folder.path(), "damaged");
    }
}

#[test]
fn a_damaged_database_is_rejected() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let (folder, path) = used_database();
    let mut bytes = fs::read(&path).unwrap();
    for byte in bytes.iter_mut().skip(4096).step_by(3) {
        *byte ^= 0x5a;
    }
    fs::write(&path, bytes).unwrap();
    assert_rejected(folder.path(), "damaged");
}

#[test]
fn a_database_of_a_newer_version_is_rejected() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let (folder, path) = used_database();
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 4000).unwrap();
    assert_rejected(folder.path(), "newer version");
}

#[test]
fn another_programs_database_is_rejected() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    // A table with the name of one of Tua's, and one with another name alone.
    for table in ["accounts", "notes"] {
        let folder = tempfile::tempdir().unwrap();
        let other = rusqlite::Connection::open(folder.path().join("tua.db")).unwrap();
        other
            .execute_batch(&format!(
                "CREATE TABLE {table} (number INTEGER); INSERT INTO {table} VALUES (1)"
            ))
            .unwrap();
        drop(other);
        assert_rejected(folder.path(), "another program");
    }
}

#[test]
fn an_invalid_server_key_is_rejected_and_not_printed() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tua.db.key"), "hunter2").unwrap();
    let said = refused(tua(folder.path()).args(["serve", "--listen", "127.0.0.1:0"]));
    assert!(said.contains("tua.db.key") && !said.contains("hunter2"), "{said}");
}

#[test]
fn an_empty_file_becomes_a_database() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tua.db"), "").unwrap();
    assert_eq!(RunningService::start(folder.path(), |_| {}).terminate(), Some(0));
}
