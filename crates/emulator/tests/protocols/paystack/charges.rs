//! Charges, refunds, and what is known about wallets.

use super::{charge, signature};
use crate::support::Test;
use serde_json::json;
use tua_emulator::{Decision, Kind, Operator};

#[tokio::test]
async fn a_charge_is_approved_on_the_phone_and_reported_by_a_signed_webhook() {
    let test = Test::start().await;
    let response = test.charge("r-1", "0241234567", "mtn").await;
    assert_eq!((response.status, &response.json()["data"]["status"]), (200, &json!("pay_offline")));
    assert_eq!(test.verified("r-1").await["status"], "pending");
    test.advance(2);
    let verified = test.verified("r-1").await;
    assert_eq!(
        (&verified["status"], &verified["amount"], &verified["fees"]),
        (&json!("success"), &json!(1250), &json!(24))
    );
    assert_eq!(verified["metadata"], "");
    let webhook = test.merchant.wait_for_callbacks(1).await.remove(0);
    assert_eq!(webhook.headers["x-paystack-signature"], signature(&webhook.body).as_str());
    assert_eq!(
        (&webhook.json()["event"], &webhook.json()["data"]["reference"]),
        (&json!("charge.success"), &json!("r-1"))
    );
    let again = test.charge("r-1", "0241234567", "mtn").await;
    assert_eq!(
        (again.status, &again.json()["message"]),
        (400, &json!("Duplicate Transaction Reference"))
    );
    assert_eq!(test.emulator.orders().len(), 1);
}

#[tokio::test]
async fn a_telecel_payer_submits_a_voucher() {
    let test = Test::start().await;
    let response = test.charge("r-2", "0501230001", "vod").await;
    assert_eq!(response.json()["data"]["status"], "send_otp");
    assert!(response.json()["data"]["display_text"].as_str().unwrap().contains("*110#"));
    let submit = async |otp: &str| {
        test.post_paystack("charge/submit_otp", &json!({"otp": otp, "reference": "r-2"})).await
    };
    assert_eq!(submit("000000").await.json()["data"]["status"], "send_otp");
    assert_eq!(submit("123456").await.json()["data"]["status"], "pending");
    test.advance(2);
    let verified = test.verified("r-2").await;
    assert_eq!(
        (&verified["status"], &verified["gateway_response"]),
        (&json!("failed"), &json!("Insufficient funds"))
    );
    let unknown =
        test.post_paystack("charge/submit_otp", &json!({"otp": "1", "reference": "x"})).await;
    assert_eq!(
        (unknown.status, &unknown.json()["message"]),
        (400, &json!("Transaction reference is invalid"))
    );
    assert_eq!(test.charge("r-3", "0501230006", "vod").await.json()["data"]["status"], "failed");
    assert_eq!(test.charge("r-4", "0551234987", "mtn").await.json()["data"]["status"], "success");
}

#[tokio::test]
async fn wrong_requests_are_refused_in_paystacks_format() {
    let test = Test::start().await;
    let without_key =
        test.client.get(format!("{}/balance", test.emulator.base_url(Operator::PAYSTACK)));
    let response = test.send(without_key).await;
    assert_eq!((response.status, &response.json()["message"]), (401, &json!("Invalid key")));
    let mut body = charge("r-5", "0241234567", "mtn");
    body["email"] = "".into();
    assert_eq!(test.post_paystack("charge", &body).await.json()["type"], "validation_error");
    assert_eq!(test.charge("r 6", "0241234567", "mtn").await.status, 400);
    assert_eq!(test.charge("r-6", "0241234567", "xyz").await.status, 400);
    assert_eq!(test.get_paystack("transaction/verify/unknown").await.status, 404);
    assert!(test.emulator.orders().is_empty());
}

#[tokio::test]
async fn a_refund_needs_attention_and_is_retried() {
    let test = Test::start().await;
    test.charge("r-7", "0241230022", "mtn").await;
    test.advance(2);
    let created =
        test.post_paystack("refund", &json!({"transaction": "r-7", "amount": 250})).await.json();
    assert_eq!(
        (&created["message"], &created["data"]["status"]),
        (&json!("Refund has been queued for processing"), &json!("pending"))
    );
    for none_yet in ["dispute", "settlement", "channel"] {
        assert_eq!(created["data"].get(none_yet), Some(&json!(null)), "{none_yet}");
    }
    let id = created["data"]["id"].to_string();
    let status =
        async || test.get_paystack(&format!("refund/{id}")).await.json()["data"]["status"].clone();
    test.advance(1);
    assert_eq!(status().await, "processing");
    test.emulator.decide(Operator::PAYSTACK, &id, Decision::NeedAttention).unwrap();
    assert_eq!(status().await, "needs-attention");
    let details = json!({
        "refund_account_details": {
            "currency": "GHS",
            "account_number": "0241234567",
            "bank_id": "28",
        },
    });
    let retried =
        test.post_paystack(&format!("refund/retry_with_customer_details/{id}"), &details).await;
    assert_eq!(retried.json()["data"]["status"], "processing");
    test.advance(2);
    assert_eq!(status().await, "processed");
    let list = test.get_paystack("refund?transaction=r-7").await.json();
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    let too_much =
        test.post_paystack("refund", &json!({"transaction": "r-7", "amount": 1001})).await;
    assert_eq!(too_much.status, 400);
    let row = &test.emulator.orders()[1];
    assert_eq!(
        (row.kind, row.reference.as_str(), row.amount.pesewas()),
        (Kind::Refund, id.as_str(), 250)
    );
}

#[tokio::test]
async fn names_networks_and_balance_are_answered() {
    let test = Test::start().await;
    let name =
        test.get_paystack("bank/resolve?account_number=0241234567&bank_code=MTN").await.json();
    assert_eq!(name["data"]["account_name"], "AMA MENSAH");
    assert_eq!(
        test.get_paystack("bank/resolve?account_number=0241230006&bank_code=MTN").await.status,
        422
    );
    let banks = test.get_paystack("bank?currency=GHS&type=mobile_money").await.json();
    assert_eq!(banks["data"].as_array().unwrap().len(), 3);
    assert_eq!(test.get_paystack("balance").await.json()["data"][0]["balance"], 1_000_000_000);
}
