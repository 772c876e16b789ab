//! `tua webhook`.

use serde_json::{Value, json as value};
use std::path::Path;
use tua_test_support::{
    binary::{RunningService, account, json, not_found, run, tua},
    test_database,
    webhook_receiver::{ResponseMode, WebhookReceiver},
};

/// An endpoint for this address: its id.
fn endpoint(path: &Path, url: &str) -> String {
    let (id, ..) = account(path);
    let added = json(path, &["webhook", "add", "--account", &id, "--mode", "test", "--url", url]);
    added["endpointId"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ping_waits_for_its_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let receiver = WebhookReceiver::start().await;
    let endpoint = endpoint(path, &receiver.url);
    let _serving = RunningService::start(path, |_| {});
    let accepted = json(path, &["webhook", "ping", &endpoint]);
    let seen = (&accepted["status"], &accepted["httpStatus"], &accepted["response"]);
    assert_eq!(seen, (&value!("DELIVERED"), &value!(204), &Value::Null));

    receiver.respond_with(ResponseMode::Text(401, "bad signature\r\n\u{1b}[2J\u{202e}!"));
    let output = run(path, &["webhook", "ping", &endpoint]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("HTTP 401: bad signature [2J!"), "{said:?}");
    assert!(said.contains(&format!("tua webhook rotate {endpoint}")), "{said}");
    let listed = String::from_utf8(run(path, &["webhook", "deliveries"]).stdout).unwrap();
    assert!(listed.contains("it responded with status 401: bad signature [2J!"), "{listed}");
    let listed = json(path, &["webhook", "deliveries", "--payload"]);
    assert_eq!(listed[0]["response"], "bad signature [2J!");
    let sent = &receiver.received()[1];
    assert_eq!(listed[0]["payload"], sent.json());
    let listed = run(path, &["webhook", "deliveries", "--payload"]);
    assert!(String::from_utf8(listed.stdout).unwrap().contains(&sent.text), "byte for byte");
    let listed = json(path, &["webhook", "deliveries"]);
    assert!(listed[0].get("payload").is_none(), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ping_of_a_server_that_is_not_reached_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let endpoint = endpoint(path, "http://127.0.0.1:9/hooks");
    let _serving = RunningService::start(path, |_| {});
    let output = run(path, &["webhook", "ping", &endpoint]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("not reached") && said.contains("tua webhook list"), "{said}");
}

#[test]
fn a_ping_without_a_service_says_that_it_was_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = endpoint(folder.path(), "http://127.0.0.1:9/hooks");
    let output = run(folder.path(), &["webhook", "ping", &endpoint]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("Is `tua serve` running"), "{said}");
}

#[test]
fn failed_deliveries_of_a_period_are_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, ..) = account(path);
    let url = "http://127.0.0.1:9/hooks";
    let endpoint =
        json(path, &["webhook", "add", "--account", &id, "--mode", "test", "--url", url]);
    let endpoint = endpoint["endpointId"].as_str().unwrap();
    // 2 June, 3 June and 4 June 2026.
    for (number, at) in
        [1_780_444_799_999_i64, 1_780_444_800_000, 1_780_531_200_000].into_iter().enumerate()
    {
        json(path, &["webhook", "ping", endpoint, "--no-wait"]);
        let fail = format!(
            "UPDATE webhook_deliveries SET status = 'FAILED', due_at = NULL, occurred_at = {at} \
             WHERE status = 'PENDING'"
        );
        assert_eq!(test_database::execute(path, &fail), 1, "{number}");
    }
    let resend = |period: &[&str]| {
        json(path, &[&["webhook", "resend", endpoint], period].concat())["resent"].clone()
    };
    assert_eq!(resend(&["--from", "2026-06-05"]), 0);
    assert_eq!(resend(&["--from", "2026-06-03", "--to", "2026-06-03"]), 1);
    assert_eq!(
        resend(&["--from", "2026-06-03", "--to", "2026-06-03"]),
        0,
        "what waits is not sent twice"
    );
    assert_eq!(resend(&[]), 2);
    let hold = "UPDATE webhook_deliveries SET due_at = NULL";
    assert_eq!(test_database::execute(path, hold), 3);
    let held = json(path, &["webhook", "deliveries", "--endpoint", endpoint, "--status", "HELD"]);
    assert_eq!(held.as_array().unwrap().len(), 3);
    assert_eq!(held[0]["status"], "HELD");
    assert_eq!(resend(&[]), 3, "what was recorded while it was disabled");
    let listed = json(path, &["webhook", "deliveries", "--status", "PENDING"]);
    assert_eq!(listed.as_array().unwrap().len(), 3);
    let unknown = not_found(tua(path).args(["webhook", "resend", "whe_none"]));
    assert!(unknown.contains("whe_none"), "{unknown}");
}

#[test]
fn a_disabled_endpoint_is_not_pinged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, ..) = account(path);
    let url = "http://127.0.0.1:9/hooks";
    let endpoint =
        json(path, &["webhook", "add", "--account", &id, "--mode", "test", "--url", url]);
    let endpoint = endpoint["endpointId"].as_str().unwrap();
    let disable = "UPDATE webhook_endpoints SET disabled_at = 1780444800000";
    assert_eq!(test_database::execute(path, disable), 1);
    let refused = tua(path).args(["webhook", "ping", endpoint]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let fault = String::from_utf8(refused.stderr).unwrap();
    assert!(fault.contains("disabled") && fault.contains("tua webhook enable"), "{fault}");
    let printed = tua(path).args(["webhook", "ping", endpoint, "--json"]).output().unwrap();
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(printed["error"]["code"], "endpoint_disabled");
    assert_eq!(json(path, &["webhook", "deliveries"]), serde_json::json!([]));
}
