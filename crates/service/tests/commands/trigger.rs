//! `tua trigger` and `tua sandbox clock`
//! (docs/reference/command-line.md#develop-a-shop).

use super::developer::{NOWHERE, command};
use serde_json::{Value, json};
use std::{path::Path, process::Command};
use tua_test_support::binary::{RunningService, account, not_found, refused, run, tua};

/// What a command prints as JSON.
fn printed(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// A service whose sandbox decides a hundred times sooner.
fn fast_sandbox(folder: &Path) -> RunningService {
    RunningService::start(folder, |command| {
        command.args(["--sandbox-speed", "100"]);
    })
}

/// The types of the events of an account, the oldest first. On PostgreSQL, an event can be read a
/// moment after its request.
async fn event_types(serving: &RunningService, key: &str) -> Vec<String> {
    let page = serving.actor(key).get("/v1/events?after=&limit=100&wait=10").await.is(200).json();
    let types = page["data"].as_array().unwrap().iter();
    types.map(|event| event["type"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_are_triggered_with_their_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = fast_sandbox(path);
    for (event, network, status) in [
        ("charge.action_required", "MTN", "SUCCESSFUL"),
        ("charge.failed", "TELECEL", "FAILED"),
        ("charge.successful", "TELECEL", "SUCCESSFUL"),
        ("payout.failed", "MTN", "FAILED"),
        ("payout.successful", "AIRTELTIGO", "SUCCESSFUL"),
        ("refund.failed", "MTN", "FAILED"),
        ("refund.successful", "MTN", "SUCCESSFUL"),
        ("checkout.attempt_failed", "AIRTELTIGO", "FAILED"),
        ("checkout.paid", "MTN", "SUCCESSFUL"),
    ] {
        let arguments = ["trigger", event, "--network", network];
        let made = printed(&mut command(path, &key, &arguments, &serving.origin));
        assert_eq!(made["status"], status, "{event}: {made}");
        assert!(made["transactionId"].as_str().unwrap().starts_with("txn_"));
        assert_eq!(made["advancedSeconds"], Value::Null, "{event}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_trigger_waits_for_a_tap_on_the_simulated_phone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |command| {
        command.args(["--sandbox-speed", "100", "--sandbox-phone", "true"]);
    });
    for (event, status) in [
        ("charge.successful", "SUCCESSFUL"),
        ("refund.failed", "FAILED"),
        ("refund.delayed", "PENDING"),
        ("checkout.paid", "SUCCESSFUL"),
    ] {
        let made = printed(&mut command(path, &key, &["trigger", event], &serving.origin));
        assert_eq!(made["status"], status, "{event}: {made}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_that_come_with_time_are_triggered_by_the_sandbox_clock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = fast_sandbox(path);
    for (event, network, id, status, seconds) in [
        ("checkout.expired", "MTN", "checkoutId", "EXPIRED", 1860),
        ("charge.delayed", "MTN", "transactionId", "PENDING", 660),
        ("charge.delayed", "TELECEL", "transactionId", "PENDING", 660),
        ("payout.delayed", "AIRTELTIGO", "transactionId", "PENDING", 660),
        ("payout.reversed", "TELECEL", "transactionId", "SUCCESSFUL", 86_460),
        ("refund.delayed", "MTN", "refundId", "PENDING", 660),
    ] {
        let arguments = ["trigger", event, "--network", network];
        let made = printed(&mut command(path, &key, &arguments, &serving.origin));
        assert_eq!((&made["type"], &made["status"]), (&json!(event), &json!(status)), "{made}");
        assert_eq!(made["advancedSeconds"], seconds, "{made}");
        assert!(made[id].is_string(), "{made}");
        let types = event_types(&serving, &key).await;
        assert!(types.iter().any(|one| one == event), "{event}: {types:?}");
    }
    let text = tua(path)
        .args(["trigger", "checkout.expired", "--api-url", &serving.origin])
        .env("TUA_SECRET_KEY", &key)
        .output()
        .unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("EXPIRED\nThe sandbox clock was advanced by 1860 seconds"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_that_waits_for_an_approval_advances_no_clock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, _, key) = account(path);
    let limit = ["--mode", "test", "--payout-approval-above", "5"];
    let set = run(path, &[&["account", "set", "--account", &id][..], &limit].concat());
    assert!(set.status.success(), "{set:?}");
    let serving = fast_sandbox(path);
    let trigger = ["trigger", "payout.delayed"];
    let refusal = refused(&mut command(path, &key, &trigger, &serving.origin));
    assert!(refusal.contains("waits for an approval"), "{refusal}");
    assert_eq!(event_types(&serving, &key).await, ["payout.pending"]);
    let audit = printed(tua(path).args(["audit", "list", "--json"]));
    let actions = audit.as_array().unwrap().iter().map(|entry| &entry["action"]);
    assert!({ actions }.all(|action| action != "sandbox_clock.advanced"), "{audit}");
    let trigger = ["trigger", "payout.delayed", "--amount", "5"];
    let made = printed(&mut command(path, &key, &trigger, &serving.origin));
    assert_eq!(made["status"], "PENDING", "{made}");
}

#[test]
fn an_event_that_the_sandbox_cannot_make_is_refused_with_what_to_do_instead() {
    let folder = tempfile::tempdir().unwrap();
    for (event, instead) in [
        ("ping", "tua webhook ping ENDPOINT_ID"),
        ("charge.conflict", "--list"),
        ("payout.conflict", "--list"),
        ("refund.conflict", "--list"),
    ] {
        let trigger = ["trigger", event];
        let refusal = refused(&mut command(folder.path(), "tua_test_v2_x", &trigger, NOWHERE));
        assert!(refusal.contains(event) && refusal.contains(instead), "{refusal}");
    }
}

#[test]
fn the_list_names_the_events_that_advance_the_sandbox_clock() {
    let folder = tempfile::tempdir().unwrap();
    let listed = printed(tua(folder.path()).args(["trigger", "--list", "--json"]));
    let listed = listed.as_array().unwrap().iter();
    let advancing = listed.filter(|one| one["does"].as_str().unwrap().contains("sandbox clock"));
    let types: Vec<&Value> = advancing.map(|one| &one["type"]).collect();
    let expected = [
        "charge.delayed",
        "payout.delayed",
        "payout.reversed",
        "refund.delayed",
        "checkout.expired",
    ];
    assert_eq!(types, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sandbox_clock_is_advanced_in_the_database_and_over_the_api() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let shop = serving.actor(&key);
    let open = async || {
        let body = json!({ "amount": 1, "email": "ama@example.com" });
        let opened = shop.post("/v1/checkout", &body).await.is(201).json();
        serving.actor(opened["checkoutToken"].as_str().unwrap())
    };
    let clock = ["sandbox", "clock", "advance", "31m"];
    let payer = open().await;
    let mut in_database = tua(path);
    in_database.args(clock).args(["--account", &id, "--as", "Esi", "--json"]);
    // The account of the database counts: the variable is a setting of the machine.
    let advanced = printed(in_database.env("TUA_API_URL", NOWHERE));
    let due = json!({
        "checkouts": 1, "links": 0, "approvals": 0, "payments": 0, "delayed": 0, "deliveries": 0
    });
    assert_eq!(advanced, json!({ "seconds": 1860, "due": due }));
    payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");

    let payer = open().await;
    let advanced = printed(&mut command(path, &key, &clock, &serving.origin));
    assert_eq!(advanced, json!({ "seconds": 1860, "due": due }));
    payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");

    let without_account = refused(tua(path).args(clock));
    assert!(without_account.contains("--account or --api-url"), "{without_account}");
    not_found(tua(path).args(clock).args(["--account", "acc_none"]));
    refused(tua(path).args(["sandbox", "clock", "advance", "367d", "--account", &id]));
    let mut both = command(path, &key, &clock, &serving.origin);
    refused(both.args(["--account", &id]));
    let live = "tua_live_v2_secret";
    assert!(refused(&mut command(path, live, &clock, &serving.origin)).contains("live key"));
}
