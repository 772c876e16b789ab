//! `tua logs tail` (docs/reference/command-line.md#develop-a-shop).

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStderr, ChildStdout, Stdio},
};
use tua_test_support::{
    binary::{RunningService, account, not_found, refused, tua},
    client, eventually,
    webhook_receiver::{ResponseMode, WebhookReceiver},
};

/// A running `tua logs tail --json`. Dropping it kills it.
struct Tail {
    child: Child,
    errors: BufReader<ChildStderr>,
    lines: BufReader<ChildStdout>,
}

impl Tail {
    /// Begins, and waits until it follows.
    fn begin(folder: &Path, key: &str, origin: &str, options: &[&str]) -> Self {
        let mut command = tua(folder);
        command.env("TUA_SECRET_KEY", key).args(["logs", "tail", "--json", "--api-url", origin]);
        command.args(options).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut begun = String::new();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        errors.read_line(&mut begun).unwrap();
        assert!(begun.starts_with("Following test mode"), "{begun}");
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, errors, lines }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The next entry of this kind.
    fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let entry = self.next();
            if entry["kind"] == kind {
                return entry;
            }
        }
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        // Fails if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_events_and_deliveries_are_printed_as_they_happen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let receiver = WebhookReceiver::start().await;
    receiver.respond_with(ResponseMode::Status(503));
    let shop = serving.actor(&key);
    shop.post("/v1/webhooks", &json!({ "url": receiver.url })).await.is(201);
    let mut tail = Tail::begin(path, &key, &serving.origin, &[]);
    let mut failures = Tail::begin(path, &key, &serving.origin, &["--failed"]);

    let body = json!({ "amount": 5, "email": "ama@example.com" });
    let opened = shop.post("/v1/checkout", &body).await.is(201);
    let request = tail.next_of("request");
    assert_eq!(
        (&request["method"], &request["route"], &request["status"], &request["code"]),
        (&json!("POST"), &json!("/v1/checkout"), &json!(201), &Value::Null)
    );
    assert_eq!(request["requestId"], opened.header("x-request-id"));
    assert!(request["keyId"].as_str().unwrap().starts_with("key_"), "{request}");
    // On PostgreSQL the event comes some seconds later, and the delivery is repeated meanwhile.
    let mut delivery = Value::Null;
    let mut event = Value::Null;
    while delivery.is_null() || event.is_null() {
        let entry = tail.next();
        match entry["kind"].as_str() {
            Some("delivery") if delivery.is_null() => delivery = entry,
            Some("event") => event = entry,
            _ => {}
        }
    }
    assert_eq!(event["type"], "checkout.opened");
    assert_eq!(
        (&delivery["type"], &delivery["attempt"], &delivery["httpStatus"]),
        (&json!("checkout.opened"), &json!(1), &json!(503))
    );
    assert_eq!(delivery["eventId"], event["eventId"]);

    // A payer, whose token is in no entry, and a refusal.
    let token = opened.json()["checkoutToken"].as_str().unwrap().to_owned();
    serving.actor(&token).post("/v1/charge", &json!({})).await.is(422);
    let refused = tail.next_of("request");
    assert_eq!((&refused["status"], &refused["keyId"]), (&json!(422), &Value::Null));
    assert_eq!(refused["code"], "validation_failed");
    assert_eq!(failures.next()["kind"], "delivery");
    assert_eq!(failures.next_of("request"), refused);
    // A request of nobody is in no account's log.
    let unknown = client().get(format!("{}/v1/transactions", serving.origin));
    assert_eq!(unknown.send().await.unwrap().status(), 401);
    shop.get("/v1/transactions?q=secret").await.is(422);
    assert_eq!(tail.next_of("request")["route"], "/v1/transactions");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_of_the_service_is_told_and_what_comes_then_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let mut tail = Tail::begin(path, &key, &serving.origin, &["--type", "request"]);
    let shop = serving.actor(&key);
    shop.get("/v1/checkouts").await.is(200);
    assert_eq!(tail.next()["route"], "/v1/checkouts");
    let listen = serving.origin.trim_start_matches("http://").to_owned();
    serving.kill();
    let restarted = RunningService::start_on(path, &listen, |_| {});
    let mut told = String::new();
    while !told.contains("it was restarted") {
        assert!(tail.errors.read_line(&mut told).unwrap() > 0, "{told}");
    }
    restarted.actor(&key).get("/v1/links").await.is(200);
    assert_eq!(tail.next()["route"], "/v1/links");
}

/// What `tua logs --request` prints.
fn trace(folder: &Path, key: &str, origin: &str, id: &str) -> Vec<Value> {
    let mut command = tua(folder);
    command.env("TUA_SECRET_KEY", key);
    let output =
        command.args(["logs", "--request", id, "--json", "--api-url", origin]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_found_with_its_events_and_deliveries() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let receiver = WebhookReceiver::start().await;
    let shop = serving.actor(&key);
    shop.post("/v1/webhooks", &json!({ "url": receiver.url })).await.is(201);
    let payout = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    let begun = shop.post("/v1/payout", &payout).await.is(202);
    let session = json!({ "amount": 5, "email": "ama@example.com" });
    let opened = shop.post("/v1/checkout", &session).await.is(201);
    receiver.wait_for_webhooks(2).await;
    for (response, kind, event) in
        [(begun, "/v1/payout", "payout.pending"), (opened, "/v1/checkout", "checkout.opened")]
    {
        let id = response.header("x-request-id");
        let printed = || trace(path, &key, &serving.origin, id);
        eventually("the delivery is logged", async || printed().len() == 3).await;
        let [request, event_line, delivery] = printed().try_into().unwrap();
        assert_eq!((&request["kind"], &request["route"]), (&json!("request"), &json!(kind)));
        assert_eq!(request["requestId"], id);
        assert_eq!((&event_line["kind"], &event_line["type"]), (&json!("event"), &json!(event)));
        assert_eq!(delivery["kind"], "delivery");
        assert_eq!(delivery["eventId"], event_line["eventId"]);
    }
    let mut command = tua(path);
    command.env("TUA_SECRET_KEY", &key);
    command.args(["logs", "--request", "req_none", "--api-url", &serving.origin]);
    assert!(not_found(&mut command).starts_with("tua: req_none: "));
}

#[test]
fn a_live_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = tua(folder.path());
    command.env("TUA_SECRET_KEY", "tua_live_v2_secret").args(["logs", "tail"]);
    assert!(refused(&mut command).contains("TUA_SECRET_KEY is a live key"));
}
