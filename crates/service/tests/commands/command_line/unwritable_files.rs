//! A database file, a lock or a key that may not be written: one line with the whole path and the
//! user.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
    process::Command,
};
use tua_test_support::{
    binary::{account, tua},
    test_database,
};

/// A user without rights, whom these tests use where they run as root, which may write everything.
const NOBODY: u32 = 65_534;

/// `tua` as a user who owns nothing, and the id of this user.
fn as_another_user(folder: &Path) -> (Command, u32) {
    let mut command = tua(folder);
    let own = rustix::process::geteuid().as_raw();
    if own == 0 {
        command.uid(NOBODY).gid(NOBODY);
        return (command, NOBODY);
    }
    (command, own)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_file_that_may_not_be_written_is_named_with_its_whole_path_and_the_user() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    for (name, arguments) in [
        ("tua.db", &["key", "list"][..]),
        ("tua.db.lock", &["serve", "--listen", "127.0.0.1:0"]),
        ("tua.db.key", &["serve", "--listen", "127.0.0.1:0"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        account(path);
        fs::write(path.join("tua.db.lock"), "").unwrap();
        set_mode(path, 0o777);
        for file in fs::read_dir(path).unwrap() {
            set_mode(&file.unwrap().path(), 0o666);
        }
        // A lock and a key are only read.
        set_mode(&path.join(name), if name == "tua.db" { 0o444 } else { 0o000 });
        let (mut command, user) = as_another_user(path);
        let fault = tua_test_support::binary::refused(command.args(arguments));
        let whole = path.canonicalize().unwrap().join(name).display().to_string();
        assert!(fault.contains(&whole), "{name}: {fault}");
        assert!(fault.contains(&format!("user id {user}")), "{name}: {fault}");
    }
}

#[test]
fn a_folder_that_may_not_be_written_is_named_too() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o555);
    let (mut command, user) = as_another_user(folder.path());
    let fault =
        tua_test_support::binary::refused(command.args(["account", "create", "--name", "Adom"]));
    let whole = folder.path().canonicalize().unwrap().display().to_string();
    assert!(fault.contains(&whole) && fault.contains(&format!("user id {user}")), "{fault}");
    set_mode(folder.path(), 0o755);
}
