//! Paystack, and a client of it.

mod charges;
mod checkout;
mod lists;
mod transfers;
mod webhooks;

use crate::support::{Response, Test};
use aws_lc_rs::hmac;
use serde_json::{Value, json};
use tua_emulator::{Operator, PaystackCredentials};

impl Test {
    async fn get_paystack(&self, path: &str) -> Response {
        let request =
            self.client.get(format!("{}/{path}", self.emulator.base_url(Operator::PAYSTACK)));
        self.send(request.bearer_auth(PaystackCredentials::default().secret_key)).await
    }

    async fn post_paystack(&self, path: &str, body: &Value) -> Response {
        let request = self
            .client
            .post(format!("{}/{path}", self.emulator.base_url(Operator::PAYSTACK)))
            .json(body);
        self.send(request.bearer_auth(PaystackCredentials::default().secret_key)).await
    }

    async fn put_paystack(&self, path: &str, body: &Value) -> Response {
        let request = self
            .client
            .put(format!("{}/{path}", self.emulator.base_url(Operator::PAYSTACK)))
            .json(body);
        self.send(request.bearer_auth(PaystackCredentials::default().secret_key)).await
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
        hmac::Key::new(hmac::HMAC_SHA512, PaystackCredentials::default().secret_key.as_bytes());
    hmac::sign(&key, body).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
