//! `tua server-key rotate` beside a running service (docs/reference/credentials.md, "Server key").

use reqwest::Method;
use serde_json::{Value, json};
use std::{fs, path::Path};
use tua_test_support::{
    ApiClient,
    binary::{RunningService, account, json, run, tua},
    eventually, test_database,
    webhook_receiver::WebhookReceiver,
};

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

async fn post(shop: &ApiClient, path: &str, body: &Value, key: &str) -> Value {
    shop.send(Method::POST, path, &[("idempotency-key", key)], Some(&body.to_string())).await.json()
}

/// Rotates, and returns how a later service gets its keys.
async fn rotate(path: &Path, running: &RunningService) -> Option<String> {
    let rotated = json(path, &["server-key", "rotate", "--as", "Esi"]);
    assert_eq!(rotated["version"], 2);
    if test_database::is_sqlite() {
        eventually("the running service uses the new key", async || {
            running.log().contains("server keys reloaded")
        })
        .await;
    }
    rotated["serverKey"].as_str().map(str::to_owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_earlier_server_key_made_stays_valid_after_a_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, _, v2) = account(path);
    let serving = RunningService::start(path, |_| {});
    let receiver = WebhookReceiver::start().await;
    let added =
        json(path, &["webhook", "add", "--account", &id, "--mode", "test", "--url", &receiver.url]);
    let shop = serving.actor(&v2);
    let session = json!({ "amount": 2, "email": "ama@example.com" });
    let opened = post(&shop, "/v1/checkout", &session, "one").await;
    let payout = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    let paid = post(&shop, "/v1/payout", &payout, "two").await;

    // Sent with the old key.
    receiver.wait_for_webhooks(2).await;

    let keys = rotate(path, &serving).await;
    serving.terminate();
    let serving = RunningService::start(path, |command| {
        if let Some(keys) = &keys {
            command.env("TUA_SERVER_KEY", keys);
        }
    });
    let shop = serving.actor(&v2);
    assert_eq!(
        post(&shop, "/v1/checkout", &session, "one").await["checkoutToken"],
        opened["checkoutToken"]
    );
    assert_eq!(
        post(&shop, "/v1/payout", &payout, "two").await["transactionId"],
        paid["transactionId"]
    );
    let other = json!({ "amount": 3, "phoneNumber": "0241230007", "network": "MTN" });
    assert_eq!(post(&shop, "/v1/payout", &other, "two").await["code"], "idempotency_key_reused");
    serving.actor(opened["checkoutToken"].as_str().unwrap()).get("/v1/checkout").await.is(200);

    // New tokens are made with the new key, and are replayed, too.
    let next = post(&shop, "/v1/checkout", &session, "three").await;
    assert_eq!(
        post(&shop, "/v1/checkout", &session, "three").await["checkoutToken"],
        next["checkoutToken"]
    );
    // The endpoint's secret is still encrypted with the old key, and signs what comes now.
    let of_next = || {
        let heard = receiver.received();
        heard.into_iter().find(|one| one.json()["data"]["checkoutId"] == next["checkoutId"])
    };
    eventually("the event of the new session", async || of_next().is_some()).await;
    let secret = added["secret"].as_str().unwrap();
    assert!(receiver.received().iter().all(|one| one.is_signed_with(secret)));

    // The audit log goes on under the new key, and the old one is needed for its beginning.
    let with = |keys: &str, arguments: &[&str]| {
        tua(path).env("TUA_SERVER_KEY", keys).args(arguments).output().unwrap()
    };
    let list = keys.unwrap_or_else(|| fs::read_to_string(path.join("tua.db.key")).unwrap());
    assert!(with(&list, &["account", "create", "--name", "Adom"]).status.success());
    let log: Value =
        serde_json::from_slice(&with(&list, &["audit", "list", "--json"]).stdout).unwrap();
    let log = log.as_array().unwrap();
    let rotated = log.iter().find(|entry| entry["action"] == "server_key.rotated").unwrap();
    assert_eq!((&rotated["keyVersion"], &rotated["after"]), (&json!(1), &json!({ "version": 2 })));
    assert!(text(&rotated["actor"]).starts_with("Esi ("));
    assert_eq!(log.last().unwrap()["keyVersion"], 2);
    assert_eq!(with(&list, &["audit", "verify"]).status.code(), Some(0));
    let (new, old) = list.split_once(',').unwrap();
    for (keys, version) in [(new, "version 1"), (old, "version 2")] {
        let output = with(keys, &["audit", "verify"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(version) && !said.contains(new) && !said.contains(old), "{said}");
    }
}

#[test]
fn two_rotations_follow_each_other_and_no_key_is_lost() {
    if test_database::skip_on_postgres("the key is in no file") {
        return;
    }
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    account(path);
    let first = fs::read_to_string(path.join("tua.db.key")).unwrap();
    let racing: Vec<_> = (0..4)
        .map(|_| tua(path).args(["server-key", "rotate", "--json"]).spawn().unwrap())
        .collect();
    let done = racing
        .into_iter()
        .map(|mut one| one.wait().unwrap().success())
        .filter(|success| *success)
        .count();
    let file = path.join("tua.db.key");
    let keys = fs::read_to_string(&file).unwrap();
    assert_eq!(
        keys.split(',').count(),
        done + 1,
        "each rotation that succeeded has its key in the file"
    );
    assert!(done >= 1 && keys.ends_with(&first));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(run(path, &["audit", "verify"]).status.success());
}
