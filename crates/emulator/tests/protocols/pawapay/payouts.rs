//! Payouts, refunds and a provider that is delayed.

use super::{new_id, payout, payout_of};
use crate::support::Test;
use serde_json::json;
use tua_contract::Network;
use tua_emulator::{Operation, ProviderStatus, State};

#[tokio::test]
async fn a_repeated_payout_is_ignored_also_when_the_balance_is_used_up() {
    let test = Test::start().await;
    let send = async |id: &str| {
        let response =
            test.post_pawapay("v2/payouts", &payout_of("15000", id, "233241234567")).await.json();
        response["failureReason"]["failureCode"]
            .as_str()
            .or(response["status"].as_str())
            .unwrap()
            .to_owned()
    };
    let first = new_id();
    assert_eq!(send(&first).await, "ACCEPTED");
    while send(&new_id()).await == "ACCEPTED" {}
    assert_eq!(send(&new_id()).await, "PAWAPAY_WALLET_OUT_OF_FUNDS");
    assert_eq!(send(&first).await, "DUPLICATE_IGNORED");
}

#[tokio::test]
async fn payouts_wait_while_the_provider_is_delayed() {
    let test = Test::start().await;
    let set = |status| test.emulator.set_provider_status(Network::Mtn, Operation::Payout, status);
    set(ProviderStatus::Delayed);
    let conf = test.get_pawapay("v2/active-conf?country=GHA&operationType=PAYOUT").await.json();
    let operations = &conf["countries"][0]["providers"][0]["currencies"][0]["operationTypes"];
    assert_eq!(
        (&operations["PAYOUT"]["status"], operations.get("DEPOSIT")),
        (&json!("DELAYED"), None)
    );
    let first = new_id();
    let second = new_id();
    let bulk = json!([payout(&first, "233241234567"), payout(&second, "233241234567")]);
    let answers = test.post_pawapay("v2/payouts/bulk", &bulk).await.json();
    assert_eq!(
        (&answers[0]["status"], &answers[1]["status"]),
        (&json!("ACCEPTED"), &json!("ACCEPTED"))
    );
    test.advance(600);
    assert_eq!(test.data(&format!("v2/payouts/{first}")).await["status"], "ENQUEUED");
    let cancelled =
        test.post_pawapay(&format!("v2/payouts/fail-enqueued/{first}"), &json!({})).await.json();
    assert_eq!(cancelled["status"], "ACCEPTED");
    let data = test.data(&format!("v2/payouts/{first}")).await;
    assert_eq!(data["failureReason"]["failureCode"], "MANUALLY_CANCELLED");
    set(ProviderStatus::Operational);
    test.advance(2);
    assert_eq!(test.data(&format!("v2/payouts/{second}")).await["status"], "COMPLETED");
    let late =
        test.post_pawapay(&format!("v2/payouts/fail-enqueued/{second}"), &json!({})).await.json();
    assert_eq!(late["failureReason"]["failureCode"], "INVALID_STATE");
    set(ProviderStatus::Closed);
    let refused = test.post_pawapay("v2/payouts", &payout(&new_id(), "233241234567")).await.json();
    assert_eq!(refused["failureReason"]["failureCode"], "PROVIDER_TEMPORARILY_UNAVAILABLE");
}

#[tokio::test]
async fn one_refund_at_a_time_up_to_the_deposit() {
    let test = Test::start().await;
    let id = new_id();
    test.deposit(&id, "233241234567", "15").await;
    let refund = async |amount: Option<&str>| {
        let refund_id = new_id();
        let mut body = json!({"refundId": refund_id, "depositId": id});
        if let Some(amount) = amount {
            body["amount"] = amount.into();
            body["currency"] = "GHS".into();
        }
        let response = test.post_pawapay("v2/refunds", &body).await.json();
        response["failureReason"]["failureCode"]
            .as_str()
            .or(response["status"].as_str())
            .unwrap()
            .to_owned()
    };
    assert_eq!(refund(None).await, "INVALID_STATE");
    test.advance(2);
    assert_eq!(refund(Some("15.5")).await, "AMOUNT_TOO_LARGE");
    assert_eq!(refund(Some("5")).await, "ACCEPTED");
    assert_eq!(refund(Some("5")).await, "REFUND_IN_PROGRESS");
    test.advance(2);
    assert_eq!(refund(None).await, "ACCEPTED");
    test.advance(2);
    assert_eq!(refund(None).await, "DEPOSIT_ALREADY_REFUNDED");
    let rows = test.emulator.orders();
    assert_eq!(rows.iter().map(|row| row.amount.pesewas()).collect::<Vec<_>>(), [1500, 500, 1000]);
    assert!(rows.iter().all(|row| row.state == State::Successful));
}
