//! Faults: their exit codes, and the object that `--json` prints
//! (docs/reference/command-line.md#exit-codes).

use serde_json::{Value, json};
use std::{path::Path, process::Command};
use tua_test_support::binary::{RunningService, account, json as run_json, refused, tua};

/// Port 9 of this machine, where nothing listens.
const NO_SERVER: [&str; 2] = ["--database", "postgres://tua@127.0.0.1:9/tua"];
const NO_API: [&str; 2] = ["--api-url", "http://127.0.0.1:9"];

/// The exit code of a command with `--json`, and the fault that it prints.
fn fault(command: &mut Command) -> (Option<i32>, Value) {
    let output = command.arg("--json").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let printed: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{command:?}: {error}: {stderr}"));
    let fault = printed["error"].clone();
    let message = fault["message"].as_str().unwrap();
    assert_eq!(stderr, format!("tua: {message}\n"), "the same line for people");
    (output.status.code(), fault)
}

#[track_caller]
fn assert_fault(command: &mut Command, exit_code: i32, code: &str) {
    let (printed_code, fault) = fault(command);
    assert_eq!((printed_code, &fault["code"]), (Some(exit_code), &json!(code)), "{fault}");
}

#[test]
fn what_does_not_exist_has_its_own_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    account(path);
    for arguments in [
        &["account", "suspend", "acc_none"][..],
        &["account", "rename", "acc_none", "--name", "A"],
        &["account", "resume", "acc_none"],
        &["account", "set", "--account", "acc_none", "--receipts", "on"],
        &["key", "list", "--account", "acc_none"],
        &["key", "create", "--account", "acc_none", "--mode", "test"],
        &["key", "rotate", "key_none"],
        &["key", "revoke", "key_none"],
        &["link", "show", "lnk_none"],
        &["link", "close", "lnk_none"],
        &["webhook", "ping", "whe_none"],
        &["webhook", "deliveries", "--endpoint", "whe_none"],
        &["webhook", "replay", "whd_none"],
        &["transaction", "show", "txn_none"],
        &["transaction", "list", "--account", "acc_none"],
        &["payout", "approve", "txn_none", "--as", "Esi"],
        &["payout", "cancel", "bat_none"],
        &["payout", "batch", "show", "bat_none"],
        &["refund", "show", "txn_none"],
        &["refund", "list", "--transaction", "txn_none"],
        &["review", "settle", "txn_none", "--as", "failed", "--note", "n"],
        &["sandbox", "expire", "chk_none"],
        &["sandbox", "clock", "advance", "1m", "--account", "acc_none"],
        &["statement", "show", "stm_none"],
        &["user", "reset", "nobody@example.com"],
    ] {
        assert_fault(tua(path).args(arguments), 3, "not_found");
    }
}

#[test]
fn what_cannot_be_reached_has_its_own_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for arguments in [&["key", "list"][..], &["migrate"], &["webhook", "deliveries"]] {
        let mut command = tua(path);
        assert_fault(command.args(arguments).args(NO_SERVER), 4, "database_unavailable");
    }
    for arguments in [
        &["listen", "--forward-to", "http://127.0.0.1:9"][..],
        &["logs", "tail"],
        &["trigger", "charge.successful"],
        &["sandbox", "clock", "advance", "1m"],
    ] {
        let mut command = tua(path);
        command.env("TUA_SECRET_KEY", "tua_test_v2_x");
        assert_fault(command.args(arguments).args(NO_API), 4, "api_unavailable");
    }
    // A service that cannot start has a fault of its settings.
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let line = refused(tua(path).args(serve).args(NO_SERVER).env("TUA_SERVER_KEY", key));
    assert!(line.contains("cannot be reached"), "{line}");
}

#[test]
fn other_faults_keep_the_exit_code_of_a_command_that_could_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for arguments in [
        &["key", "destroy"][..],
        &["key", "list", "--colour", "red"],
        &["webhook", "deliveries", "--limit", "many"],
    ] {
        assert_fault(tua(path).args(arguments), 2, "invalid_argument");
    }
    assert_fault(tua(path).args(["key", "list", "--database", "sqlite://absent.db"]), 2, "failed");
    assert_fault(tua(path).args(["key", "list", "--database", "sqlite://a/tua.db"]), 2, "failed");
    std::fs::write(path.join("text.db"), "no database".repeat(500)).unwrap();
    assert_fault(tua(path).args(["key", "list", "--database", "sqlite://text.db"]), 2, "failed");
}

#[test]
fn the_variable_asks_for_json_too() {
    let folder = tempfile::tempdir().unwrap();
    let output = |json: &str| {
        let mut command = tua(folder.path());
        let output = command.args(["key", "destroy"]).env("TUA_JSON", json).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(output("true").starts_with("{\"error\":{"));
    assert_eq!((output("false"), output("")), (String::new(), String::new()));
}

fn with_key(path: &Path, key: &str, origin: &str, arguments: &[&str]) -> Command {
    let mut command = tua(path);
    command.args(arguments).args(["--api-url", origin]).env("TUA_SECRET_KEY", key);
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_of_the_api_has_the_code_of_its_problem() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let origin = &serving.origin;
    let trigger = ["trigger", "checkout.opened"];
    let wrong = "tua_test_v2_x";
    let (code, refusal) = fault(&mut with_key(path, wrong, origin, &trigger));
    assert_eq!((code, &refusal["code"]), (Some(2), &json!("invalid_credentials")), "{refusal}");
    assert_eq!(refusal["details"]["httpStatus"], 401);
    assert!(refusal["details"]["requestId"].is_string(), "{refusal}");
    let resend = ["events", "resend", "msg_1", "--forward-to", "http://127.0.0.1:9"];
    let mut resend = with_key(path, &key, origin, &resend);
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let (code, refusal) = fault(resend.env("TUA_WEBHOOK_SECRET", secret));
    assert_eq!((code, &refusal["details"]["httpStatus"]), (Some(3), &json!(404)), "{refusal}");
    // What is printed with success has no member `error`.
    assert!(run_json(path, &["account", "list"])[0].get("error").is_none());
}
