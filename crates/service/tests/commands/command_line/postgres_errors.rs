//! Unusable PostgreSQL servers: reported in one line, without the password, and nothing is started.

use std::{path::Path, process::Command};
use tua_test_support::{
    binary::{RunningService, account, refused, tua, unreachable},
    test_database,
};
use url::Url;

/// `tua key list` on another database.
fn key_list_on(folder: &Path, change: impl FnOnce(Url) -> Url) -> Command {
    let mut command = tua(folder);
    command.args(["key", "list"]).env("TUA_DATABASE", test_database::url_with(folder, change));
    command
}

#[track_caller]
fn assert_error_contains(command: &mut Command, parts: &[&str]) {
    assert_contains(&refused(command), parts);
}

#[track_caller]
fn assert_contains(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "{part:?} is not in {said:?}");
    }
    assert!(!said.contains("hunter2"), "{said}");
}

#[test]
fn an_unusable_server_is_reported_in_one_line_without_the_password() {
    if test_database::skip_on_sqlite("it is about servers") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let user = |name: &'static str| {
        move |mut url: Url| {
            url.set_username(name).unwrap();
            url.set_password(Some("hunter2")).unwrap();
            url
        }
    };
    let make = |name: &str, options: &str| {
        let sql = format!(
            "DO $$ BEGIN CREATE ROLE {name} LOGIN {options}; EXCEPTION WHEN duplicate_object THEN \
             END $$"
        );
        test_database::execute(path, &sql);
    };
    make("tua_password", "PASSWORD 'right'");
    assert_error_contains(
        &mut key_list_on(path, user("tua_password")),
        &["database postgres://127.0.0.1", "refuses this user or password"],
    );
    make("tua_crowded", "CONNECTION LIMIT 0");
    let crowded = unreachable(&mut key_list_on(path, user("tua_crowded")));
    assert_contains(&crowded, &["out of connections", "max_connections"]);
    make("tua_stranger", "");
    assert_error_contains(&mut key_list_on(path, user("tua_stranger")), &["no schema to work in"]);

    let nowhere = |mut url: Url| {
        url.set_path("/nowhere");
        url
    };
    assert_error_contains(
        &mut key_list_on(path, nowhere),
        &["database postgres://127.0.0.1:", "/nowhere: ", "there is no such database", "createdb"],
    );
    let closed = |mut url: Url| {
        url.set_port(Some(1)).unwrap();
        url
    };
    assert_contains(&unreachable(&mut key_list_on(path, closed)), &["cannot be reached"]);
    let read_only = |mut url: Url| {
        url.set_query(Some("options=-c%20default_transaction_read_only%3Don"));
        url
    };
    assert_error_contains(&mut key_list_on(path, read_only), &["read-only"]);
    let unencrypted = |mut url: Url| {
        url.query_pairs_mut().append_pair("sslmode", "require");
        url
    };
    assert_error_contains(&mut key_list_on(path, unencrypted), &["cannot be reached", "TLS"]);
}

#[test]
fn a_server_that_is_too_old_is_rejected_with_its_version() {
    if test_database::skip_on_sqlite("it is about servers") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let old = "CREATE FUNCTION current_setting(text) RETURNS text LANGUAGE sql AS $$
                   SELECT CASE $1 WHEN 'server_version_num' THEN '130014' WHEN 'server_version' \
        THEN '13.14'
                          ELSE pg_catalog.current_setting($1) END $$";
    test_database::execute(folder.path(), old);
    // This function precedes the server's own in the search path.
    let first = |mut url: Url| {
        let options = url.query().unwrap().to_owned() + "%2Cpg_catalog";
        url.set_query(Some(&options));
        url
    };
    assert_error_contains(
        &mut key_list_on(folder.path(), first),
        &["PostgreSQL 13.14", "too old", "14 or newer"],
    );
    assert_eq!(
        test_database::query_number(
            folder.path(),
            "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        ),
        0
    );
}

#[test]
fn every_command_rejects_a_database_of_a_newer_version() {
    if test_database::skip_on_sqlite("a file says it otherwise") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    test_database::execute(folder.path(), "INSERT INTO tua_migrations VALUES (4000, now())");
    for verb in [&["serve", "--listen", "127.0.0.1:0"][..], &["key", "list"], &["migrate"]] {
        assert_error_contains(tua(folder.path()).args(verb), &["newer version"]);
    }
}

#[test]
fn ten_nodes_that_start_at_once_create_the_tables_once() {
    if test_database::skip_on_sqlite("one service serves a file") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let starting: Vec<_> =
        (0..10).map(|_| tua(folder.path()).args(["migrate", "--json"]).spawn().unwrap()).collect();
    for mut one in starting {
        assert!(one.wait().unwrap().success());
    }
    let files =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../store/migrations/postgres"))
            .unwrap()
            .count();
    let applied = test_database::query_number(folder.path(), "SELECT count(*) FROM tua_migrations");
    assert_eq!(usize::try_from(applied).unwrap(), files);
}

#[test]
fn all_nodes_need_the_same_server_key() {
    if test_database::skip_on_sqlite("a file has its key beside it") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let serve = || {
        let mut command = tua(folder.path());
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command
    };
    assert_error_contains(serve().env_remove("TUA_SERVER_KEY"), &["TUA_SERVER_KEY", "openssl"]);
    let first = RunningService::start(folder.path(), |_| {});
    let second = RunningService::start(folder.path(), |_| {});
    let other = "B".repeat(42) + "A";
    let said = refused(serve().env("TUA_SERVER_KEY", &other));
    assert!(
        said.contains("TUA_SERVER_KEY") && said.contains("same") && !said.contains(&other),
        "{said}"
    );
    let (id, ..) = account(folder.path());
    let add =
        ["webhook", "add", "--account", &id, "--mode", "test", "--url", "http://127.0.0.1:9/"];
    assert_error_contains(
        tua(folder.path()).args(add).env("TUA_SERVER_KEY", &other),
        &["TUA_SERVER_KEY", "same"],
    );
    assert_eq!((first.terminate(), second.terminate()), (Some(0), Some(0)));
}
