//! `tua webhook` while the service runs (docs/reference/command-line.md).

use serde_json::{Value, json};
use std::{fs, path::Path};
use tua_test_support::{
    binary::{RunningService, account, json, not_found, refused, run, tua},
    eventually,
    webhook_receiver::{ResponseMode, WebhookReceiver},
};

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn add(folder: &Path, account: &str, url: &str) -> Value {
    json(folder, &["webhook", "add", "--account", account, "--mode", "test", "--url", url])
}

#[tokio::test(flavor = "multi_thread")]
async fn endpoints_can_be_managed_while_the_service_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, _, v2) = account(path);
    let serving = RunningService::start(path, |_| {});
    let receiver = WebhookReceiver::start().await;
    let added = add(path, &id, &receiver.url);
    let endpoint = text(&added["endpointId"]);
    let secret = text(&added["secret"]);
    assert!(endpoint.starts_with("whe_") && secret.starts_with("whsec_"));

    let payout = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    serving.actor(&v2).post("/v1/payout", &payout).await.is(202);
    let heard = receiver.wait_for_webhooks(1).await;
    assert!(heard[0].is_signed_with(secret));
    eventually("it is listed as delivered", async || {
        let listed = json(path, &["webhook", "deliveries", "--endpoint", endpoint]);
        listed[0]["status"] == "DELIVERED"
            && listed[0]["type"] == "payout.pending"
            && listed[0]["httpStatus"] == 204
    })
    .await;

    let rotated = json(path, &["webhook", "rotate", endpoint, "--overlap", "1h"]);
    json(path, &["webhook", "ping", endpoint]);
    let heard = receiver.wait_for_webhooks(2).await;
    assert!(heard[1].is_signed_with(secret) && heard[1].is_signed_with(text(&rotated["secret"])));

    receiver.respond_with(ResponseMode::Status(410));
    let delivery = json(path, &["webhook", "deliveries"])[0]["deliveryId"].clone();
    json(path, &["webhook", "replay", text(&delivery)]);
    receiver.wait_for_webhooks(3).await;
    eventually("it is disabled", async || {
        json(path, &["webhook", "list", "--account", &id])[0]["disabledAt"].is_string()
    })
    .await;
    assert_eq!(
        json(path, &["webhook", "deliveries", "--status", "FAILED"]).as_array().unwrap().len(),
        1
    );
    doctor_warns_of_a_disabled_endpoint(path);
    serving.actor(&v2).post("/v1/payout", &payout).await.is(202);
    let enabled = json(path, &["webhook", "enable", endpoint, "--resend"]);
    assert_eq!(
        (&enabled["disabledAt"], &enabled["recorded"], &enabled["resent"]),
        (&Value::Null, &json!(1), &json!(true))
    );
    let before = json(path, &["webhook", "deliveries", "--endpoint", endpoint]);
    json(path, &["webhook", "remove", endpoint]);
    assert_eq!(json(path, &["webhook", "list"]), json!([]));
    let after = json(path, &["webhook", "deliveries", "--endpoint", endpoint]);
    assert_eq!(
        (after.as_array().unwrap().len(), before.as_array().unwrap().len()),
        (3, 3),
        "its history is kept"
    );
    assert!(after.as_array().unwrap().iter().all(|one| one["status"] != "PENDING"), "{after}");
    for (command, id) in [
        ("remove", endpoint),
        ("enable", endpoint),
        ("ping", endpoint),
        ("replay", text(&delivery)),
    ] {
        not_found(tua(path).args(["webhook", command, id]));
    }
    serving.actor(&v2).post("/v1/payout", &payout).await.is(202);
    assert_eq!(
        json(path, &["webhook", "deliveries"]).as_array().unwrap().len(),
        3,
        "it receives no more events"
    );

    for file in fs::read_dir(path).unwrap() {
        let file = file.unwrap().path();
        let bytes = fs::read(&file).unwrap();
        for secret in [secret, text(&rotated["secret"])] {
            let secret = secret.trim_start_matches("whsec_").as_bytes();
            assert!(
                !bytes.windows(secret.len()).any(|window| window == secret),
                "a secret is in {}",
                file.display()
            );
        }
    }
}

fn doctor_warns_of_a_disabled_endpoint(folder: &Path) {
    let report = run(folder, &["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let check = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["check"] == "webhooks")
        .unwrap();
    assert_eq!(check["severity"], "warning", "{check}");
    assert!(text(&check["message"]).starts_with("test: 1 disabled endpoints"), "{check}");
}

#[test]
fn webhook_commands_report_each_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, ..) = account(path);
    let add = |account: &str, mode: &str, url: &str| {
        let mut command = tua(path);
        command.args(["webhook", "add", "--account", account, "--mode", mode, "--url", url]);
        command
    };
    for (mode, url, part) in [
        ("test", "shop.example", "https://"),
        ("test", "https://user:hunter2@shop.example/", "password"),
        ("test", "https://shop.example/#x", "fragment"),
        ("test", "http://169.254.169.254/", "link-local"),
        ("live", "http://shop.example/", "https://"),
        ("live", "https://[::1]:8443/", "private"),
        ("live", "https://10.0.0.1/", "private"),
        ("test", "http://168.63.129.16/", "reserved"),
        ("test", "http://[64:ff9b:1::a9fe:a9fe]/", "reserved"),
        ("live", "https://192.88.99.1/", "reserved"),
        ("live", "https://shop.example/\u{1b}[2J", "control characters"),
    ] {
        let said = refused(&mut add(&id, mode, url));
        assert!(
            said.contains("url: ") && said.contains(part) && !said.contains("hunter2"),
            "{said}"
        );
    }
    let unknown = not_found(&mut add("acc_nobody", "test", "https://shop.example/"));
    assert!(unknown.contains("acc_nobody"), "{unknown}");
    for verb in ["remove", "rotate", "enable", "ping"] {
        assert!(
            not_found(tua(path).args(["webhook", verb, "whe_nothing"])).contains("whe_nothing")
        );
    }
    assert!(
        not_found(tua(path).args(["webhook", "replay", "whd_nothing"])).contains("whd_nothing")
    );
    assert!(
        not_found(tua(path).args(["webhook", "deliveries", "--endpoint", "whe_nothing"]))
            .contains("whe_nothing")
    );
    assert!(
        not_found(tua(path).args(["webhook", "list", "--account", "acc_nobody"]))
            .contains("acc_nobody")
    );
}
