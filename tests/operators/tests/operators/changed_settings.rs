//! Settings, credentials and clocks that change while payments are pending.

use super::live::OPERATORS;
use serde_json::json;
use std::time::Duration;
use tua_domain::TransactionId;
use tua_emulator::{Call, Credentials, Decision, Operator, PaystackCredentials};
use tua_test_support::{eventually, live_operators::LiveOperators};

/// Begins a charge that stays pending until it is approved.
async fn pending(live: &LiveOperators) -> TransactionId {
    TransactionId::new(live.charge("0241230007", "MTN").await.is(202).id())
}

fn approve(live: &LiveOperators, operator: Operator, id: &TransactionId) {
    let reference = live.orders()[id.as_str()].reference.clone();
    live.emulator.decide(operator, &reference, Decision::Approve).unwrap();
}

async fn is_paid(live: &LiveOperators, id: &TransactionId) -> bool {
    live.shop.status(id.as_str()).await["status"] == "SUCCESSFUL"
}

/// Waits until the operator is asked, or calls back, and the payment is paid.
async fn wait_until_paid(live: &LiveOperators, id: &TransactionId) {
    eventually("the payment is paid", async || {
        live.app.advance(60);
        is_paid(live, id).await
    })
    .await;
}

#[tokio::test]
async fn a_renamed_operator_serves_its_pending_payments() {
    let mut live = LiveOperators::routed_to("mtn").await;
    let id = pending(&live).await;
    live.reconfigure(|toml| {
        toml.replace("[operators.mtn]", "[operators.momo]").replace("[\"mtn\"]", "[\"momo\"]")
    })
    .await;
    let next = live.charge("0241234567", "MTN").await.is(202).json();
    assert_eq!(next["operator"], "momo");
    approve(&live, Operator::MTN_MOMO, &id);
    wait_until_paid(&live, &id).await;
    live.orders();
}

#[tokio::test]
async fn a_draining_operator_gets_no_new_payments_and_finishes_its_own() {
    let mut live = LiveOperators::routed_to("mtn").await;
    let id = pending(&live).await;
    let drained = "[operators.mtn]\ndrain = true";
    live.reconfigure(|toml| toml.replace("[operators.mtn]", drained)).await;
    live.charge("0241234567", "MTN").await.is_problem(503, "network_unavailable");
    approve(&live, Operator::MTN_MOMO, &id);
    wait_until_paid(&live, &id).await;
    assert_eq!(live.orders().len(), 1);
}

#[tokio::test]
async fn an_operator_with_another_merchant_or_base_url_is_another_operator() {
    let other_address = |toml: &str| toml.replacen("/mtn-momo\"", "/mtn-momo/elsewhere\"", 1);
    let other_merchant =
        |toml: &str| toml.replacen("merchant = \"emulated\"", "merchant = \"another-shop\"", 1);
    for change in [&other_merchant as &dyn Fn(&str) -> String, &other_address] {
        let mut live = LiveOperators::routed_to("mtn").await;
        let id = pending(&live).await;
        live.reconfigure(change).await;
        let asked = || live.emulator.requests().of_call(Operator::MTN_MOMO, Call::Status);
        let asked_before = asked();
        approve(&live, Operator::MTN_MOMO, &id);
        live.app.advance(16 * 60);
        let store = &live.app.running().store;
        eventually("it is flagged", async || store.flagged(None).await.unwrap().len() == 1).await;
        let shown = live.shop.status(id.as_str()).await;
        assert_eq!((&shown["status"], &shown["operator"]), (&json!("PENDING"), &json!("mtn")));
        assert_eq!(asked(), asked_before, "the other account is not asked about it");
        eventually("the payer is no longer asked to approve", async || {
            live.shop.status(id.as_str()).await["nextAction"] == "WAIT"
        })
        .await;
        live.reconfigure(str::to_owned).await;
        wait_until_paid(&live, &id).await;
    }
}

#[tokio::test]
async fn credentials_that_are_revoked_while_payments_are_pending_fail_none_of_them() {
    for (name, operator, _) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        let id = pending(&live).await;
        live.emulator.revoke_credentials(operator);
        approve(&live, operator, &id);
        let asked = live.emulator.requests().of_call(operator, Call::Status);
        let token = live.emulator.requests().of_call(operator, Call::Token);
        eventually("the operator refuses to respond", async || {
            live.app.advance(60);
            let requests = live.emulator.requests();
            requests.of_call(operator, Call::Status) > asked
                || requests.of_call(operator, Call::Token) > token
        })
        .await;
        assert_eq!(live.shop.status(id.as_str()).await["status"], "PENDING", "{name}");
        let begun = live.charge("0241234567", "MTN").await.is(202).json();
        assert_ne!(begun["status"], "SUCCESSFUL", "{name}");
        assert_eq!(live.emulator.orders().len(), 1, "{name}: a refused order is none");
        live.emulator.restore_credentials(operator);
        wait_until_paid(&live, &id).await;
        live.orders();
    }
}

#[tokio::test]
async fn credentials_rotate_under_pending_payments() {
    let mut live = LiveOperators::routed_to("paystack").await;
    let id = pending(&live).await;
    let old = PaystackCredentials::default().secret_key;
    let new = format!("{old}rotated");
    let rotated = PaystackCredentials { secret_key: new.clone() };
    live.emulator.replace_credentials(Credentials::default().with(rotated));
    live.reconfigure(|toml| toml.replace(&old, &new)).await;
    approve(&live, Operator::PAYSTACK, &id);
    wait_until_paid(&live, &id).await;
    assert_eq!(live.charge("0241234567", "MTN").await.is(202).json()["operator"], "paystack");
}

#[tokio::test]
async fn a_clock_that_is_five_minutes_off_stops_no_payment() {
    for (name, ..) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        live.app.advance(300);
        assert_eq!(
            live.charge_to_the_end("0241234567", "MTN").await["status"],
            "SUCCESSFUL",
            "{name}: five minutes fast"
        );
        // The operators' clock overtakes ours.
        live.emulator.clock().advance(Duration::from_secs(600));
        assert_eq!(
            live.charge_to_the_end("0241234567", "MTN").await["status"],
            "SUCCESSFUL",
            "{name}: five minutes slow"
        );
        let payout = live.pay_out_to_the_end("0241234567", "MTN").await;
        assert_eq!(payout["status"], "SUCCESSFUL", "{name}: {payout}");
        live.orders();
    }
}
