//! Arguments, environment and configuration file: an error is one line with exit code 2, and
//! nothing is started (docs/reference/command-line.md).

use std::{fs, net::TcpListener, path::Path, process::Command};
use tua_test_support::{
    binary::{RunningService, account, json, not_found, refused, run, tua},
    test_database,
};

pub(super) fn serve(folder: &Path) -> Command {
    let mut command = tua(folder);
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    command
}

/// Asserts that the line contains all of these texts.
#[track_caller]
pub(super) fn assert_error_contains(command: &mut Command, parts: &[&str]) {
    let line = refused(command);
    for part in parts {
        assert!(line.contains(part), "{part:?} is not in {line:?}");
    }
}

#[test]
fn an_invalid_flag_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, parts) in [
        (&["serve", "--prot", "80"][..], &["--prot"][..]),
        (&["serve", "80"], &["80"]),
        (&["serve", "--listen"], &["--listen"]),
        (&["serve", "--sandbox-speed", "fast"], &["sandbox-speed", "fast"]),
        (&["serve", "--sandbox-speed", "0"], &["sandbox-speed", "\"0\""]),
        (&["serve", "--sandbox-speed=-1"], &["sandbox-speed", "-1"]),
        (&["serve", "--sandbox-speed", "NaN"], &["sandbox-speed", "NaN"]),
        (&["serve", "--sandbox-speed", "inf"], &["sandbox-speed", "inf"]),
        (&["serve", "--sandbox-phone", "maybe"], &["--sandbox-phone", "maybe"]),
        (&["serve", "--limits", "some"], &["limits", "some"]),
        (&["serve", "--public-url", "pay.example"], &["public-url", "pay.example"]),
        (&["serve", "--public-url", "https://pay.example/base"], &["public-url", "/base"]),
        (&["serve", "--listen", "nonsense"], &["listen", "nonsense"]),
        (&["serve", "--listen", "127.0.0.1:99999"], &["listen", "99999"]),
        (&["serve", "--listen", "192.0.2.1:80"], &["listen", "192.0.2.1:80"]),
        (&["srve"], &["srve"]),
        (&["key", "destroy"], &["destroy"]),
        (&["account", "create"], &["--name"]),
        (
            &["export", "transactions", "--from", "28/11/2026", "--to", "2026-11-30"],
            &["--from", "28/11/2026", "a day such as 2026-01-31"],
        ),
        (&[], &["see `tua --help`"]),
    ] {
        assert_error_contains(tua(folder.path()).args(arguments), parts);
    }
}

#[test]
fn a_flag_that_names_the_subject_of_a_command_reads_no_environment() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let id = id.as_str();
    for (variable, value, arguments, missing) in [
        (
            "TUA_URL",
            "http://127.0.0.1:8080",
            &["webhook", "add", "--account", id, "--mode", "test"][..],
            "--url",
        ),
        ("TUA_NAME", "Adom", &["account", "create"], "--name"),
        ("TUA_FROM", "2026-11-01", &["export", "transactions", "--to", "2026-11-02"], "--from"),
        ("TUA_AS", "successful", &["review", "settle", "txn_1", "--note", "n"], "--as"),
        ("TUA_NOTE", "n", &["review", "settle", "txn_1", "--as", "failed"], "--note"),
        (
            "TUA_AMOUNT",
            "5",
            &["quote", "--account", id, "--mode", "test", "--network", "MTN", "--type", "CHARGE"],
            "AMOUNT",
        ),
    ] {
        assert_error_contains(tua(folder.path()).args(arguments).env(variable, value), &[missing]);
    }
    // What is meant for every command is read.
    let create = tua(folder.path())
        .args(["key", "create"])
        .env("TUA_ACCOUNT", id)
        .env("TUA_MODE", "test")
        .output();
    assert!(create.unwrap().status.success());
}

#[test]
fn all_configuration_errors_are_reported_on_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let wrong =
        ["--public-url", "x", "--sandbox-speed", "y", "--limits", "z", "--database", "mysql://w"];
    let parts = ["public-url", "sandbox-speed", "limits", "mysql://w"];
    assert_error_contains(serve(folder.path()).args(wrong), &parts);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no transaction was created");
}

#[test]
fn every_command_reports_an_invalid_database_url() {
    let folder = tempfile::tempdir().unwrap();
    for (address, part) in [
        ("tua.db", "\"tua.db\""),
        ("sqlite:tua.db", "\"sqlite:tua.db\""),
        ("sqlite://", "\"sqlite://\""),
        ("mysql://localhost/tua", "\"mysql://localhost/tua\""),
        ("postgres://", "host"),
        ("postgres://tua@localhost", "name of the database"),
        ("", "\"\""),
    ] {
        for verb in [
            &["serve"][..],
            &["key", "list"],
            &["account", "create", "--name", "A"],
            &["key", "revoke", "k"],
        ] {
            assert_error_contains(
                tua(folder.path()).args(verb).args(["--database", address]),
                &["database: ", part],
            );
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_invalid_configuration_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tua.toml");
    assert_error_contains(
        serve(folder.path()).args(["--config", "absent.toml"]),
        &["config absent.toml"],
    );
    assert_error_contains(serve(folder.path()).args(["--config", "."]), &["config ."]);
    for (text, part) in [
        ("listne = \"127.0.0.1:0\"\n", "listne"),
        ("listen = \"127.0.0.1:0\"\n\nlistne = 1\n", "listne"),
        ("listen = 80\n", "line 1: listen: this is the integer `80`, but it must be a text"),
        ("listen = \n", "tua.toml"),
        ("sandbox-speed = \"fast\"\n", "fast"),
        ("limits = \"some\"\n", "some"),
        ("database = \"mysql://x\"\n[extra]\n", "extra"),
        ("\u{0}\u{1}", "tua.toml"),
    ] {
        fs::write(&path, text).unwrap();
        assert_error_contains(
            serve(folder.path()).args(["--config", "tua.toml"]),
            &["tua: ", part],
        );
    }
    fs::write(&path, [0xff, 0xfe]).unwrap();
    assert_error_contains(
        serve(folder.path()).args(["--config", "tua.toml"]),
        &["config tua.toml"],
    );
}

#[test]
fn flags_override_the_configuration_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "public-url = \"https://pay.example\"\nsandbox-speed = \"50\"\nlimits = \"off\"\n\
        listen = \"nonsense\"\n";
    fs::write(folder.path().join("tua.toml"), text).unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--config", "tua.toml"]);
    });
    assert_eq!(serving.origin, "https://pay.example");
    assert_eq!(serving.terminate(), Some(0));
}

#[test]
fn a_port_in_use_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = busy.local_addr().unwrap().to_string();
    assert_error_contains(
        tua(folder.path()).args(["serve", "--listen", &address]),
        &["listen", &address, "--listen"],
    );
    assert!(!folder.path().join("tua.db").exists() && !folder.path().join("tua.db.key").exists());
}

#[test]
fn unknown_accounts_and_keys_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let create = |account: &str, mode: &str, generation: &str| {
        let mut command = tua(folder.path());
        command.args([
            "key",
            "create",
            "--account",
            account,
            "--mode",
            mode,
            "--generation",
            generation,
        ]);
        command
    };
    assert!(not_found(&mut create("acc_none", "test", "v2")).contains("acc_none"));
    assert_error_contains(&mut create(&id, "real", "v2"), &["--mode", "real", "test or live"]);
    assert_error_contains(&mut create(&id, "test", "v3"), &["--generation", "v3", "v1 or v2"]);
    let unknown = not_found(tua(folder.path()).args(["key", "revoke", "key_none"]));
    assert!(unknown.contains("key_none"), "{unknown}");
    for name in ["", " ", "a\nb", "\u{7}", &"n".repeat(81)] {
        assert_error_contains(
            tua(folder.path()).args(["account", "create", "--name", name]),
            &["name"],
        );
    }
    assert_eq!(
        json(folder.path(), &["key", "list"]).as_array().unwrap().len(),
        2,
        "nothing was created"
    );
}

#[test]
fn a_mistyped_path_does_not_create_a_database() {
    if test_database::skip_on_postgres("it is about paths") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["key", "list"][..], &["key", "revoke", "key_none"]] {
        assert_error_contains(
            tua(folder.path()).args(arguments),
            &["tua.db: there is", "no such file", "--database"],
        );
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_table_and_json_do_not_share_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let day = ["--from", "2026-11-01", "--to", "2026-11-01", "--format", "csv"];
    let export = [&["export", "transactions"][..], &day].concat();
    let mut both = tua(folder.path());
    assert_error_contains(both.args(&export).arg("--json"), &["output: ", "name a file"]);
    let named = json(folder.path(), &[&export[..], &["--output", "table.csv"]].concat());
    assert_eq!((&named["file"], &named["rows"]), (&"table.csv".into(), &0.into()));
}

#[test]
fn help_and_version_exit_with_0() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in
        [&["--help"][..], &["--version"], &["serve", "--help"], &["key", "create", "-h"], &["help"]]
    {
        let output = run(folder.path(), arguments);
        assert!(
            output.status.success() && !output.stdout.is_empty() && output.stderr.is_empty(),
            "{output:?}"
        );
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_password_on_the_command_line_is_warned_of_and_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let said = |command: &mut Command| String::from_utf8(command.output().unwrap().stderr).unwrap();
    let copy = ["copy", "--from", "sqlite://tua.db"];
    let to = "postgres://tua:hunter2@127.0.0.1:9/tua";
    let text = said(tua(folder.path()).args(copy).args(["--to", to]));
    assert!(text.contains("a secret is on the command line") && text.contains("--to"), "{text}");
    let text = said(tua(folder.path()).args(copy).env("TUA_COPY_TO", to));
    assert!(!text.contains("a secret is on the command line"), "{text}");
    for refused in [said(tua(folder.path()).args(["key", "list", "--database", to])), text] {
        assert!(!refused.contains("hunter2"), "{refused}");
    }
}

#[test]
fn an_address_of_staff_is_bare() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    for address in [
        "owner@a.example (x) <y@evil.example>",
        "Esi <esi@example.com>",
        "esi@example.com,y@evil.example",
    ] {
        let line = refused(tua(folder.path()).args([
            "user",
            "invite",
            address,
            "--account",
            &id,
            "--role",
            "owner",
        ]));
        assert!(line.contains("e-mail address"), "{line}");
        let line = refused(serve(folder.path()).args([
            "--acme",
            "pay.example",
            "--acme-contact",
            address,
        ]));
        assert!(line.contains("acme-contact"), "{line}");
    }
}
