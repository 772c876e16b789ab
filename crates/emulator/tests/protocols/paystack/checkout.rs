//! Transactions whose payer chooses the wallet on Paystack's page, and bodies of forms.

use super::signature;
use crate::support::{Response, Test};
use serde_json::{Value, json};
use tua_emulator::{Decision, Operator, PaystackCredentials, State};

impl Test {
    async fn initialize(&self, reference: &str) -> Value {
        let body = json!({
            "email": "payments@example.com",
            "amount": "1250",
            "reference": reference,
            "callback_url": "http://127.0.0.1:1/thanks?shop=1",
        });
        let answer = self.post_paystack("transaction/initialize", &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["data"].clone()
    }

    async fn post_checkout(&self, url: &Value, form: &str) -> Response {
        let request = self.client.post(url.as_str().unwrap()).body(form.to_owned());
        self.send(request.header("content-type", "application/x-www-form-urlencoded")).await
    }
}

#[tokio::test]
async fn a_payer_chooses_the_wallet_on_the_page() {
    let test = Test::start().await;
    let begun = test.initialize("page-1").await;
    assert_eq!(begun["reference"], "page-1");
    let url = &begun["authorization_url"];
    assert!(url.as_str().unwrap().ends_with(begun["access_code"].as_str().unwrap()));
    let verified = test.verified("page-1").await;
    assert_eq!(
        (&verified["status"], &verified["gateway_response"]),
        (&json!("abandoned"), &json!("The transaction was not completed"))
    );
    let page = test.send(test.client.get(url.as_str().unwrap())).await;
    assert!(page.text.contains("Pay GHS 12.50") && page.text.contains("name=\"phone\""));
    let mistake = test.post_checkout(url, "provider=mtn&phone=12%3Cb%3E").await;
    assert!(mistake.status == 422 && mistake.text.contains("role=\"alert\""));
    let waiting = test.post_checkout(url, "provider=mtn&phone=024+123+4567").await;
    assert!(waiting.status == 200 && waiting.text.contains("Approve the payment"));
    assert_eq!(test.verified("page-1").await["status"], "pending");
    test.advance(2);
    let webhook = test.merchant.wait_for_callbacks(1).await.remove(0);
    assert_eq!(webhook.headers["x-paystack-signature"], signature(&webhook.body).as_str());
    let verified = test.verified("page-1").await;
    assert_eq!(verified["status"], "success");
    let by_id = test.get_paystack(&format!("transaction/{}", verified["id"])).await.json();
    assert_eq!(by_id["data"], verified);
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let back = client.build().unwrap().get(url.as_str().unwrap()).send().await.unwrap();
    assert_eq!(
        back.headers()["location"],
        "http://127.0.0.1:1/thanks?shop=1&trxref=page-1&reference=page-1"
    );
}

#[tokio::test]
async fn a_telecel_payer_enters_the_voucher_on_the_page() {
    let test = Test::start().await;
    let url = test.initialize("page-2").await["authorization_url"].clone();
    let asked = test.post_checkout(&url, "provider=vod&phone=0501230001").await;
    assert!(asked.text.contains("name=\"otp\""));
    assert_eq!(test.post_checkout(&url, "otp=1").await.status, 422);
    assert_eq!(test.post_checkout(&url, "otp=123456").await.status, 200);
    test.advance(2);
    let page = test.send(test.client.get(url.as_str().unwrap())).await;
    assert!(page.text.contains("The payment failed."), "{}", page.text);
}

#[tokio::test]
async fn a_transaction_without_a_payer_is_decided_by_a_person() {
    let test = Test::start().await;
    test.initialize("page-3").await;
    test.advance(3600);
    assert_eq!(test.emulator.state_of(Operator::PAYSTACK, "page-3"), Some(State::Pending));
    test.emulator.decide(Operator::PAYSTACK, "page-3", Decision::Approve).unwrap();
    assert_eq!(test.verified("page-3").await["status"], "success");
    let again = json!({"email": "a@example.com", "amount": 100, "reference": "page-3"});
    let duplicate = test.post_paystack("transaction/initialize", &again).await;
    assert_eq!((duplicate.status, &duplicate.json()["code"]), (400, &json!("duplicate_reference")));
    for wrong in [
        json!({"email": "a@example.com"}),
        json!({"amount": 100}),
        json!({"email": "a@example.com", "amount": 100, "callback_url": "nowhere"}),
        json!({"email": "a@example.com", "amount": 100, "callback_url": "javascript:alert(1)"}),
    ] {
        assert_eq!(test.post_paystack("transaction/initialize", &wrong).await.status, 400);
    }
    assert_eq!(test.get_paystack("transaction/1").await.status, 404);
    assert_eq!(test.get_paystack("checkout/zz").await.status, 404);
    test.charge("no-page", "0241234567", "mtn").await;
    let id = test.verified("no-page").await["id"].as_i64().unwrap();
    assert_eq!(test.get_paystack(&format!("checkout/{id:x}")).await.status, 404);
}

#[tokio::test]
async fn a_form_is_taken_as_json_is() {
    let test = Test::start().await;
    let post = async |path: &str, media_type: Option<&str>, body: &str| {
        let url = format!("{}/{path}", test.emulator.base_url(Operator::PAYSTACK));
        let request = test.client.post(url).body(body.to_owned());
        let request = request.bearer_auth(PaystackCredentials::default().secret_key);
        test.send(match media_type {
            Some(media_type) => request.header("content-type", media_type),
            None => request,
        })
        .await
    };
    let form = Some("application/x-www-form-urlencoded");
    let charge = "email=a%40example.com&amount=1250&reference=form-1\
                  &mobile_money[phone]=0241234567&mobile_money[provider]=mtn";
    assert_eq!(post("charge", form, charge).await.json()["data"]["status"], "pay_offline");
    let recipient = "type=mobile_money&name=Ama&account_number=0241234567&bank_code=MTN";
    let recipient = post("transferrecipient", form, recipient).await;
    assert_eq!(recipient.status, 201);
    let code = recipient.json()["data"]["recipient_code"].clone();
    // Paystack's own client sends JSON without a type.
    let json = json!({"source": "balance", "amount": 500, "recipient": code}).to_string();
    let transfer = post("transfer", None, &json).await;
    let reference = transfer.json()["data"]["reference"].as_str().unwrap().to_owned();
    assert!(transfer.status == 200 && reference.len() >= 16, "{}", transfer.text);
    assert_eq!(
        test.get_paystack(&format!("transfer/verify/{reference}")).await.json()["data"]["amount"],
        500
    );
    assert_eq!(post("transfer/enable_otp", None, "").await.status, 200);
    assert_eq!(post("charge", form, "").await.json()["message"], "Invalid Amount Sent");
}
