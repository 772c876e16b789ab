//! MTN MoMo, and a client of it.

mod access;
mod charges;
mod payouts;

use crate::support::{Response, Test};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tua_emulator::{MtnCredentials, Operator};
use uuid::Uuid;

/// A client of both products on one platform.
struct Momo {
    test: Test,
    base_url: String,
    environment: &'static str,
    token: [String; 2],
}

fn keys(product: &str) -> (String, String, String) {
    let credentials = MtnCredentials::default();
    let product =
        if product == "collection" { credentials.collection } else { credentials.disbursement };
    (product.user, product.key, product.subscription_key)
}

impl Momo {
    async fn start(test: Test) -> Self {
        let base_url = test.emulator.base_url(Operator::MTN_MOMO);
        let mut momo = Self { test, base_url, environment: "mtnghana", token: Default::default() };
        momo.refresh().await;
        momo
    }

    async fn refresh(&mut self) {
        for (at, product) in ["collection", "disbursement"].into_iter().enumerate() {
            let response = self.test.send(self.token_request(product)).await;
            assert_eq!(response.status, 200, "{}", response.text);
            assert_eq!(response.json()["expires_in"], 3600);
            self.token[at] = response.json()["access_token"].as_str().unwrap().to_owned();
        }
    }

    fn token_request(&self, product: &str) -> RequestBuilder {
        let (user, key, subscription_key) = keys(product);
        let request = self.test.client.post(format!("{}/{product}/token/", self.base_url));
        let request = request.header("x-target-environment", self.environment);
        request.basic_auth(user, Some(key)).header("ocp-apim-subscription-key", subscription_key)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let (product, _) = path.split_once('/').unwrap();
        let token = &self.token[usize::from(product == "disbursement")];
        let request = self
            .test
            .client
            .request(method, format!("{}/{path}", self.base_url))
            .bearer_auth(token);
        let request = request.header("x-target-environment", self.environment);
        request.header("ocp-apim-subscription-key", keys(product).2)
    }

    async fn get(&self, path: &str) -> Response {
        self.test.send(self.request(Method::GET, path)).await
    }

    async fn post(&self, path: &str, reference: &str, body: &Value) -> Response {
        self.post_with_callback(path, reference, body, &self.test.merchant.url).await
    }

    async fn post_with_callback(
        &self,
        path: &str,
        reference: &str,
        body: &Value,
        callback: &str,
    ) -> Response {
        let request = self.request(Method::POST, path).header("x-reference-id", reference);
        self.test.send(request.header("x-callback-url", callback).json(body)).await
    }

    fn body(&self, party: &str, phone: &str) -> Value {
        let currency = if self.environment == "sandbox" { "EUR" } else { "GHS" };
        json!({
            "amount": "12.50",
            "currency": currency,
            "externalId": "order-1",
            party: {"partyIdType": "MSISDN", "partyId": phone},
            "payerMessage": "m",
            "payeeNote": "n",
        })
    }

    async fn charge(&self, phone: &str) -> String {
        let reference = Uuid::new_v4().to_string();
        let response =
            self.post("collection/v1_0/requesttopay", &reference, &self.body("payer", phone)).await;
        assert_eq!((response.status, response.text.as_str()), (202, ""), "{phone}");
        reference
    }

    async fn charge_status(&self, reference: &str) -> Value {
        self.get(&format!("collection/v1_0/requesttopay/{reference}")).await.json()
    }
}

fn code(reason: &Value) -> &str {
    reason["code"].as_str().or(reason.as_str()).unwrap()
}
