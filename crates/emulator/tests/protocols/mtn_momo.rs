//! MTN MoMo.

use crate::support::{Response, Test};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tua_emulator::{Call, Credentials, Fault, Kind, MtnProfile, Operator, State};
use uuid::Uuid;

/// A client of both products on one platform.
struct Momo {
    test: Test,
    base_url: String,
    environment: &'static str,
    token: [String; 2],
}

fn keys(product: &str) -> (String, String, String) {
    let credentials = Credentials::default();
    let product = if product == "collection" {
        credentials.mtn_collection
    } else {
        credentials.mtn_disbursement
    };
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

#[tokio::test]
async fn a_charge_succeeds_after_two_seconds_and_is_called_back_once() {
    let momo = Momo::start(Test::start().await).await;
    let reference = momo.charge("233241234567").await;
    assert_eq!(momo.charge_status(&reference).await["status"], "PENDING");
    momo.test.pass(2);
    let status = momo.charge_status(&reference).await;
    assert_eq!((&status["status"], &status["amount"]), (&json!("SUCCESSFUL"), &json!("12.5")));
    assert_eq!(status["externalId"], "order-1");
    assert!(status["financialTransactionId"].is_string());
    let callbacks = momo.test.merchant.wait_for(1).await;
    assert_eq!((callbacks[0].method.as_str(), callbacks[0].json()), ("PUT", status));
    let rows = momo.test.emulator.orders();
    assert_eq!((rows.len(), rows[0].kind, rows[0].state), (1, Kind::Charge, State::Successful));
    let orders = momo
        .test
        .send(momo.test.client.get(format!("http://{}/orders", momo.test.emulator.address())))
        .await;
    let expected = format!(
        r#"[{{"operator":"mtn-momo","reference":"{reference}","kind":"CHARGE","amount":12.5,"state":"SUCCESSFUL"}}]"#
    );
    assert_eq!(orders.text, expected);
    let route = "GET /mtn-momo/collection/v1_0/requesttopay/{reference}";
    assert_eq!(momo.test.emulator.requests().of_route(route), 2);
    assert_eq!(momo.test.emulator.requests().of_call(Operator::MTN_MOMO, Call::Send), 1);
}

#[tokio::test]
async fn each_number_of_the_table_has_its_reason() {
    let momo = Momo::start(Test::start().await).await;
    for (digits, reason) in [
        ("0001", "NOT_ENOUGH_FUNDS"),
        ("0002", "APPROVAL_REJECTED"),
        ("0003", "EXPIRED"),
        ("0004", "INTERNAL_PROCESSING_ERROR"),
        ("0005", "PAYER_LIMIT_REACHED"),
        ("0006", "PAYER_NOT_FOUND"),
    ] {
        let reference = momo.charge(&format!("23324123{digits}")).await;
        momo.test.pass(2);
        let status = momo.charge_status(&reference).await;
        assert_eq!((&status["status"], code(&status["reason"])), (&json!("FAILED"), reason));
    }
}

#[tokio::test]
async fn an_order_can_be_accepted_although_the_answer_is_503() {
    let momo = Momo::start(Test::start().await).await;
    let reference = Uuid::new_v4().to_string();
    let body = momo.body("payer", "233241230010");
    let response = momo.post("collection/v1_0/requesttopay", &reference, &body).await;
    assert_eq!(response.status, 503);
    let again = momo.post("collection/v1_0/requesttopay", &reference, &body).await;
    assert_eq!((again.status, &again.json()["code"]), (409, &json!("RESOURCE_ALREADY_EXIST")));
    momo.test.pass(2);
    assert_eq!(momo.charge_status(&reference).await["status"], "SUCCESSFUL");
    assert_eq!(momo.test.emulator.orders().len(), 1);
}

#[tokio::test]
async fn the_sandbox_has_euros_and_documented_numbers() {
    let mut momo = Momo::start(Test::start().await).await;
    momo.environment = "sandbox";
    let mut body = momo.body("payer", "46733123455");
    let reference = Uuid::new_v4().to_string();
    assert_eq!(momo.post("collection/v1_0/requesttopay", &reference, &body).await.status, 202);
    momo.test.pass(0);
    assert_eq!(code(&momo.charge_status(&reference).await["reason"]), "PAYER_NOT_FOUND");
    body["currency"] = "GHS".into();
    let refused =
        momo.post("collection/v1_0/requesttopay", &Uuid::new_v4().to_string(), &body).await;
    assert_eq!((refused.status, &refused.json()["code"]), (500, &json!("INVALID_CURRENCY")));
}

#[tokio::test]
async fn the_measured_profile_differs_from_the_documentation() {
    let test = Test::with(|settings| settings.mtn_profile = MtnProfile::Measured202609).await;
    let momo = Momo::start(test).await;
    let created = momo.charge("46733123454").await;
    let pending = momo.charge("46733123453").await;
    assert_eq!(momo.charge_status(&created).await["status"], "CREATED");
    momo.test.pass(25);
    assert_eq!(momo.charge_status(&created).await["status"], "SUCCESSFUL");
    assert_eq!(momo.charge_status(&pending).await["status"], "PENDING");
}

#[tokio::test]
async fn credentials_and_requests_are_checked() {
    let momo = Momo::start(Test::start().await).await;
    let test = &momo.test;
    let without_key = test.client.post(format!("{}/collection/token/", momo.base_url));
    let response = test.send(without_key).await;
    assert_eq!((response.status, &response.json()["statusCode"]), (401, &json!(401)));
    let (_, _, subscription_key) = keys("collection");
    let wrong_pair =
        test.client.post(format!("{}/collection/token/", momo.base_url)).basic_auth("x", Some("y"));
    let response =
        test.send(wrong_pair.header("ocp-apim-subscription-key", subscription_key)).await;
    assert_eq!((response.status, &response.json()["error"]), (401, &json!("invalid_client")));
    let body = momo.body("payer", "233241234567");
    assert_eq!(momo.post("collection/v1_0/requesttopay", "not-a-uuid", &body).await.status, 400);
    let missing = momo.get(&format!("collection/v1_0/requesttopay/{}", Uuid::new_v4())).await;
    assert_eq!((missing.status, &missing.json()["code"]), (404, &json!("RESOURCE_NOT_FOUND")));
    momo.test.pass(3600);
    assert_eq!(momo.get("collection/v1_0/account/balance").await.status, 401);
}

#[tokio::test]
async fn the_new_platform_has_its_own_credentials_and_transactions() {
    let mut momo = Momo::start(Test::start().await).await;
    let reference = momo.charge("233241234567").await;
    momo.base_url = momo.test.emulator.new_mtn_platform_url();
    assert_eq!(momo.test.send(momo.token_request("collection")).await.status, 401);
    let (user, token) = Credentials::default().mtn_new_platform;
    let (_, _, subscription_key) = keys("collection");
    let request = |environment: Option<&str>, agent: &str| {
        let request = momo.test.client.post(format!("{}/collection/token/", momo.base_url));
        let request = request
            .basic_auth(&user, Some(&token))
            .header("ocp-apim-subscription-key", &subscription_key);
        let request = request.header("user-agent", agent);
        match environment {
            Some(environment) => request.header("x-target-environment", environment),
            None => request,
        }
    };
    let response = momo.test.send(request(None, "tua/1")).await;
    assert_eq!(response.json(), json!({"error": "Invalid or missing X-Target-Environment header"}));
    let response = momo.test.send(request(Some("mtnghana"), "python-requests/2.32")).await;
    assert!(
        response.status == 403 && response.text.contains("Microsoft-Azure-Application-Gateway")
    );
    let response = momo.test.send(request(Some("mtnghana"), "tua/1")).await;
    momo.token[0] = response.json()["access_token"].as_str().unwrap().to_owned();
    let status = momo.get(&format!("collection/v1_0/requesttopay/{reference}")).await;
    assert_eq!(status.json()["code"], "RESOURCE_NOT_FOUND");
}

#[tokio::test]
async fn a_payout_and_a_refund_move_the_balance() {
    let momo = Momo::start(Test::start().await).await;
    let balance = async || {
        momo.get("disbursement/v1_0/account/balance").await.json()["availableBalance"].clone()
    };
    assert_eq!(balance().await, "10000000");
    let charge = momo.charge("233241230021").await;
    momo.test.pass(2);
    assert_eq!(balance().await, "10000012.5");
    let payout = Uuid::new_v4().to_string();
    let response =
        momo.post("disbursement/v1_0/transfer", &payout, &momo.body("payee", "233241234567")).await;
    assert_eq!(response.status, 202);
    let refund = Uuid::new_v4().to_string();
    let mut body = momo.body("payee", "");
    body["referenceIdToRefund"] = charge.into();
    assert_eq!(momo.post("disbursement/v1_0/refund", &refund, &body).await.status, 202);
    assert_eq!(balance().await, "9999987.5");
    momo.test.pass(2);
    assert_eq!(balance().await, "10000000");
    let status = momo.get(&format!("disbursement/v1_0/refund/{refund}")).await.json();
    assert_eq!(code(&status["reason"]), "PAYEE_NOT_FOUND");
    let status = momo.get(&format!("disbursement/v1_0/transfer/{payout}")).await.json();
    assert_eq!(status["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_repeated_payout_is_a_duplicate_also_when_the_balance_is_used_up() {
    let momo = Momo::start(Test::start().await).await;
    let pay_out = async |reference: &str| {
        let mut body = momo.body("payee", "233241234567");
        body["amount"] = "10000000".into();
        momo.post("disbursement/v1_0/transfer", reference, &body).await.status
    };
    let [first, second] = [(); 2].map(|()| Uuid::new_v4().to_string());
    assert_eq!((pay_out(&first).await, pay_out(&second).await), (202, 202));
    momo.test.pass(2);
    let status = momo.get(&format!("disbursement/v1_0/transfer/{second}")).await.json();
    assert_eq!(code(&status["reason"]), "NOT_ENOUGH_FUNDS");
    assert_eq!(pay_out(&first).await, 409);
    let status = momo.get(&format!("disbursement/v1_0/transfer/{first}")).await.json();
    assert_eq!(status["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn the_callbacks_of_an_api_user_go_to_its_registered_host_only() {
    let mut momo = Momo::start(Test::start().await).await;
    let user = Uuid::new_v4().to_string();
    let (_, _, subscription_key) = keys("collection");
    let provision = |path: &str, body: Value| {
        let request = momo.test.client.post(format!("{}/v1_0/{path}", momo.base_url)).json(&body);
        momo.test.send(
            request
                .header("ocp-apim-subscription-key", &subscription_key)
                .header("x-reference-id", &user),
        )
    };
    let host = json!({"providerCallbackHost": "127.0.0.1"});
    assert_eq!(provision("apiuser", host).await.status, 201);
    let key = provision(&format!("apiuser/{user}/apikey"), json!({})).await.json()["apiKey"]
        .as_str()
        .unwrap()
        .to_owned();
    let request = momo
        .test
        .client
        .post(format!("{}/collection/token/", momo.base_url))
        .basic_auth(&user, Some(key));
    let token =
        momo.test.send(request.header("ocp-apim-subscription-key", &subscription_key)).await.json();
    momo.token[0] = token["access_token"].as_str().unwrap().to_owned();
    let charge = async |callback: &str| {
        let body = momo.body("payer", "233241234567");
        let reference = Uuid::new_v4().to_string();
        momo.post_with_callback("collection/v1_0/requesttopay", &reference, &body, callback).await
    };
    assert_eq!(charge(&momo.test.merchant.url).await.status, 202);
    for elsewhere in
        ["https://other.example/callbacks", "http://127.0.0.1.other.example/", "no address"]
    {
        let refused = charge(elsewhere).await;
        let answer = (refused.status, refused.json()["code"].clone());
        assert_eq!(answer, (500, json!("INVALID_CALLBACK_URL_HOST")), "{elsewhere}");
    }
    momo.test.pass(2);
    assert_eq!(momo.test.merchant.wait_for(1).await.len(), 1);
}

#[tokio::test]
async fn faults_occur_as_often_as_they_are_set() {
    let momo = Momo::start(Test::start().await).await;
    let reference = momo.charge("233241234567").await;
    momo.test.pass(2);
    let chaos = momo.test.emulator.chaos();
    let path = format!("collection/v1_0/requesttopay/{reference}");
    let once = |fault| chaos.set_once(Operator::MTN_MOMO, Call::Status, fault);
    once(Fault::ErrorBefore);
    assert_eq!(momo.get(&path).await.status, 500);
    once(Fault::WrongAmount);
    assert_eq!(momo.get(&path).await.json()["amount"], "13.5");
    once(Fault::Html);
    assert!(momo.get(&path).await.text.starts_with("<html>"));
    once(Fault::CloseAfter);
    assert!(momo.request(Method::GET, &path).send().await.is_err());
    once(Fault::CloseInBody);
    assert!(momo.request(Method::GET, &path).send().await.unwrap().text().await.is_err());
    assert_eq!(momo.get(&path).await.json()["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn reads_are_limited_to_150_a_second() {
    let test = Test::with(|settings| settings.mtn_reads_per_second = 3.try_into().unwrap()).await;
    let momo = Momo::start(test).await;
    let reference = momo.charge("233241234567").await;
    let path = format!("collection/v1_0/requesttopay/{reference}");
    for _ in 0..3 {
        assert_eq!(momo.get(&path).await.status, 200);
    }
    assert_eq!(momo.get(&path).await.status, 429);
}
