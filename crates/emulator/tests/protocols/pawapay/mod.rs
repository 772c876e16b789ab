//! pawaPay, and a client of it.

mod account;
mod deposits;
mod payouts;

use crate::support::{Response, Test};
use serde_json::{Value, json};
use tua_emulator::{Operator, PawapayCredentials};
use uuid::Uuid;

impl Test {
    pub async fn get_pawapay(&self, path: &str) -> Response {
        let request =
            self.client.get(format!("{}/{path}", self.emulator.base_url(Operator::PAWAPAY)));
        self.send(request.bearer_auth(PawapayCredentials::default().api_token)).await
    }

    pub async fn post_pawapay(&self, path: &str, body: &Value) -> Response {
        let request = self
            .client
            .post(format!("{}/{path}", self.emulator.base_url(Operator::PAWAPAY)))
            .json(body);
        self.send(request.bearer_auth(PawapayCredentials::default().api_token)).await
    }

    async fn deposit(&self, id: &str, phone: &str, amount: &str) -> Value {
        self.post_pawapay("v2/deposits", &deposit(id, phone, amount)).await.json()
    }

    async fn data(&self, path: &str) -> Value {
        self.get_pawapay(path).await.json()["data"].clone()
    }
}

pub fn new_id() -> String {
    Uuid::new_v4().to_string()
}

pub fn deposit(id: &str, phone: &str, amount: &str) -> Value {
    json!({
        "depositId": id,
        "amount": amount,
        "currency": "GHS",
        "clientReferenceId": "order-1",
        "payer": {
            "type": "MMO",
            "accountDetails": {"phoneNumber": phone, "provider": "MTN_MOMO_GHA"},
        },
        "metadata": [{"orderId": "A1"}, {"email": "a@example.com", "isPII": true}],
    })
}

fn payout(id: &str, phone: &str) -> Value {
    payout_of("15.5", id, phone)
}

fn payout_of(amount: &str, id: &str, phone: &str) -> Value {
    json!({
        "payoutId": id,
        "amount": amount,
        "currency": "GHS",
        "recipient": {
            "type": "MMO",
            "accountDetails": {"phoneNumber": phone, "provider": "MTN_MOMO_GHA"},
        },
    })
}
