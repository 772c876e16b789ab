//! `tua account set` and `tua payout` while the service runs (docs/reference/payouts.md).

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tua_contract::Network;
use tua_emulator::{Emulator, Operation, ProviderStatus, Settings};
use tua_test_support::{
    binary::{RunningService, account, json, not_found, refused, run, tua},
    payout_batches::{batch_id, batch_of, begin, lines, outcomes, read},
};

#[tokio::test]
async fn a_payout_is_approved_and_another_refused_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    let (id, v1, _) = account(folder.path());
    let set = ["account", "set", "--account", &id, "--mode", "test"];
    let none = json!({
        "accountId": id,
        "accent": null,
        "logo": null,
        "receipts": false,
        "mail": false,
        "mode": "test",
        "payoutLimit": null,
        "payoutDailyLimit": null,
        "payoutApprovalAbove": null,
        "refundApprovalAbove": null,
        "waiting": null,
    });
    assert_eq!(json(folder.path(), &set), none);
    let limits = [
        "--payout-limit",
        "500",
        "--payout-daily-limit",
        "5000.50",
        "--payout-approval-above",
        "100",
    ];
    let shown = json(folder.path(), &[&set[..], &limits].concat());
    assert_eq!(
        (&shown["payoutLimit"], &shown["payoutDailyLimit"]),
        (&json!("500"), &json!("5000.5"))
    );
    let shown = json(folder.path(), &[&set[..], &["--payout-daily-limit", "none"]].concat());
    assert_eq!(
        (&shown["payoutApprovalAbove"], &shown["payoutDailyLimit"]),
        (&json!("100"), &Value::Null)
    );

    let shop = serving.actor(&v1);
    let pay_out = async |amount: u32| {
        shop.post(
            "/v1/payout",
            &json!({ "amount": amount, "phoneNumber": "0241234567", "network": "MTN" }),
        )
        .await
    };
    pay_out(501).await.is_problem(422, "payout_limit_exceeded");
    let first = pay_out(101).await.is(202).id();
    let second = pay_out(500).await.is(202).id();
    let listed = json(folder.path(), &["payout", "list"]);
    let ids: Vec<&str> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["transactionId"].as_str().unwrap())
        .collect();
    assert_eq!(ids, [&first, &second]);
    assert!(listed[0]["keyId"].as_str().unwrap().starts_with("key_"), "{listed}");
    assert!(
        String::from_utf8(run(folder.path(), &["payout", "list"]).stdout)
            .unwrap()
            .contains("GHS 101")
    );

    let approved = json(folder.path(), &["payout", "approve", &first, "--as", "Esi"]);
    assert_eq!((&approved["nextAction"], &approved["decidedBy"]), (&json!("WAIT"), &json!("Esi")));
    let refuse = ["payout", "refuse", &second, "--as", "Kofi", "--note", "not ours"];
    assert_eq!(json(folder.path(), &refuse)["failure"], "approval_refused");
    // The running service finds the approval and sends the payout.
    let reader = json(
        folder.path(),
        &["key", "create", "--account", &id, "--mode", "test", "--scope", "read"],
    );
    let reader = serving.actor(reader["key"].as_str().unwrap());
    reader.until(&first, |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(reader.status(&second).await["failure"]["code"], "approval_refused");
    assert_eq!(json(folder.path(), &["payout", "list", "--account", &id]), json!([]));
}

#[tokio::test]
async fn a_batch_is_shown_approved_and_refused_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    let (id, _, v2) = account(folder.path());
    json(
        folder.path(),
        &["account", "set", "--account", &id, "--mode", "test", "--payout-approval-above", "100"],
    );
    let shop = serving.actor(&v2);
    let first = begin(&shop, &batch_of(&[60.0, 50.5])).await;
    let second = begin(&shop, &batch_of(&[101.0])).await;
    let first = batch_id(&first.is(202));
    let second = batch_id(&second.is(202));
    let listed = json(folder.path(), &["payout", "list"]);
    let ids: Vec<&str> =
        listed.as_array().unwrap().iter().map(|one| one["batchId"].as_str().unwrap()).collect();
    assert_eq!(ids, [&first, &second]);
    let shown = json(folder.path(), &["payout", "batch", "show", &first]);
    assert_eq!(
        (&shown["count"], &shown["total"], &shown["pending"]),
        (&json!(2), &json!("110.50"), &json!(2))
    );
    assert_eq!(shown["payouts"][1]["nextAction"], "APPROVE_IN_DASHBOARD", "{shown}");
    let printed =
        String::from_utf8(run(folder.path(), &["payout", "batch", "show", &first]).stdout).unwrap();
    assert!(printed.lines().count() == 3 && printed.contains("GHS 110.50"), "{printed}");

    let line = shown["payouts"][0]["transactionId"].as_str().unwrap();
    let alone = refused(tua(folder.path()).args(["payout", "approve", line, "--as", "Esi"]));
    assert!(alone.contains(&first), "{alone}");
    let approved = json(folder.path(), &["payout", "approve", &first, "--as", "Esi"]);
    assert_eq!(
        approved,
        json!({ "batchId": first, "status": "PENDING", "changed": 2, "decidedBy": "Esi" })
    );
    let refuse = ["payout", "refuse", &second, "--as", "Kofi", "--note", "not ours"];
    assert_eq!(json(folder.path(), &refuse)["status"], "COMPLETED");
    for line in lines(&read(&shop, &first).await) {
        shop.until(&line, |status| status["status"] == "SUCCESSFUL").await;
    }
    assert_eq!(outcomes(&read(&shop, &second).await), ["approval_refused"]);
    assert_eq!(json(folder.path(), &["payout", "list"]), json!([]));
    let all = json(folder.path(), &["payout", "batch", "list", "--account", &id]);
    assert_eq!(
        (all[0]["batchId"].as_str(), all[1]["status"].as_str()),
        (Some(&*second), Some("COMPLETED"))
    );
    let unknown = not_found(tua(folder.path()).args(["payout", "batch", "show", "bat_none"]));
    assert!(unknown.contains("there is no such batch"), "{unknown}");
    let unknown =
        not_found(tua(folder.path()).args(["payout", "approve", "bat_none", "--as", "Esi"]));
    assert!(unknown.contains("there is no such batch"), "{unknown}");
}

#[tokio::test]
async fn payouts_and_batches_that_are_not_sent_are_cancelled_and_audited() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    let (id, v1, v2) = account(folder.path());
    json(
        folder.path(),
        &["account", "set", "--account", &id, "--mode", "test", "--payout-approval-above", "100"],
    );
    let shop = serving.actor(&v2);
    let pay_out = async |amount: u32| {
        let body = json!({ "amount": amount, "phoneNumber": "0241234567", "network": "MTN" });
        serving.actor(&v1).post("/v1/payout", &body).await.is(202).id()
    };
    let waiting = pay_out(101).await;
    let sent = pay_out(100).await;
    let cancel = ["payout", "cancel", &waiting];
    let cancelled = json(folder.path(), &cancel);
    assert_eq!(
        (&cancelled["status"], &cancelled["failure"]),
        (&json!("FAILED"), &json!("cancelled"))
    );
    assert_eq!(cancelled.get("decidedBy"), None);
    assert_eq!(json(folder.path(), &cancel), cancelled, "it may be repeated");
    assert_eq!(shop.status(&waiting).await["failure"]["code"], "cancelled");

    shop.until(&sent, |status| status["status"] == "SUCCESSFUL").await;
    let too_late = refused(tua(folder.path()).args(["payout", "cancel", &sent]));
    assert!(too_late.contains("it was handed over to its operator"), "{too_late}");
    assert_eq!(shop.status(&sent).await["status"], "SUCCESSFUL");

    let batch = batch_id(&begin(&shop, &batch_of(&[60.0, 50.5])).await.is(202));
    let cancel = ["payout", "cancel", &batch];
    let ended = json!({ "batchId": batch, "status": "COMPLETED", "changed": 2 });
    assert_eq!(json(folder.path(), &cancel), ended);
    assert_eq!(json(folder.path(), &cancel)["changed"], 0);
    assert_eq!(outcomes(&read(&shop, &batch).await), ["cancelled", "cancelled"]);

    let audit = json(folder.path(), &["audit", "list"]);
    let of = |subject: &str| {
        audit.as_array().unwrap().iter().filter(|row| row["subject"] == subject).count()
    };
    assert_eq!(
        (of(&waiting), of(&sent), of(&batch)),
        (1, 0, 1),
        "a repeated cancellation changes nothing: {audit}"
    );
}

#[tokio::test]
async fn resume_says_how_many_payouts_wait_and_what_to_check_first() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (id, v1, _) = account(folder.path());
    let resume = ["account", "resume", &id];
    assert_eq!(json(folder.path(), &resume)["payoutsToApprove"], 0);
    json(
        folder.path(),
        &["account", "set", "--account", &id, "--mode", "test", "--payout-approval-above", "0"],
    );
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    serving.actor(&v1).post("/v1/payout", &body).await.is(202);
    let suspended = json(folder.path(), &["account", "suspend", &id]);
    assert_eq!(
        (suspended["suspendedAt"].is_string(), suspended.get("payoutsToApprove")),
        (true, None)
    );
    assert_eq!(json(folder.path(), &resume)["payoutsToApprove"], 1);
    let printed = String::from_utf8(run(folder.path(), &resume).stdout).unwrap();
    assert!(
        printed.contains("1 payout waits for an approval")
            && printed.contains("operator's statement"),
        "{printed}"
    );
    let listed = json(folder.path(), &["payout", "list"]);
    assert!(listed[0]["operatorReference"].is_string(), "{listed}");
}

#[tokio::test]
async fn a_live_payout_is_approved_with_the_operators_of_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let emulated =
        run(folder.path(), &["emulate", "--listen", "127.0.0.1:9", "--print-config"]).stdout;
    let settings = folder.path().join("tua.toml");
    std::fs::write(&settings, emulated).unwrap();
    let settings = settings.to_str().unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--config", settings]);
    });
    let (id, ..) = account(folder.path());
    let set =
        ["account", "set", "--account", &id, "--mode", "live", "--payout-approval-above", "0"];
    json(folder.path(), &set);
    let key = json(folder.path(), &["key", "create", "--account", &id, "--mode", "live"]);
    let shop = serving.actor(key["key"].as_str().unwrap());
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = shop.post("/v1/payout", &body).await.is(202).id();
    let approve = ["payout", "approve", &payout, "--as", "Esi"];
    let without = refused(tua(folder.path()).args(approve));
    assert!(without.contains("it goes on waiting") && without.contains("--config"), "{without}");
    assert_eq!(shop.status(&payout).await["nextAction"], "APPROVE_IN_DASHBOARD");
    let approved = json(folder.path(), &[&approve[..], &["--config", settings]].concat());
    assert_eq!(approved["nextAction"], "WAIT", "{approved}");
    assert!(shop.status(&payout).await["operator"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_on_the_command_line_asks_operators_what_they_serve_now() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let emulator = Emulator::start(listener, Settings::default()).unwrap();
    let printed = run(folder.path(), &["emulate", "--listen", &address, "--print-config"]).stdout;
    let printed = String::from_utf8(printed).unwrap();
    let (operators, _) = printed.split_once("[routes.live]").unwrap();
    let settings = folder.path().join("tua.toml");
    std::fs::write(&settings, format!("{operators}[routes.live]\nMTN = [\"pawapay\"]\n")).unwrap();
    let settings = settings.to_str().unwrap();
    let serving = RunningService::start(folder.path(), |command| {
        command.args(["--config", settings]);
    });
    let (id, ..) = account(folder.path());
    json(
        folder.path(),
        &["account", "set", "--account", &id, "--mode", "live", "--payout-approval-above", "0"],
    );
    let key = json(folder.path(), &["key", "create", "--account", &id, "--mode", "live"]);
    let shop = serving.actor(key["key"].as_str().unwrap());
    let body = json!({ "amount": 5, "phoneNumber": "0241234567", "network": "MTN" });
    let payout = shop.post("/v1/payout", &body).await.is(202).id();
    let approve = ["payout", "approve", &payout, "--as", "Esi", "--config", settings];
    emulator.set_provider_status(Network::Mtn, Operation::Payout, ProviderStatus::Closed);
    let closed = refused(tua(folder.path()).args(approve));
    assert!(closed.contains("no operator serves this network now"), "{closed}");
    emulator.set_provider_status(Network::Mtn, Operation::Payout, ProviderStatus::Operational);
    assert_eq!(json(folder.path(), &approve)["nextAction"], "WAIT");
}

#[test]
fn account_set_and_payout_report_each_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let set = ["account", "set", "--account", &id, "--mode", "test"];
    for value in ["-1", "0.001", "unlimited", "1000000000.01", ""] {
        let flag = format!("--payout-limit={value}");
        assert!(
            refused(tua(folder.path()).args(set).arg(&flag)).contains("--payout-limit"),
            "{value}"
        );
    }
    let unknown =
        ["account", "set", "--account", "acc_none", "--mode", "test", "--payout-limit", "5"];
    assert!(not_found(tua(folder.path()).args(unknown)).contains("acc_none"));
    for arguments in [
        &["payout", "approve", "txn_none", "--as", "Esi"][..],
        &["payout", "refuse", "txn_none", "--as", "Esi", "--note", "why"],
        &["payout", "cancel", "txn_none"],
    ] {
        assert!(not_found(tua(folder.path()).args(arguments)).contains("there is no such payout"));
    }
    for (arguments, flag) in [
        (&["payout", "approve", "txn_none"][..], "--as"),
        (&["payout", "approve", "txn_none", "--as", ""], "--as"),
        (&["payout", "refuse", "txn_none", "--as", "Esi"], "--note"),
    ] {
        assert!(refused(tua(folder.path()).args(arguments)).contains(flag));
    }
}
