//! Deposits, their outcomes and refusals.

use super::{deposit, new_id, payout};
use crate::support::Test;
use serde_json::{Value, json};
use tua_emulator::{Call, Fault, Operator};

#[tokio::test]
async fn a_deposit_is_accepted_processed_and_completed() {
    let test = Test::start().await;
    let id = new_id();
    let response = test.deposit(&id, "233241234567", "15").await;
    assert_eq!(
        (&response["status"], &response["nextStep"]),
        (&json!("ACCEPTED"), &json!("FINAL_STATUS"))
    );
    assert_eq!(test.deposit(&id, "233241234567", "15").await["status"], "DUPLICATE_IGNORED");
    let path = format!("v2/deposits/{id}");
    assert_eq!(test.data(&path).await["status"], "ACCEPTED");
    test.advance(1);
    assert_eq!(test.data(&path).await["status"], "PROCESSING");
    test.advance(1);
    let data = test.data(&path).await;
    assert_eq!(
        (&data["status"], &data["clientReferenceId"]),
        (&json!("COMPLETED"), &json!("order-1"))
    );
    assert_eq!(data["metadata"], json!({"orderId": "A1", "email": "a@example.com"}));
    let callback = test.merchant.wait_for_callbacks(1).await[0].json();
    assert_eq!(
        (&callback["amount"], &callback["status"]),
        (&json!("15.0000"), &json!("COMPLETED"))
    );
    assert!(callback.get("clientReferenceId").is_none());
    assert_eq!(
        test.get_pawapay(&format!("v2/deposits/{}", new_id())).await.json(),
        json!({"status": "NOT_FOUND"})
    );
}

#[tokio::test]
async fn refusals_are_http_200_and_mistakes_http_400() {
    let test = Test::start().await;
    for (phone, amount, code) in [
        ("233241234567", "12.50", "INVALID_AMOUNT"),
        ("233241234567", "12.0", "INVALID_AMOUNT"),
        ("233241234567", "20000", "AMOUNT_OUT_OF_BOUNDS"),
        ("0241234567", "12", "INVALID_PHONE_NUMBER"),
    ] {
        let response = test.deposit(&new_id(), phone, amount).await;
        assert_eq!(
            (&response["status"], &response["failureReason"]["failureCode"]),
            (&json!("REJECTED"), &json!(code))
        );
    }
    let mut unknown = deposit(&new_id(), "233241234567", "12");
    unknown["surprise"] = true.into();
    let response = test.post_pawapay("v2/deposits", &unknown).await;
    assert_eq!(
        (response.status, &response.json()["failureReason"]["failureCode"]),
        (400, &json!("UNSUPPORTED_PARAMETER"))
    );
    let response =
        test.post_pawapay("v2/deposits", &deposit("no-uuid", "233241234567", "12")).await;
    assert_eq!(
        (response.status, &response.json()["failureReason"]["failureCode"]),
        (400, &json!("INVALID_PARAMETER"))
    );
    let without_token = test
        .client
        .get(format!("{}/v2/wallet-balances", test.emulator.base_url(Operator::PAWAPAY)));
    let response = test.send(without_token).await;
    assert_eq!(
        (response.status, &response.json()["failureReason"]["failureCode"]),
        (401, &json!("NO_AUTHENTICATION"))
    );
    test.emulator.revoke_credentials(Operator::PAWAPAY);
    assert_eq!(test.get_pawapay("v2/wallet-balances").await.status, 403);
    assert!(test.emulator.orders().is_empty());
}

#[tokio::test]
async fn test_numbers_choose_the_code() {
    let test = Test::start().await;
    for (phone, code) in [
        ("233593456019", "PAYER_LIMIT_REACHED"),
        ("233593456039", "PAYMENT_NOT_APPROVED"),
        ("233593456049", "INSUFFICIENT_BALANCE"),
        ("233241230006", "PAYER_NOT_FOUND"),
    ] {
        let id = new_id();
        test.deposit(&id, phone, "15").await;
        test.advance(2);
        assert_eq!(
            test.data(&format!("v2/deposits/{id}")).await["failureReason"]["failureCode"],
            code
        );
    }
    let id = new_id();
    test.post_pawapay("v2/payouts", &payout(&id, "233593456109")).await;
    test.advance(2);
    let data = test.data(&format!("v2/payouts/{id}")).await;
    assert_eq!(data["failureReason"]["failureCode"], "RECIPIENT_LIMIT_REACHED");
}

#[tokio::test]
async fn a_fault_shows_a_reconciliation() {
    let test = Test::start().await;
    let id = new_id();
    test.post_pawapay("v2/payouts", &payout(&id, "233241234567")).await;
    let chaos = test.emulator.chaos();
    chaos.set_once(Operator::PAWAPAY, Call::Status, Fault::Status("IN_RECONCILIATION"));
    chaos.set_once(Operator::PAWAPAY, Call::Callback, Fault::Status("PROCESSING"));
    let path = format!("v2/payouts/{id}");
    test.advance(2);
    assert_eq!(test.data(&path).await["status"], "IN_RECONCILIATION");
    assert_eq!(test.merchant.wait_for_callbacks(1).await[0].json()["status"], "PROCESSING");
    assert_eq!(test.data(&path).await["status"], "COMPLETED");
}

#[tokio::test]
async fn an_order_can_be_found_later_than_it_was_sent() {
    let test = Test::start().await;
    let id = new_id();
    let response = test.post_pawapay("v2/deposits", &deposit(&id, "233241230010", "15")).await;
    assert_eq!(
        (response.status, &response.json()["failureReason"]["failureCode"]),
        (503, &json!("UNKNOWN_ERROR"))
    );
    let half_a_minute = std::time::Duration::from_secs(30);
    test.emulator.chaos().set_for(Operator::PAWAPAY, Call::Status, Fault::NotFound, half_a_minute);
    let path = format!("v2/deposits/{id}");
    assert_eq!(test.get_pawapay(&path).await.json(), json!({"status": "NOT_FOUND"}));
    test.advance(30);
    assert_eq!(test.data(&path).await["status"], "COMPLETED");
    let resent =
        test.post_pawapay(&format!("v2/deposits/resend-callback/{id}"), &json!({})).await.json();
    assert_eq!(resent["status"], "ACCEPTED");
    test.merchant.wait_for_callbacks(2).await;
}

#[tokio::test]
async fn a_rejection_with_a_documented_code_names_the_order_and_an_error_does_not() {
    let test = Test::start().await;
    let chaos = test.emulator.chaos();
    let id = new_id();
    chaos.set_once(Operator::PAWAPAY, Call::Send, Fault::Refusal("INVALID_PROVIDER"));
    let rejected = test.deposit(&id, "233241234567", "15").await;
    assert_eq!((&rejected["status"], &rejected["depositId"]), (&json!("REJECTED"), &json!(id)));
    chaos.set_once(Operator::PAWAPAY, Call::Send, Fault::Refusal("AUTHORISATION_ERROR"));
    let refused = test.post_pawapay("v2/deposits", &deposit(&id, "233241234567", "15")).await;
    assert_eq!((refused.status, &refused.json()["status"]), (403, &Value::Null));
    assert_eq!(refused.json()["failureReason"]["failureCode"], "AUTHORISATION_ERROR");
    assert!(test.emulator.orders().is_empty());
    let requests = test
        .send(test.client.get(format!("http://{}/requests", test.emulator.address())))
        .await
        .json();
    assert_eq!(requests, json!({"POST /pawapay/v2/deposits": 2}));
}
