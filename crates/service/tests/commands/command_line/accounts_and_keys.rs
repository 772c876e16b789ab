//! `tua account` and `tua key` while the service runs (docs/reference/command-line.md).

use serde_json::{Value, json};
use tua_test_support::binary::{RunningService, account, json, not_found, refused, run, tua};

#[tokio::test]
async fn a_new_key_is_valid_at_once_and_a_revoked_key_is_rejected_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (id, v1, v2) = account(folder.path());
    let payment = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });
    serving.actor(&v1).post("/v1/charge", &payment).await.is(202);
    serving.actor(&v2).post("/v1/charge", &payment).await.is(202);

    for (mode, generation, prefix) in [
        ("test", "v1", "sk_test_"),
        ("live", "v1", "sk_live_"),
        ("test", "v2", "tua_test_v2_"),
        ("live", "v2", "tua_live_v2_"),
    ] {
        let made = json(
            folder.path(),
            &["key", "create", "--account", &id, "--mode", mode, "--generation", generation],
        );
        let key = made["key"].as_str().unwrap();
        assert!(key.starts_with(prefix) && key.len() >= prefix.len() + 22, "{made}");
        let opened = if mode == "test" { 202 } else { 503 };
        serving.actor(key).post("/v1/charge", &payment).await.is(opened);
        let revoked = json(folder.path(), &["key", "revoke", made["keyId"].as_str().unwrap()]);
        assert!(revoked["revokedAt"].is_string() && revoked["key"].is_null(), "{revoked}");
        serving
            .actor(key)
            .post("/v1/charge", &payment)
            .await
            .is_problem(401, "invalid_credentials");
        let again = json(folder.path(), &["key", "revoke", made["keyId"].as_str().unwrap()]);
        assert_eq!(again["revokedAt"], revoked["revokedAt"], "the first time is kept");
    }
    serving.actor(&v1).post("/v1/charge", &payment).await.is(202);
}

#[test]
fn a_key_list_identifies_keys_without_their_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let (id, v1, v2) = account(folder.path());
    let (other, ..) = account(folder.path());
    let all = json(folder.path(), &["key", "list"]);
    assert_eq!(all.as_array().unwrap().len(), 4);
    let listed = json(folder.path(), &["key", "list", "--account", &id]);
    let keys = listed.as_array().unwrap();
    assert_eq!(keys.len(), 2);
    for (key, (text, generation)) in keys.iter().zip([(v1, "v1"), (v2, "v2")]) {
        assert_eq!((&key["accountId"], &key["mode"]), (&json!(id), &json!("test")));
        assert_eq!(key["generation"], generation);
        assert!(
            text.starts_with(key["prefix"].as_str().unwrap())
                && text.ends_with(key["lastFour"].as_str().unwrap())
        );
        assert_eq!((&key["revokedAt"], key.get("key")), (&Value::Null, None));
    }
    assert_ne!(id, other);
    let said = not_found(tua(folder.path()).args(["key", "list", "--account", "acc_none"]));
    assert!(said.contains("acc_none"), "{said}");
}

#[tokio::test]
async fn an_account_is_suspended_resumed_and_renamed_beside_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (id, _, v2) = account(folder.path());
    let payment = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });
    let suspended = json(folder.path(), &["account", "suspend", &id]);
    assert!(suspended["suspendedAt"].is_string() && suspended["accountId"] == id, "{suspended}");
    serving.actor(&v2).post("/v1/charge", &payment).await.is_problem(403, "account_suspended");
    assert_eq!(
        json(folder.path(), &["account", "suspend", &id]),
        suspended,
        "the first time is kept"
    );
    assert_eq!(json(folder.path(), &["account", "list"]), json!([suspended]));
    assert_eq!(json(folder.path(), &["account", "resume", &id])["suspendedAt"], Value::Null);
    serving.actor(&v2).post("/v1/charge", &payment).await.is(202);
    assert_eq!(
        json(folder.path(), &["account", "rename", &id, "--name", " Esi's "])["name"],
        "Esi's"
    );
    not_found(tua(folder.path()).args(["account", "suspend", "acc_none"]));
    refused(tua(folder.path()).args(["account", "rename", &id, "--name", " "]));
}

#[tokio::test]
async fn revoking_a_key_closes_its_checkouts_unless_they_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (id, ..) = account(folder.path());
    for (flag, status) in [(None, 401), (Some("--keep-sessions"), 200)] {
        let create = ["key", "create", "--account", &id, "--mode", "test", "--generation", "v2"];
        let made = json(folder.path(), &create);
        let body = json!({ "amount": 1, "email": "ama@example.com" });
        let opened = serving
            .actor(made["key"].as_str().unwrap())
            .post("/v1/checkout", &body)
            .await
            .is(201)
            .json();
        let revoke: Vec<&str> =
            ["key", "revoke", made["keyId"].as_str().unwrap()].into_iter().chain(flag).collect();
        json(folder.path(), &revoke);
        let payer = serving.actor(opened["checkoutToken"].as_str().unwrap());
        payer.get("/v1/checkout").await.is(status);
        if flag.is_some() {
            let checkout = opened["checkoutId"].as_str().unwrap();
            let expired = json(folder.path(), &["sandbox", "expire", checkout]);
            assert_eq!(expired["checkoutId"], checkout);
            payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
        }
    }
    not_found(tua(folder.path()).args(["sandbox", "expire", "chk_none"]));
}

#[test]
fn standard_output_is_only_json_with_json_and_text_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let create = ["key", "create", "--account", &id, "--mode", "test", "--generation", "v2"];
    for arguments in
        [&["account", "create", "--name", "Ama's \"Kiosk\" ☕"][..], &create, &["key", "list"]]
    {
        let people = run(folder.path(), arguments);
        assert!(people.status.success(), "{people:?}");
        assert!(serde_json::from_slice::<Value>(&people.stdout).is_err(), "{people:?}");
        // Also with the most verbose log, and with the flag in any position.
        let mut first = tua(folder.path());
        let output = first.arg("--json").args(arguments).env("TUA_LOG", "trace").output().unwrap();
        assert!(
            output.status.success() && serde_json::from_slice::<Value>(&output.stdout).is_ok(),
            "{output:?}"
        );
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1);
        json(folder.path(), arguments);
    }
}
