//! `tua refund` beside a running service (docs/reference/refunds.md#refund-on-the-command-line).

use reqwest::Method;
use serde_json::{Value, json};
use std::{fs, path::Path};
use tokio::net::TcpListener;
use tua_emulator::{ClockMode, Emulator, Settings, Speed};
use tua_test_support::{
    ApiClient,
    binary::{RunningService, account, json, not_found, refused, run, tua},
    refunds::sums,
    test_database::query_number,
};

fn start(folder: &Path) -> RunningService {
    RunningService::start(folder, |command| {
        command.args(["--sandbox-speed", "100"]);
    })
}

/// A charge of GHS 10.50 from this number.
async fn charge(shop: &ApiClient, phone: &str) -> String {
    let body = json!({ "amount": 10.5, "phoneNumber": phone, "network": "MTN" });
    shop.post("/v1/charge", &body).await.is(202).id()
}

async fn paid(shop: &ApiClient, phone: &str) -> String {
    let id = charge(shop, phone).await;
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    id
}

/// The refund, once it is final.
async fn ended(shop: &ApiClient, id: &str) -> Value {
    loop {
        let read = shop
            .send(Method::GET, &format!("/v1/refunds/{id}"), &[("prefer", "wait=10")], None)
            .await;
        let refund = read.is(200).json();
        if refund["status"] != "PENDING" {
            return refund;
        }
    }
}

/// The answer to `tua refund create` with these arguments.
fn create(folder: &Path, charge: &str, key: &str, rest: &[&str]) -> Value {
    json(folder, &[&["refund", "create", charge, "--idempotency-key", key][..], rest].concat())
}

fn id_of(refund: &Value) -> String {
    refund["refundId"].as_str().unwrap().to_owned()
}

fn refunds(folder: &Path) -> i64 {
    query_number(folder, "SELECT count(*) FROM transactions WHERE refund_of IS NOT NULL")
}

#[tokio::test]
async fn a_refund_is_begun_once_for_a_key_and_sent_by_the_running_service() {
    let folder = tempfile::tempdir().unwrap();
    let serving = start(folder.path());
    let (account_id, _, v2) = account(folder.path());
    let shop = serving.actor(&v2);
    let charge = paid(&shop, "0241234567").await;
    let part = ["--amount", "4.20", "--reason", "sold out", "--as", "Esi"];
    let begun = create(folder.path(), &charge, "r1", &part);
    assert_eq!(
        (&begun["status"], &begun["amount"], &begun["replayed"]),
        (&json!("PENDING"), &json!("4.2"), &json!(false))
    );
    assert_eq!((&begun["transactionId"], &begun["reason"]), (&json!(charge), &json!("sold out")));
    let id = id_of(&begun);
    let again = create(folder.path(), &charge, "r1", &part);
    assert_eq!((id_of(&again), &again["replayed"]), (id.clone(), &json!(true)));
    let other = ["refund", "create", &charge, "--amount", "4.21", "--idempotency-key", "r1"];
    let other = refused(tua(folder.path()).args(other));
    assert!(other.contains("--idempotency-key") && other.contains("another request"), "{other}");

    let refund = ended(&shop, &id).await;
    assert_eq!(
        (&refund["status"], &refund["method"]),
        (&json!("SUCCESSFUL"), &json!("NATIVE")),
        "{refund}"
    );
    assert_eq!(sums(&shop, &charge).await, (json!(4.2), json!(6.3)));
    let rest = id_of(&create(folder.path(), &charge, "r2", &[]));
    assert_eq!(ended(&shop, &rest).await["amount"], 6.3, "all that was left");

    assert_eq!(json(folder.path(), &["refund", "show", &id])["status"], "SUCCESSFUL");
    let ids = |listed: Value| listed.as_array().unwrap().iter().map(id_of).collect::<Vec<_>>();
    let newest_first = [rest, id.clone()];
    assert_eq!(
        ids(json(folder.path(), &["refund", "list", "--transaction", &charge])),
        newest_first
    );
    let of_account = ["refund", "list", "--account", &account_id, "--mode", "test"];
    assert_eq!(ids(json(folder.path(), &of_account)), newest_first);
    assert_eq!(
        ids(json(folder.path(), &[&of_account[..], &["--limit", "1"]].concat())),
        newest_first[..1]
    );
    let printed = String::from_utf8(run(folder.path(), &["refund", "show", &id]).stdout).unwrap();
    assert!(printed.contains("GHS 4.2") && !printed.contains("0241234567"), "{printed}");

    let audit = json(folder.path(), &["audit", "list"]);
    let entries: Vec<&Value> =
        audit.as_array().unwrap().iter().filter(|entry| entry["subject"] == *id).collect();
    let [entry] = &entries[..] else { panic!("a repetition asks for nothing: {audit}") };
    assert_eq!(
        (&entry["action"], &entry["source"]),
        (&json!("refund.requested"), &json!("command-line"))
    );
    assert!(entry["actor"].as_str().unwrap().starts_with("Esi ("), "{entry}");
}

#[tokio::test]
async fn a_command_sends_nothing_and_the_next_service_sends_it() {
    let folder = tempfile::tempdir().unwrap();
    let serving = start(folder.path());
    let (.., v2) = account(folder.path());
    let charge = paid(&serving.actor(&v2), "0241234567").await;
    serving.kill();
    let orders = || query_number(folder.path(), "SELECT count(*) FROM sandbox_orders");
    let before = orders();
    let id = id_of(&create(folder.path(), &charge, "r1", &[]));
    let unsent =
        "SELECT count(*) FROM transactions WHERE refund_of IS NOT NULL AND status = 'PENDING'
                  AND handed_over_at IS NULL AND send_at IS NOT NULL";
    assert_eq!((query_number(folder.path(), unsent), orders()), (1, before));
    let again = create(folder.path(), &charge, "r1", &[]);
    assert_eq!((id_of(&again), refunds(folder.path())), (id.clone(), 1));
    let serving = start(folder.path());
    assert_eq!(ended(&serving.actor(&v2), &id).await["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_refund_that_is_not_allowed_begins_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let serving = start(folder.path());
    let (account_id, v1, v2) = account(folder.path());
    let shop = serving.actor(&v2);
    let failed = charge(&shop, "0241230001").await;
    let pending = charge(&shop, "0241230007").await;
    shop.until(&failed, |status| status["status"] == "FAILED").await;
    let charge = paid(&shop, "0241234567").await;
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = serving.actor(&v1).post("/v1/payout", &body).await.is(202).id();
    let refused = |arguments: &[&str]| {
        let mut command = tua(folder.path());
        refused(command.args(["refund", "create"]).args(arguments))
    };
    for (id, text) in [
        (&*failed, "no money moved"),
        (&pending, "the charge is pending"),
        (&payout, "only a charge can be refunded"),
    ] {
        let said = refused(&[id, "--idempotency-key", "k"]);
        assert!(said.contains(text) && said.contains(id), "{id}: {said}");
    }
    for id in ["txn_none", ""] {
        let create = ["refund", "create", id, "--idempotency-key", "k"];
        let said = not_found(tua(folder.path()).args(create));
        assert!(said.contains("there is no such charge") && said.contains(id), "{id}: {said}");
    }
    let said = refused(&[&charge, "--amount", "10.51", "--idempotency-key", "k"]);
    assert!(said.contains("GHS 10.5 of the payment are left"), "{said}");
    for amount in ["0", "-1", "0.001", "1e400", "ten", "", "1000000000.01"] {
        let flag = format!("--amount={amount}");
        assert!(
            refused(&[&charge, &flag, "--idempotency-key", "k"]).contains("--amount"),
            "{amount}"
        );
    }
    for (arguments, text) in [
        (&[&*charge][..], "--idempotency-key"),
        (&[&charge, "--idempotency-key", ""], "--idempotency-key"),
        (&[&charge, "--idempotency-key", "é"], "--idempotency-key"),
        (&[&charge, "--idempotency-key", "k", "--method", "native"], "it must be payout"),
        (
            &[&charge, "--idempotency-key", "k", "--method", "payout"],
            "only after a refund by the operator failed",
        ),
        (&[&charge, "--idempotency-key", "k", "--reason", ""], "--reason"),
    ] {
        let said = refused(arguments);
        assert!(said.contains(text), "{said}");
    }
    json(folder.path(), &["account", "suspend", &account_id]);
    assert!(refused(&[&charge, "--idempotency-key", "k"]).contains("this account is suspended"));
    assert_eq!(refunds(folder.path()), 0);
    json(folder.path(), &["account", "resume", &account_id]);
    let refund = id_of(&create(folder.path(), &charge, "k", &[]));
    assert!(
        refused(&[&refund, "--idempotency-key", "k2"]).contains("there is no such charge"),
        "a refund is none"
    );
    let said = refused(&[&charge, "--idempotency-key", "k2"]);
    assert!(said.contains("GHS 0 of the payment are left"), "{said}");
}

#[tokio::test]
async fn a_refund_above_the_limit_is_approved_refused_or_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let serving = start(folder.path());
    let (account_id, v1, v2) = account(folder.path());
    let shop = serving.actor(&v2);
    json(
        folder.path(),
        &[
            "account",
            "set",
            "--account",
            &account_id,
            "--mode",
            "test",
            "--refund-approval-above",
            "1",
        ],
    );
    let charge = paid(&shop, "0241234567").await;
    let waiting = |key: &str| {
        let begun = create(folder.path(), &charge, key, &["--amount", "2"]);
        assert_eq!(
            (&begun["nextAction"], &begun["method"]),
            (&json!("APPROVE_IN_DASHBOARD"), &Value::Null),
            "{begun}"
        );
        id_of(&begun)
    };
    let first = waiting("a");
    let second = waiting("b");
    let third = waiting("c");
    let listed = json(folder.path(), &["payout", "list"]);
    assert_eq!(listed.as_array().unwrap().len(), 3, "{listed}");
    let approved = json(folder.path(), &["refund", "approve", &first, "--as", "Kofi"]);
    assert_eq!((&approved["nextAction"], &approved["decidedBy"]), (&json!("WAIT"), &json!("Kofi")));
    let refuse = ["refund", "refuse", &second, "--as", "Kofi", "--note", "not ours"];
    assert_eq!(json(folder.path(), &refuse)["failure"], "approval_refused");
    assert_eq!(json(folder.path(), &["refund", "cancel", &third])["failure"], "cancelled");
    assert_eq!(ended(&shop, &first).await["status"], "SUCCESSFUL");
    assert_eq!(sums(&shop, &charge).await, (json!(2), json!(8.5)));

    let body = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    let payout = serving.actor(&v1).post("/v1/payout", &body).await.is(202).id();
    for arguments in [
        &["refund", "approve", &payout, "--as", "Kofi"][..],
        &["refund", "refuse", &payout, "--as", "Kofi", "--note", "x"],
        &["refund", "cancel", &payout],
        &["refund", "cancel", "bat_none"],
        &["refund", "show", &payout],
    ] {
        let said = not_found(tua(folder.path()).args(arguments));
        assert!(said.contains("there is no such refund"), "{said}");
    }
}

#[tokio::test]
async fn a_payout_returns_the_money_after_the_refund_failed() {
    let folder = tempfile::tempdir().unwrap();
    let serving = start(folder.path());
    let (.., v2) = account(folder.path());
    let shop = serving.actor(&v2);
    let charge = paid(&shop, "0241230021").await;
    let failed = id_of(&create(folder.path(), &charge, "a", &[]));
    assert_eq!(ended(&shop, &failed).await["failure"]["code"], "recipient_not_found");
    let begun = create(folder.path(), &charge, "b", &["--method", "payout"]);
    assert_eq!(
        (&begun["method"], &begun["status"]),
        (&json!("PAYOUT"), &json!("PENDING")),
        "{begun}"
    );
    let shown = json(folder.path(), &["refund", "show", &failed]);
    assert_eq!(
        (&shown["status"], &shown["failure"]),
        (&json!("FAILED"), &json!("recipient_not_found"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_refund_needs_the_operators_of_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let clock = ClockMode::Running(Speed::parse("20").unwrap());
    let _emulator = Emulator::start(listener, Settings { clock, ..Settings::default() }).unwrap();
    let settings = folder.path().join("tua.toml");
    fs::write(
        &settings,
        run(folder.path(), &["emulate", "--listen", &address, "--print-config"]).stdout,
    )
    .unwrap();
    let settings = settings.to_str().unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--config", settings]);
    });
    let (id, ..) = account(folder.path());
    let key = json(folder.path(), &["key", "create", "--account", &id, "--mode", "live"]);
    let shop = serving.actor(key["key"].as_str().unwrap());
    let charge = paid(&shop, "0241234567").await;
    let create = ["refund", "create", &charge, "--idempotency-key", "a"];
    let without = refused(tua(folder.path()).args(create));
    assert!(without.contains("--config"), "{without}");
    let begun = json(folder.path(), &[&create[..], &["--config", settings]].concat());
    assert!(begun["operator"].is_string() && begun["replayed"] == false, "{begun}");
    assert_eq!(ended(&shop, &id_of(&begun)).await["status"], "SUCCESSFUL");
}
