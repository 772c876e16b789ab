//! `tua payout create` beside a running service
//! (docs/reference/payouts.md#begin-a-payout-on-the-command-line).

use serde_json::{Value, json};
use std::{fs, path::Path};
use tua_test_support::{
    binary::{RunningService, account, json, not_found, refused, run, tua},
    test_database::query_number,
};

const TARIFF: &str = "[[sandbox.tariffs]]\ndirection = \"payout\"\nfixed = \"0.50\"\n";

/// The arguments of a payout of this amount.
fn payout<'a>(account: &'a str, amount: &'a str, key: &'a str) -> Vec<&'a str> {
    vec![
        "payout",
        "create",
        "--account",
        account,
        "--mode",
        "test",
        "--network",
        "mtn",
        "--phone",
        "+233 24 123 4567",
        "--amount",
        amount,
        "--idempotency-key",
        key,
    ]
}

fn payouts(folder: &Path) -> i64 {
    query_number(folder, "SELECT count(*) FROM transactions WHERE kind = 'PAYOUT'")
}

fn id_of(payout: &Value) -> String {
    payout["transactionId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_payout_is_begun_once_for_a_key_and_sent_by_the_running_service() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tua.toml"), TARIFF).unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--sandbox-speed", "100", "--config", "tua.toml"]);
    });
    let (account_id, _, v2) = account(folder.path());
    let shop = serving.actor(&v2);
    let rest =
        ["--reference", "march", "--payee-note", "thanks", "--as", "Esi", "--config", "tua.toml"];
    let create = [&payout(&account_id, "10.50", "p1")[..], &rest].concat();
    let begun = json(folder.path(), &create);
    assert_eq!(
        (&begun["status"], &begun["nextAction"], &begun["replayed"]),
        (&json!("PENDING"), &json!("WAIT"), &json!(false))
    );
    assert_eq!(
        (&begun["amount"], &begun["expectedFee"]),
        (&json!("10.5"), &json!("0.50")),
        "{begun}"
    );
    let again = json(folder.path(), &create);
    assert_eq!((id_of(&again), &again["replayed"]), (id_of(&begun), &json!(true)));
    let other = refused(tua(folder.path()).args(payout(&account_id, "10.51", "p1")));
    assert!(other.contains("another request"), "{other}");
    let id = id_of(&begun);
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    let status = shop.status(&id).await;
    assert_eq!((&status["reference"], &status["payeeNote"]), (&json!("march"), &json!("thanks")));
    assert_eq!((&status["phoneNumber"], payouts(folder.path())), (&json!("0241234567"), 1));
    let audit = json(folder.path(), &["audit", "list"]);
    let entries: Vec<&Value> =
        audit.as_array().unwrap().iter().filter(|entry| entry["subject"] == *id).collect();
    let [entry] = &entries[..] else { panic!("a repetition asks for nothing: {audit}") };
    assert_eq!(
        (&entry["action"], &entry["source"]),
        (&json!("payout.requested"), &json!("command-line"))
    );
    assert!(
        entry["actor"].as_str().unwrap().starts_with("Esi (")
            && !entry.to_string().contains("1234567"),
        "{entry}"
    );
}

#[tokio::test]
async fn a_command_without_a_service_sends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (account_id, _, v2) = account(folder.path());
    let begun = json(folder.path(), &payout(&account_id, "5", "p1"));
    let unsent =
        "SELECT count(*) FROM transactions WHERE status = 'PENDING' AND handed_over_at IS NULL
                  AND send_at IS NOT NULL";
    assert_eq!(query_number(folder.path(), unsent), 1);
    assert_eq!(query_number(folder.path(), "SELECT count(*) FROM sandbox_orders"), 0);
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    serving.actor(&v2).until(&id_of(&begun), |status| status["status"] == "SUCCESSFUL").await;
}

#[tokio::test]
async fn limits_and_approvals_are_those_of_the_account() {
    let folder = tempfile::tempdir().unwrap();
    let (account_id, ..) = account(folder.path());
    let set = ["account", "set", "--account", &account_id, "--mode", "test"];
    let limits =
        ["--payout-limit", "50", "--payout-daily-limit", "60", "--payout-approval-above", "20"];
    json(folder.path(), &[&set[..], &limits].concat());
    let refused = |amount: &str| refused(tua(folder.path()).args(payout(&account_id, amount, "k")));
    assert!(refused("50.01").contains("50"));
    let waits = json(folder.path(), &payout(&account_id, "50", "a"));
    assert_eq!(waits["nextAction"], "APPROVE_IN_DASHBOARD");
    assert!(refused("10.01").contains("10"), "those that wait count");
    let listed = json(folder.path(), &["payout", "list"]);
    assert_eq!(
        (&listed[0]["transactionId"], &listed[0]["keyId"]),
        (&waits["transactionId"], &Value::Null)
    );
    let approve = ["payout", "approve", &id_of(&waits), "--as", "Kofi"];
    assert_eq!(json(folder.path(), &approve)["nextAction"], "WAIT");
    json(folder.path(), &["account", "suspend", &account_id]);
    assert!(refused("1").contains("this account is suspended"));
    assert_eq!(payouts(folder.path()), 1);
}

#[test]
fn each_fault_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (account_id, ..) = account(folder.path());
    let with = |flag: &str, value: &str| {
        let mut arguments: Vec<String> =
            payout(&account_id, "5", "k").into_iter().map(str::to_owned).collect();
        let place = arguments.iter().position(|one| one == flag);
        match place {
            Some(place) => drop(arguments.splice(place..place + 2, [format!("{flag}={value}")])),
            None => arguments.push(format!("{flag}={value}")),
        }
        refused(tua(folder.path()).args(arguments))
    };
    for (flag, value) in [
        ("--amount", "0"),
        ("--amount", "-5"),
        ("--amount", "5.001"),
        ("--amount", "1e3000"),
        ("--phone", "02412345"),
        ("--phone", "2.33E+11"),
        ("--network", "GLO"),
        ("--mode", "real"),
        ("--idempotency-key", ""),
        ("--as", ""),
    ] {
        let said = with(flag, value);
        assert!(said.contains(flag), "{flag}={value}: {said}");
    }
    assert!(with("--reference", &"r".repeat(65)).contains("--reference"));
    assert!(with("--payee-note", &"n".repeat(161)).contains("--payee-note"));
    let unknown = not_found(tua(folder.path()).args(payout("acc_none", "5", "k")));
    assert!(unknown.contains("acc_none"), "{unknown}");
    let live = with("--mode", "live");
    assert!(live.contains("no operator") && live.contains("--config"), "{live}");
    let absent = refused(
        tua(folder.path()).args(payout(&account_id, "5", "k")).args(["--config", "absent.toml"]),
    );
    assert!(absent.contains("absent.toml"), "{absent}");
    assert_eq!(payouts(folder.path()), 0);
    assert!(run(folder.path(), &["payout", "create", "--help"]).status.success());
}
