//! pawaPay.

use crate::support::{Response, Test};
use serde_json::{Value, json};
use tua_contract::Network;
use tua_emulator::{Call, Credentials, Fault, Operation, Operator, ProviderStatus, State};
use uuid::Uuid;

impl Test {
    pub async fn get_pawapay(&self, path: &str) -> Response {
        let request =
            self.client.get(format!("{}/{path}", self.emulator.base_url(Operator::PAWAPAY)));
        self.send(request.bearer_auth(Credentials::default().pawapay_api_token)).await
    }

    pub async fn post_pawapay(&self, path: &str, body: &Value) -> Response {
        let request = self
            .client
            .post(format!("{}/{path}", self.emulator.base_url(Operator::PAWAPAY)))
            .json(body);
        self.send(request.bearer_auth(Credentials::default().pawapay_api_token)).await
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

#[tokio::test]
async fn a_deposit_is_accepted_processed_and_completed() {
    let test = Test::start().await;
    let id = new_id();
    let answer = test.deposit(&id, "233241234567", "15").await;
    assert_eq!(
        (&answer["status"], &answer["nextStep"]),
        (&json!("ACCEPTED"), &json!("FINAL_STATUS"))
    );
    assert_eq!(test.deposit(&id, "233241234567", "15").await["status"], "DUPLICATE_IGNORED");
    let path = format!("v2/deposits/{id}");
    assert_eq!(test.data(&path).await["status"], "ACCEPTED");
    test.pass(1);
    assert_eq!(test.data(&path).await["status"], "PROCESSING");
    test.pass(1);
    let data = test.data(&path).await;
    assert_eq!(
        (&data["status"], &data["clientReferenceId"]),
        (&json!("COMPLETED"), &json!("order-1"))
    );
    assert_eq!(data["metadata"], json!({"orderId": "A1", "email": "a@example.com"}));
    let callback = test.merchant.wait_for(1).await[0].json();
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
        let answer = test.deposit(&new_id(), phone, amount).await;
        assert_eq!(
            (&answer["status"], &answer["failureReason"]["failureCode"]),
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
        test.pass(2);
        assert_eq!(
            test.data(&format!("v2/deposits/{id}")).await["failureReason"]["failureCode"],
            code
        );
    }
    let id = new_id();
    test.post_pawapay("v2/payouts", &payout(&id, "233593456109")).await;
    test.pass(2);
    let data = test.data(&format!("v2/payouts/{id}")).await;
    assert_eq!(data["failureReason"]["failureCode"], "RECIPIENT_LIMIT_REACHED");
}

#[tokio::test]
async fn a_reconciliation_is_reported_as_processing_and_ends() {
    let test = Test::start().await;
    let id = new_id();
    test.post_pawapay("v2/payouts", &payout(&id, "233241230013")).await;
    let path = format!("v2/payouts/{id}");
    test.pass(1);
    assert_eq!(test.data(&path).await["status"], "PROCESSING");
    test.pass(1);
    assert_eq!(test.data(&path).await["status"], "IN_RECONCILIATION");
    assert_eq!(test.merchant.wait_for(1).await[0].json()["status"], "PROCESSING");
    test.pass(28);
    assert_eq!(test.data(&path).await["status"], "COMPLETED");
    assert_eq!(test.merchant.wait_for(2).await[1].json()["status"], "COMPLETED");
}

#[tokio::test]
async fn a_repeated_payout_is_ignored_also_when_the_balance_is_used_up() {
    let test = Test::start().await;
    let send = async |id: &str| {
        let answer =
            test.post_pawapay("v2/payouts", &payout_of("15000", id, "233241234567")).await.json();
        answer["failureReason"]["failureCode"]
            .as_str()
            .or(answer["status"].as_str())
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
    test.pass(600);
    assert_eq!(test.data(&format!("v2/payouts/{first}")).await["status"], "ENQUEUED");
    let cancelled =
        test.post_pawapay(&format!("v2/payouts/fail-enqueued/{first}"), &json!({})).await.json();
    assert_eq!(cancelled["status"], "ACCEPTED");
    let data = test.data(&format!("v2/payouts/{first}")).await;
    assert_eq!(data["failureReason"]["failureCode"], "MANUALLY_CANCELLED");
    set(ProviderStatus::Operational);
    test.pass(2);
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
        let answer = test.post_pawapay("v2/refunds", &body).await.json();
        answer["failureReason"]["failureCode"]
            .as_str()
            .or(answer["status"].as_str())
            .unwrap()
            .to_owned()
    };
    assert_eq!(refund(None).await, "INVALID_STATE");
    test.pass(2);
    assert_eq!(refund(Some("15.5")).await, "AMOUNT_TOO_LARGE");
    assert_eq!(refund(Some("5")).await, "ACCEPTED");
    assert_eq!(refund(Some("5")).await, "REFUND_IN_PROGRESS");
    test.pass(2);
    assert_eq!(refund(None).await, "ACCEPTED");
    test.pass(2);
    assert_eq!(refund(None).await, "DEPOSIT_ALREADY_REFUNDED");
    let rows = test.emulator.orders();
    assert_eq!(rows.iter().map(|row| row.amount.pesewas()).collect::<Vec<_>>(), [1500, 500, 1000]);
    assert!(rows.iter().all(|row| row.state == State::Successful));
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
    test.pass(30);
    assert_eq!(test.data(&path).await["status"], "COMPLETED");
    let resent =
        test.post_pawapay(&format!("v2/deposits/resend-callback/{id}"), &json!({})).await.json();
    assert_eq!(resent["status"], "ACCEPTED");
    test.merchant.wait_for(2).await;
}

#[tokio::test]
async fn a_statement_is_made_and_downloaded() {
    let test = Test::start().await;
    test.deposit(&new_id(), "233241234567", "15").await;
    test.pass(2);
    let now = test.emulator.clock().now();
    let day = jiff::SignedDuration::from_hours(24);
    let request = json!({
        "wallet": {"country": "GHA", "currency": "GHS"},
        "callbackUrl": test.merchant.url,
        "startDate": (now - day).to_string(),
        "endDate": (now + day).to_string(),
        "compressed": false,
    });
    let id = test.post_pawapay("v2/statements", &request).await.json()["statementId"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("v2/statements/{id}");
    assert_eq!(test.data(&path).await["status"], "PROCESSING");
    test.pass(2);
    let url = test.data(&path).await["downloadUrl"].as_str().unwrap().to_owned();
    let csv = test.send(test.client.get(&url)).await.text;
    let lines = csv.lines().collect::<Vec<_>>();
    assert!(lines[0].starts_with("Transaction ID,Transaction Type,Status"));
    assert!(
        lines[1].contains(",DEPOSIT,COMPLETED,GHS,15,0.3,14.7,233241234567,MTN_MOMO_GHA,order-1,"),
        "{}",
        lines[1]
    );
    test.pass(3601);
    assert_eq!(test.send(test.client.get(&url)).await.status, 403);
    let mut too_long = request;
    too_long["endDate"] = (now + day * 40).to_string().into();
    let refused = test.post_pawapay("v2/statements", &too_long).await.json();
    assert_eq!(refused["failureReason"]["failureCode"], "INVALID_DATE_RANGE");
}

#[tokio::test]
async fn numbers_are_predicted_and_balances_told() {
    let test = Test::start().await;
    let predicted = test
        .post_pawapay("v2/predict-provider", &json!({"phoneNumber": "+233 50 123-4567"}))
        .await
        .json();
    assert_eq!(
        predicted,
        json!({"country": "GHA", "provider": "VODAFONE_GHA", "phoneNumber": "233501234567"})
    );
    assert_eq!(
        test.post_pawapay("v2/predict-provider", &json!({"phoneNumber": "12"})).await.status,
        400
    );
    let balances = test.get_pawapay("v2/wallet-balances").await.json();
    assert_eq!(balances["balances"][0]["balance"], "10000000");
    let conf = test.get_pawapay("v2/active-conf").await.json();
    let deposit =
        &conf["countries"][0]["providers"][0]["currencies"][0]["operationTypes"]["DEPOSIT"];
    let channel = &deposit["pinPromptInstructions"]["channels"][0];
    assert_eq!((&channel["type"], &channel["quickLink"]), (&json!("USSD"), &json!("tel:*170%23")));
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
