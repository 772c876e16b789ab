//! Paystack.

use crate::support::{Response, Test};
use aws_lc_rs::hmac;
use axum::{Router, http::StatusCode, routing::post};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tua_emulator::{
    Call, Credentials, Decision, DecisionError, DisputeEvent, Fault, Kind, Operator, State,
};

impl Test {
    async fn get_paystack(&self, path: &str) -> Response {
        let request =
            self.client.get(format!("{}/{path}", self.emulator.base_url(Operator::PAYSTACK)));
        self.send(request.bearer_auth(Credentials::default().paystack_secret_key)).await
    }

    async fn post_paystack(&self, path: &str, body: &Value) -> Response {
        let request = self
            .client
            .post(format!("{}/{path}", self.emulator.base_url(Operator::PAYSTACK)))
            .json(body);
        self.send(request.bearer_auth(Credentials::default().paystack_secret_key)).await
    }

    async fn charge(&self, reference: &str, phone: &str, provider: &str) -> Response {
        self.post_paystack("charge", &charge(reference, phone, provider)).await
    }

    async fn verified(&self, reference: &str) -> Value {
        self.get_paystack(&format!("transaction/verify/{reference}")).await.json()["data"].clone()
    }

    async fn transfer(&self, reference: &str, phone: &str) -> Response {
        self.transfer_of(500, reference, phone).await
    }

    async fn transfer_of(&self, pesewas: i64, reference: &str, phone: &str) -> Response {
        let recipient = json!({
            "type": "mobile_money",
            "name": "Ama",
            "account_number": phone,
            "bank_code": "MTN",
            "currency": "GHS",
        });
        let created = self.post_paystack("transferrecipient", &recipient).await;
        assert_eq!(created.status, 201);
        let code = created.json()["data"]["recipient_code"].clone();
        let transfer = json!({
            "source": "balance",
            "amount": pesewas,
            "recipient": code,
            "reference": reference,
            "reason": "r",
            "currency": "GHS",
        });
        self.post_paystack("transfer", &transfer).await
    }
}

fn charge(reference: &str, phone: &str, provider: &str) -> Value {
    json!({
        "email": "payments@example.com",
        "amount": 1250,
        "currency": "GHS",
        "reference": reference,
        "mobile_money": {"phone": phone, "provider": provider},
    })
}

fn signature(body: &[u8]) -> String {
    let key =
        hmac::Key::new(hmac::HMAC_SHA512, Credentials::default().paystack_secret_key.as_bytes());
    hmac::sign(&key, body).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_charge_is_approved_on_the_phone_and_reported_by_a_signed_webhook() {
    let test = Test::start().await;
    let response = test.charge("r-1", "0241234567", "mtn").await;
    assert_eq!((response.status, &response.json()["data"]["status"]), (200, &json!("pay_offline")));
    assert_eq!(test.verified("r-1").await["status"], "pending");
    test.pass(2);
    let verified = test.verified("r-1").await;
    assert_eq!(
        (&verified["status"], &verified["amount"], &verified["fees"]),
        (&json!("success"), &json!(1250), &json!(24))
    );
    assert_eq!(verified["metadata"], "");
    let webhook = test.merchant.wait_for(1).await.remove(0);
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
    test.pass(2);
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
async fn a_transfer_can_be_reversed_after_its_success() {
    let test = Test::start().await;
    let response = test.transfer("tua-payout-000001", "0241234567").await;
    assert_eq!((response.status, &response.json()["data"]["status"]), (200, &json!("pending")));
    test.pass(2);
    test.merchant.wait_for(1).await;
    let decided = test.emulator.decide(Operator::PAYSTACK, "tua-payout-000001", Decision::Reverse);
    assert_eq!(decided, Ok(()));
    let verified = test.get_paystack("transfer/verify/tua-payout-000001").await.json();
    assert_eq!(verified["data"]["status"], "reversed");
    let events = test.merchant.wait_for(2).await;
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
    test.pass(2);
    assert_eq!(test.emulator.orders()[0].state, State::Successful);
}

#[tokio::test]
async fn a_repeated_transfer_is_a_duplicate_or_not_covered_as_the_settings_say() {
    for (balance_checked_first, code) in
        [(false, "duplicate_reference"), (true, "insufficient_balance")]
    {
        let test = Test::with(|settings| {
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
    let test = Test::with(|settings| settings.paystack_approval_url = Some(url)).await;
    test.transfer("tua-payout-refused", "0241234567").await;
    test.merchant.wait_for(1).await;
    assert_eq!(
        test.emulator.state_of(Operator::PAYSTACK, "tua-payout-refused"),
        Some(State::Failed)
    );
    test.transfer("tua-payout-approved", "0241234567").await;
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        test.pass(2);
    }
    assert_eq!(
        test.emulator.state_of(Operator::PAYSTACK, "tua-payout-approved"),
        Some(State::Successful)
    );
}

#[tokio::test]
async fn a_refund_needs_attention_and_is_retried() {
    let test = Test::start().await;
    test.charge("r-7", "0241230022", "mtn").await;
    test.pass(2);
    let created =
        test.post_paystack("refund", &json!({"transaction": "r-7", "amount": 250})).await.json();
    assert_eq!(
        (&created["message"], &created["data"]["status"]),
        (&json!("Refund has been queued for processing"), &json!("pending"))
    );
    let id = created["data"]["id"].to_string();
    let status =
        async || test.get_paystack(&format!("refund/{id}")).await.json()["data"]["status"].clone();
    test.pass(1);
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
    test.pass(2);
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
async fn unanswered_webhooks_are_repeated_and_disputes_reported() {
    let test = Test::start().await;
    test.merchant.answer(500);
    test.charge("r-8", "0241234567", "mtn").await;
    test.pass(2);
    test.merchant.wait_for(1).await;
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    test.merchant.answer(200);
    test.pass(180);
    test.merchant.wait_for(2).await;
    test.emulator
        .decide(Operator::PAYSTACK, "r-8", Decision::Dispute(DisputeEvent::Create))
        .unwrap();
    let events = test.merchant.wait_for(3).await;
    assert_eq!(events[2].json()["event"], "charge.dispute.create");
}

#[tokio::test]
async fn callbacks_can_be_forged_lost_and_doubled() {
    let test = Test::start().await;
    let chaos = test.emulator.chaos();
    chaos.set_once(Operator::PAYSTACK, Call::Callback, Fault::Forged);
    test.charge("r-9", "0241230007", "mtn").await;
    let forged = test.merchant.wait_for(1).await.remove(0);
    assert_eq!(forged.json()["event"], "charge.success");
    assert_ne!(forged.headers["x-paystack-signature"], signature(&forged.body).as_str());
    chaos.set_once(Operator::PAYSTACK, Call::Callback, Fault::Doubled);
    test.charge("r-10", "0241234567", "mtn").await;
    test.pass(2);
    test.merchant.wait_for(3).await;
    chaos.set_once(Operator::PAYSTACK, Call::Callback, Fault::Lost);
    test.charge("r-11", "0241234567", "mtn").await;
    test.pass(2);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(test.merchant.wait_for(3).await.len(), 3);
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

#[tokio::test]
async fn a_reordered_webhook_arrives_after_the_next_one() {
    let test = Test::start().await;
    test.emulator.chaos().set_once(Operator::PAYSTACK, Call::Callback, Fault::Reordered);
    test.charge("first", "0241234567", "mtn").await;
    test.pass(2);
    test.charge("second", "0241234567", "mtn").await;
    test.pass(2);
    let events = test.merchant.wait_for(2).await;
    let references =
        events.iter().map(|event| event.json()["data"]["reference"].clone()).collect::<Vec<_>>();
    assert_eq!(references, [json!("second"), json!("first")]);
}
