//! Live payments through the real connectors, with the emulator as operators.

use crate::support::live_operators::{LiveOperators, callback_url};
use serde_json::{Value, json};
use tua_emulator::{Call, Fault, Operator};

/// The operators of the emulator by their names in its settings, and the networks that each serves.
const OPERATORS: [(&str, Operator, &[&str]); 4] = [
    ("mtn", Operator::MtnMomo, &["MTN"]),
    ("paystack", Operator::Paystack, &["MTN", "TELECEL", "AIRTELTIGO"]),
    ("pawapay", Operator::Pawapay, &["MTN", "TELECEL", "AIRTELTIGO"]),
    ("hubtel", Operator::Hubtel, &["MTN", "TELECEL", "AIRTELTIGO"]),
];

fn state(row: &tua_emulator::OrderRow) -> Value {
    serde_json::to_value(row).unwrap()["state"].clone()
}

#[tokio::test]
async fn charges_and_payouts_end_as_the_operators_books_say() {
    for (name, _, networks) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        for network in networks {
            let charge = live.charge("0241234567", network).await.is(202).json();
            let id = charge["transactionId"].as_str().unwrap().to_owned();
            assert_eq!(charge["operator"], name);
            if charge["nextAction"] == "ENTER_VOUCHER" {
                let code = json!({ "transactionId": id, "otp": "123456" });
                live.shop.post("/v1/submit-otp", &code).await.is(200);
            }
            let paid = live.end_of(&id).await;
            assert_eq!(paid["status"], "SUCCESSFUL", "{name} {network}: {paid}");
            assert!(paid["operatorTransactionId"].is_string(), "{name} {network}: {paid}");
            assert_eq!(state(&live.orders()[&id]), "SUCCESSFUL");

            let payout = live.pay_out_to_the_end("0241234567", network).await;
            assert_eq!(payout["status"], "SUCCESSFUL", "{name} {network}: {payout}");
        }
        let refused = live.charge_to_the_end("0241230001", "MTN").await;
        assert_eq!(refused["failure"]["code"], "insufficient_funds", "{name}: {refused}");
        let refused = live.pay_out_to_the_end("0241230006", "MTN").await;
        // The status of a Hubtel payout has no reason.
        let reason = if name == "hubtel" { "unspecified" } else { "recipient_not_found" };
        assert_eq!(refused["failure"]["code"], reason, "{name}: {refused}");
    }
}

#[tokio::test]
async fn a_lost_response_to_a_send_is_never_a_failure_and_never_a_second_order() {
    for (name, operator, _) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        for fault in [Fault::ErrorAfter, Fault::CloseAfter, Fault::CloseInBody, Fault::Html, Fault::HalfJson] {
            live.emulator.chaos().set_once(operator, Call::Send, fault);
            let begun = live.charge("0241234567", "MTN").await.is(202).json();
            assert_eq!(begun["status"], "PENDING", "{name} {fault:?}");
            let paid = live.end_of(begun["transactionId"].as_str().unwrap()).await;
            assert_eq!(paid["status"], "SUCCESSFUL", "{name} {fault:?}: {paid}");
            live.emulator.chaos().clear();
        }
        live.orders();
    }
}

#[tokio::test]
async fn a_success_for_another_sum_is_flagged_and_settled_with_the_sum_that_moved() {
    for (name, operator, _) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        live.emulator.chaos().set(operator, Call::Status, Fault::WrongAmount);
        let id = live.charge("0241234567", "MTN").await.is(202).id();
        let store = &live.app.running().store;
        crate::support::eventually("it is flagged", async || !store.flagged(None).await.unwrap().is_empty()).await;
        let shown = live.shop.status(&id).await;
        assert_eq!((&shown["status"], &shown["nextAction"]), (&json!("PENDING"), &json!("WAIT")), "{name}");
    }
}

#[tokio::test]
async fn an_operator_that_does_not_respond_gets_no_new_payments_and_keeps_its_own() {
    let live = LiveOperators::with("MTN = [\"mtn\", \"paystack\"]\n").await;
    live.emulator.chaos().set(Operator::MtnMomo, Call::Send, Fault::ErrorAfter);
    let mut first = Vec::new();
    for _ in 0..5 {
        let begun = live.charge("0241234567", "MTN").await.is(202).json();
        assert_eq!(begun["operator"], "mtn");
        first.push(begun["transactionId"].as_str().unwrap().to_owned());
    }
    let networks = live.shop.get("/v1/networks").await.is(200).json();
    assert_eq!(networks["data"][0]["charge"]["status"], "DEGRADED", "{networks}");
    assert_eq!(networks["data"][0]["payout"]["status"], "OPERATIONAL", "the breaker of payouts is another one");
    assert_eq!(networks["data"][1]["charge"], json!({ "status": "DOWN", "min": null, "max": null }));
    let next = live.charge("0241234567", "MTN").await.is(202).json();
    assert_eq!(next["operator"], "paystack");
    live.charge("0201234567", "TELECEL").await.is_problem(503, "network_unavailable");
    for id in first {
        let paid = live.end_of(&id).await;
        assert_eq!((&paid["status"], &paid["operator"]), (&json!("SUCCESSFUL"), &json!("mtn")));
    }
    live.orders();
}

#[tokio::test]
async fn callbacks_need_the_secret_and_the_signature() {
    let live = LiveOperators::routed_to("paystack").await;
    let http = reqwest::Client::new();
    let post = async |url: String| http.post(url).body("{}").send().await.unwrap().status().as_u16();
    let right = callback_url(&live.app, "paystack");
    assert_eq!(post(right.clone()).await, 401, "without a signature");
    assert_eq!(post(format!("{right}x")).await, 404, "a wrong secret");
    assert_eq!(post(right.replace("/paystack/", "/mtn/")).await, 404, "the secret of another operator");
    assert_eq!(post(format!("{}/callbacks/nobody/x", live.app.origin)).await, 404);
    let mtn = callback_url(&live.app, "mtn");
    assert_eq!(http.put(&mtn).body("{}").send().await.unwrap().status(), 200, "MTN signs nothing");
    assert_eq!(http.get(&mtn).send().await.unwrap().status(), 405);
}

#[tokio::test]
async fn exchanges_are_kept_without_numbers_and_secrets() {
    for (name, ..) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        let paid = live.charge_to_the_end("0241234567", "MTN").await;
        let id = tua_service::domain::TransactionId::new(paid["transactionId"].as_str().unwrap());
        let store = &live.app.running().store;
        let kept = async || store.exchanges(&id).await.unwrap();
        crate::support::eventually("exchanges are stored", async || kept().await.len() >= 2).await;
        let text = format!("{:?}", kept().await);
        for secret in ["241234567", "sk_live", "Bearer", "Basic"] {
            assert!(!text.contains(secret), "{name}: {secret} in {text}");
        }
        assert!(text.contains("567"), "{name}: the last digits stay: {text}");
    }
}
