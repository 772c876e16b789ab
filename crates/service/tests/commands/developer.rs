//! `tua listen` and `tua events`, and what all commands with a test key refuse
//! (docs/reference/command-line.md#develop-a-shop).

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};
use tua_test_support::{
    binary::{RunningService, account, refused, tua, unreachable},
    webhook_receiver::{ResponseMode, WebhookReceiver},
};

/// A running `tua listen --json`. Dropping it kills it.
struct Listener {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Listener {
    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Fails if the test ended it already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `tua` with a test key and the address of an API, which prints JSON.
pub(super) fn command(folder: &Path, key: &str, arguments: &[&str], origin: &str) -> Command {
    let mut command = tua(folder);
    command.env("TUA_SECRET_KEY", key).args(arguments).args(["--api-url", origin, "--json"]);
    command
}

fn listen(folder: &Path, key: &str, origin: &str, to: &str, options: &[&str]) -> Listener {
    let arguments = [&["listen", "--forward-to", to], options].concat();
    begin(&mut command(folder, key, &arguments, origin))
}

fn begin(listen: &mut Command) -> Listener {
    let mut child = listen.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    Listener { child, lines }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_triggered_and_forwarded_as_signed_webhooks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    let receiver = WebhookReceiver::start().await;
    let mut listener = listen(path, &key, &serving.origin, &receiver.url, &[]);
    let begun = listener.next();
    let secret = begun["secret"].as_str().unwrap().to_owned();
    assert_eq!(begun["forwardTo"], receiver.url.as_str());

    let trigger = ["trigger", "checkout.closed", "--amount", "12.50"];
    let output = command(path, &key, &trigger, &serving.origin).output().unwrap();
    let made: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {output:?}");
    });
    assert_eq!((&made["type"], &made["status"]), (&json!("checkout.closed"), &json!("CLOSED")));
    let received = receiver.wait_for_webhooks(2).await;
    assert_eq!(receiver.types(), ["checkout.opened", "checkout.closed"]);
    assert!(received.iter().all(|webhook| webhook.is_signed_with(&secret)));
    assert_eq!(received[0].json()["data"]["amount"], json!(12.5));
    let printed = [listener.next(), listener.next()];
    assert_eq!(printed[1]["eventId"], received[1].header("webhook-id"));
    assert_eq!((&printed[1]["status"], &printed[1]["error"]), (&json!(204), &Value::Null));

    receiver.respond_with(ResponseMode::Text(500, "wrong secret"));
    let id = printed[1]["eventId"].as_str().unwrap();
    let resend = ["events", "resend", id, "--forward-to", &receiver.url];
    let mut resend = command(path, &key, &resend, &serving.origin);
    assert!(refused(&mut resend).contains("TUA_WEBHOOK_SECRET is not set"));
    let output = resend.env("TUA_WEBHOOK_SECRET", &secret).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let resent: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&resent["status"], &resent["response"]), (&json!(500), &json!("wrong secret")));
    let received = receiver.wait_for_webhooks(3).await;
    assert!(received[2].is_signed_with(&secret));
    assert_eq!(received[2].text, received[1].text);

    let process = listener.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    assert_eq!(listener.child.wait().unwrap().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_events_of_the_wanted_types_are_forwarded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let receiver = WebhookReceiver::start().await;
    let wanted = ["--events", "checkout.closed,charge.failed"];
    let mut listener = listen(path, &key, &serving.origin, &receiver.url, &wanted);
    assert!(listener.next()["secret"].as_str().unwrap().starts_with("whsec_"));
    let trigger = ["trigger", "checkout.closed"];
    let output = command(path, &key, &trigger, &serving.origin).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    receiver.wait_for_webhooks(1).await;
    assert_eq!(receiver.types(), ["checkout.closed"], "checkout.opened came before it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_was_given_is_used_and_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let receiver = WebhookReceiver::start().await;
    let to = receiver.url.replace("http://", "http://ama:hush@");
    let mut listen = command(path, &key, &["listen", "--forward-to", &to], &serving.origin);
    let mut listener = begin(listen.env("TUA_WEBHOOK_SECRET", SECRET));
    assert_eq!(listener.next(), json!({ "forwardTo": receiver.url, "secret": SECRET }));
    let trigger = ["trigger", "checkout.closed"];
    let output = command(path, &key, &trigger, &serving.origin).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let received = receiver.wait_for_webhooks(1).await;
    assert!(received[0].is_signed_with(SECRET));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_secret_counts_as_unset() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let receiver = WebhookReceiver::start().await;
    let forward = ["listen", "--forward-to", &receiver.url];
    let mut listen = command(path, &key, &forward, &serving.origin);
    let mut listener = begin(listen.env("TUA_WEBHOOK_SECRET", ""));
    let secret = listener.next()["secret"].as_str().unwrap().to_owned();
    assert!(secret.len() > "whsec_".len(), "{secret}");
    let resend = ["events", "resend", "msg_1", "--forward-to", &receiver.url];
    let mut resend = command(path, &key, &resend, &serving.origin);
    let refusal = refused(resend.env("TUA_WEBHOOK_SECRET", ""));
    assert!(refusal.contains("TUA_WEBHOOK_SECRET is not set"), "{refusal}");
}

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A service that no request reaches.
pub(super) const NOWHERE: &str = "http://127.0.0.1:9";

const LISTEN: [&str; 3] = ["listen", "--forward-to", "http://127.0.0.1:9/"];

#[test]
fn a_live_key_is_refused_without_repeating_it() {
    let folder = tempfile::tempdir().unwrap();
    let live = "tua_live_v2_0123456789abcdef";
    let refusal = refused(&mut command(folder.path(), live, &LISTEN, NOWHERE));
    assert!(refusal.contains("live key") && !refusal.contains(live), "{refusal}");
}

#[test]
fn a_missing_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = refused(tua(folder.path()).args(LISTEN));
    assert!(refusal.contains("TUA_SECRET_KEY is not set"), "{refusal}");
    let refusal = refused(tua(folder.path()).args(LISTEN).env("TUA_SECRET_KEY", ""));
    assert!(refusal.contains("TUA_SECRET_KEY is not set"), "{refusal}");
}

#[test]
fn a_service_that_cannot_be_reached_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let fault = unreachable(&mut command(folder.path(), "tua_test_v2_x", &LISTEN, NOWHERE));
    assert!(fault.contains(NOWHERE), "{fault}");
}

#[test]
fn the_address_of_the_api_is_that_of_the_environment_unless_a_flag_names_another() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &LISTEN[..],
        &["trigger", "checkout.opened"],
        &["events", "resend", "msg_1", "--forward-to", "http://127.0.0.1:9/"],
        &["sandbox", "clock", "advance", "1s"],
    ] {
        let begin = || {
            let mut command = tua(folder.path());
            command.args(arguments).env("TUA_SECRET_KEY", "tua_test_v2_x");
            command.env("TUA_WEBHOOK_SECRET", SECRET).env("TUA_API_URL", NOWHERE);
            command
        };
        let fault = unreachable(&mut begin());
        assert!(fault.contains(&format!("{NOWHERE}/v1: ")), "{fault}");
        let other = "http://127.0.0.1:7";
        let fault = unreachable(begin().args(["--api-url", other]));
        assert!(fault.contains(&format!("{other}/v1: ")), "{fault}");
        let refusal = refused(begin().env("TUA_API_URL", "nowhere"));
        assert!(refusal.contains("it must be an address"), "{refusal}");
    }
}

#[test]
fn an_id_that_is_of_no_event_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let resend = ["events", "resend", "txn_1", "--forward-to", "http://127.0.0.1:9/"];
    let refusal = refused(&mut command(folder.path(), "tua_test_v2_x", &resend, NOWHERE));
    assert!(refusal.contains("msg_"), "{refusal}");
}

#[test]
fn a_secret_that_is_none_of_webhooks_is_refused_without_repeating_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut listen = command(folder.path(), "tua_test_v2_x", &LISTEN, NOWHERE);
    let refusal = refused(listen.env("TUA_WEBHOOK_SECRET", "whsec_é"));
    let is_named = refusal.contains("TUA_WEBHOOK_SECRET is not a secret of webhooks");
    assert!(is_named && !refusal.contains("é"), "{refusal}");
}
