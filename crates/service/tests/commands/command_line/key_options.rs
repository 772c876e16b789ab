//! Scopes, addresses, names and ends of keys on the command line (docs/reference/command-line.md).

use serde_json::{Value, json};
use tua_test_support::binary::{RunningService, account, json, refused, run, tua};

#[tokio::test]
async fn a_key_has_the_scopes_that_it_was_created_with_and_keeps_them_on_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (id, ..) = account(folder.path());
    let create = ["key", "create", "--account", &id, "--mode", "test"];
    let payment = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });

    let plain = json(folder.path(), &create);
    assert_eq!((&plain["generation"], &plain["name"]), (&json!("v2"), &Value::Null));
    assert_eq!(plain["scopes"], json!(["collect", "payout", "refund", "read", "webhooks"]));
    assert!(plain["keyId"].as_str().unwrap().starts_with("key_"), "{plain}");

    let made = json(
        folder.path(),
        &[&create[..], &["--scope", "read,collect", "--name", " Shop "]].concat(),
    );
    assert_eq!((&made["scopes"], &made["name"]), (&json!(["collect", "read"]), &json!("Shop")));
    let rotated = json(folder.path(), &["key", "rotate", made["keyId"].as_str().unwrap()]);
    assert_eq!((&rotated["scopes"], &rotated["name"]), (&made["scopes"], &made["name"]));
    for key in [&made["key"], &rotated["key"]] {
        let actor = serving.actor(key.as_str().unwrap());
        actor.post("/v1/charge", &payment).await.is(202);
        actor.post("/v1/payout", &payment).await.is_problem(403, "scope_missing");
    }
    let listed = json(folder.path(), &["key", "list"]);
    let listed =
        listed.as_array().unwrap().iter().filter(|key| key["scopes"] == json!(["collect", "read"]));
    assert_eq!(listed.count(), 2);
    let people = String::from_utf8(run(folder.path(), &["key", "list"]).stdout).unwrap();
    assert!(people.contains("  Shop  collect,read  "), "{people}");
}

#[tokio::test]
async fn a_key_is_bound_to_addresses_and_keeps_them_on_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (id, ..) = account(folder.path());
    let create = ["key", "create", "--account", &id, "--mode", "test", "--allow-ip"];
    for (addresses, listed, status) in [
        ("127.0.0.0/8,::1", json!(["127.0.0.0/8", "::1/128"]), 200),
        ("192.0.2.1", json!(["192.0.2.1/32"]), 403),
    ] {
        let made = json(folder.path(), &[&create[..], &[addresses]].concat());
        let rotated = json(folder.path(), &["key", "rotate", made["keyId"].as_str().unwrap()]);
        for key in [made, rotated] {
            assert_eq!(key["allowedAddresses"], listed);
            serving.actor(key["key"].as_str().unwrap()).get("/v1/transactions").await.is(status);
        }
    }
}

#[test]
fn the_successor_of_a_key_that_expires_is_not_valid_for_ever_by_accident() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let made = json(
        folder.path(),
        &["key", "create", "--account", &id, "--mode", "live", "--expires-in", "90d"],
    );
    let warning = made["warning"].as_str().unwrap();
    assert!(warning.contains("no operator serves live charges of this account"), "{made}");
    let milliseconds = made["createdAt"].as_str().unwrap().split_once('.').unwrap().1;
    assert_eq!(milliseconds.len(), "000Z".len(), "{made}");
    let time = |key: &Value, member: &str| {
        key[member].as_str().unwrap().parse::<jiff::Timestamp>().unwrap()
    };
    assert_eq!(
        time(&made, "expiresAt").duration_since(time(&made, "createdAt")).as_hours(),
        90 * 24
    );
    let key = made["keyId"].as_str().unwrap();
    assert!(refused(tua(folder.path()).args(["key", "rotate", key])).contains("--expires-in"));
    let rotated = json(folder.path(), &["key", "rotate", key, "--expires-in", "1w"]);
    assert_eq!(
        time(&rotated, "expiresAt").duration_since(time(&rotated, "createdAt")).as_hours(),
        7 * 24
    );
    let rotated = json(folder.path(), &["key", "rotate", key, "--expires-in", "never"]);
    assert_eq!(rotated["expiresAt"], Value::Null);
}

#[test]
fn key_create_reports_each_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    for (flag, value) in [
        ("--scope", ""),
        ("--scope", "admin"),
        ("--scope", "collect,,read"),
        ("--allow-ip", "0.0.0.0/0"),
        ("--allow-ip", "shop.example"),
        ("--expires-in", "0d"),
        ("--expires-in", "1y"),
        ("--name", ""),
        ("--name", "a\nb"),
    ] {
        let said = refused(tua(folder.path()).args([
            "key",
            "create",
            "--account",
            &id,
            "--mode",
            "test",
            flag,
            value,
        ]));
        assert!(said.contains(flag), "{said}");
    }
    let v1 = [
        "key",
        "create",
        "--account",
        &id,
        "--mode",
        "test",
        "--generation",
        "v1",
        "--scope",
        "collect,read",
    ];
    assert!(refused(tua(folder.path()).args(v1)).contains("collect,payout at most"));
    assert_eq!(
        json(folder.path(), &["key", "list"]).as_array().unwrap().len(),
        2,
        "nothing was created"
    );
}
