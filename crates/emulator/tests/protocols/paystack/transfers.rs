//! Transfers, their codes and their approval.

use crate::support::Test;
use axum::{Router, http::StatusCode, routing::post};
use serde_json::json;
use tokio::net::TcpListener;
use tua_emulator::{Decision, DecisionError, Operator, PaystackSettings, State};

#[tokio::test]
async fn a_transfer_can_be_reversed_after_its_success() {
    let test = Test::start().await;
    let response = test.transfer("tua-payout-000001", "0241234567").await;
    assert_eq!((response.status, &response.json()["data"]["status"]), (200, &json!("pending")));
    test.advance(2);
    test.merchant.wait_for_callbacks(1).await;
    let decided = test.emulator.decide(Operator::PAYSTACK, "tua-payout-000001", Decision::Reverse);
    assert_eq!(decided, Ok(()));
    let verified = test.get_paystack("transfer/verify/tua-payout-000001").await.json();
    assert_eq!(verified["data"]["status"], "reversed");
    let events = test.merchant.wait_for_callbacks(2).await;
    let names = events.iter().map(|event| event.json()["event"].clone()).collect::<Vec<_>>();
    assert_eq!(names, [json!("transfer.success"), json!("transfer.reversed")]);
    assert_eq!(test.emulator.orders()[0].state, State::Successful);
    let again = test.emulator.decide(Operator::PAYSTACK, "tua-payout-000001", Decision::Reverse);
    assert_eq!(again, Err(DecisionError::NotAllowed));
    let known = test.transfer("tua-payout-000002", "0241234567").await;
    assert_eq!(known.json()["data"]["recipient"], response.json()["data"]["recipient"]);
}

#[tokio::test]
async fn a_repeated_transfer_is_a_duplicate_also_when_the_balance_is_used_up() {
    let test = Test::start().await;
    let balance = test.get_paystack("balance").await.json()["data"][0]["balance"].as_i64().unwrap();
    assert_eq!(test.transfer_of(balance, "tua-payout-000010", "0241234567").await.status, 200);
    let code = async |reference| {
        let refused = test.transfer(reference, "0241234567").await;
        assert_eq!(refused.status, 400);
        refused.json()["code"].clone()
    };
    assert_eq!(code("tua-payout-000011").await, "insufficient_balance");
    assert_eq!(code("tua-payout-000010").await, "duplicate_reference");
}

#[tokio::test]
async fn a_transfer_waits_for_its_code() {
    let test = Test::start().await;
    test.post_paystack("transfer/enable_otp", &json!({})).await;
    let response = test.transfer("tua-payout-000003", "0241234567").await.json();
    assert_eq!(response["data"]["status"], "otp");
    let code = response["data"]["transfer_code"].clone();
    let finalize = async |otp| {
        test.post_paystack(
            "transfer/finalize_transfer",
            &json!({"transfer_code": code, "otp": otp}),
        )
        .await
    };
    assert_eq!(finalize("999999").await.status, 400);
    assert_eq!(finalize("123456").await.json()["data"]["status"], "pending");
    test.advance(2);
    assert_eq!(test.emulator.orders()[0].state, State::Successful);
}

#[tokio::test]
async fn a_repeated_transfer_is_a_duplicate_or_not_covered_as_the_settings_say() {
    for (balance_checked_first, code) in
        [(false, "duplicate_reference"), (true, "insufficient_balance")]
    {
        let test = Test::with_settings(|settings| {
            settings.float_pesewas = 1_250;
            settings.balance_checked_first = balance_checked_first;
        })
        .await;
        assert_eq!(test.transfer_of(1_250, "tua-payout-000004", "0241234567").await.status, 200);
        let repeated = test.transfer_of(1_250, "tua-payout-000004", "0241234567").await;
        assert_eq!((repeated.status, &repeated.json()["code"]), (400, &json!(code)));
        assert_eq!(test.emulator.orders().len(), 1);
    }
}

#[tokio::test]
async fn a_transfer_waits_for_the_approval_url() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new().fallback(post(async |body: String| {
        if body.contains("tua-payout-refused") { StatusCode::BAD_REQUEST } else { StatusCode::OK }
    }));
    tokio::spawn(async move { axum::serve(listener, app).await });
    let test = Test::with_settings(|settings| {
        settings.operators.set(PaystackSettings { approval_url: Some(url) })
    })
    .await;
    test.transfer("tua-payout-refused", "0241234567").await;
    test.merchant.wait_for_callbacks(1).await;
    assert_eq!(
        test.emulator.state_of(Operator::PAYSTACK, "tua-payout-refused"),
        Some(State::Failed)
    );
    test.transfer("tua-payout-approved", "0241234567").await;
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        test.advance(2);
    }
    assert_eq!(
        test.emulator.state_of(Operator::PAYSTACK, "tua-payout-approved"),
        Some(State::Successful)
    );
}
