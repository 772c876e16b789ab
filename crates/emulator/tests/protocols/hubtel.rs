//! The emulator answers as Hubtel documents it.

use crate::support::{Response, Test};
use serde_json::{Value, json};
use tua_emulator::{Call, Decision, Failure, Fault, HubtelCredentials, Operator, State};

const RECEIVE: &str = "rmp/merchantaccount/merchants/11684/receive/mobilemoney";
const SEND: &str = "smp/api/merchants/2017254/send/mobilemoney";

impl Test {
    async fn get_hubtel(&self, path: &str) -> Response {
        let credentials = HubtelCredentials::default();
        let request =
            self.client.get(format!("{}/{path}", self.emulator.base_url(Operator::HUBTEL)));
        self.send(request.basic_auth(credentials.api_id, Some(credentials.api_key))).await
    }

    async fn post_hubtel(&self, path: &str, body: &Value) -> Response {
        let credentials = HubtelCredentials::default();
        let request = self
            .client
            .post(format!("{}/{path}", self.emulator.base_url(Operator::HUBTEL)))
            .json(body);
        self.send(request.basic_auth(credentials.api_id, Some(credentials.api_key))).await
    }

    fn receive_body(&self, reference: &str, phone: &str) -> Value {
        json!({
            "CustomerMsisdn": phone,
            "Channel": "mtn-gh",
            "Amount": 0.8,
            "PrimaryCallbackUrl": self.merchant.url,
            "Description": "Union Dues",
            "ClientReference": reference,
        })
    }

    async fn receive(&self, reference: &str, phone: &str) -> Response {
        self.post_hubtel(RECEIVE, &self.receive_body(reference, phone)).await
    }

    async fn charge_status(&self, query: &str) -> Value {
        self.get_hubtel(&format!("txnstatus/transactions/11684/status?{query}")).await.json()
    }
}

#[tokio::test]
async fn money_is_received_and_found_by_three_references() {
    let test = Test::start().await;
    let response = test.receive("3jL2KlUy3vt21", "233241234567").await.json();
    assert_eq!(
        (&response["ResponseCode"], &response["Data"]["Amount"]),
        (&json!("0001"), &json!(0.8))
    );
    assert_eq!(
        (&response["Data"]["Charges"], &response["Data"]["AmountCharged"]),
        (&json!(0.02), &json!(0.82))
    );
    assert_eq!(
        test.charge_status("clientReference=3jL2KlUy3vt21").await["data"]["status"],
        "Unpaid"
    );
    test.advance(2);
    let callback = test.merchant.wait_for_callbacks(1).await[0].json();
    assert_eq!(
        (&callback["ResponseCode"], &callback["Message"]),
        (&json!("0000"), &json!("success"))
    );
    let id = callback["Data"]["TransactionId"].as_str().unwrap();
    let external = callback["Data"]["ExternalTransactionId"].as_str().unwrap();
    for query in [
        "clientReference=3jL2KlUy3vt21".to_owned(),
        format!("hubtelTransactionId={id}"),
        format!("networkTransactionId={external}"),
    ] {
        let status = test.charge_status(&query).await;
        assert_eq!(
            (&status["data"]["status"], &status["data"]["amount"]),
            (&json!("Paid"), &json!(0.8)),
            "{query}"
        );
    }
    let again = test.receive("3jL2KlUy3vt21", "233241234567").await;
    assert_eq!((again.status, &again.json()["ResponseCode"]), (400, &json!("4000")));
    assert_eq!(test.emulator.orders().len(), 1);
}

#[tokio::test]
async fn failures_have_a_text_and_stay_unpaid() {
    let test = Test::start().await;
    test.receive("a", "233241230004").await;
    test.advance(2);
    let callback = test.merchant.wait_for_callbacks(1).await[0].json();
    assert_eq!(
        (&callback["ResponseCode"], &callback["Data"]["Description"]),
        (&json!("2001"), &json!("Wrong PIN entered"))
    );
    assert_eq!(test.charge_status("clientReference=a").await["data"]["status"], "Unpaid");
    test.emulator.decide(Operator::HUBTEL, "a", Decision::Contradict).unwrap();
    assert_eq!(test.charge_status("clientReference=a").await["data"]["status"], "Paid");
    assert_eq!(test.receive("b", "233241230006").await.json()["ResponseCode"], "3050");
    assert_eq!(test.emulator.state_of(Operator::HUBTEL, "b"), Some(State::Failed));
    let unknown = test.get_hubtel("txnstatus/transactions/11684/status?clientReference=x").await;
    assert_eq!((unknown.status, &unknown.json()["responseCode"]), (404, &json!("3000")));
}

#[tokio::test]
async fn wrong_requests_and_addresses_are_refused() {
    let test = Test::start().await;
    for (name, value) in [
        ("CustomerMsisdn", json!("0241234567")),
        ("Channel", json!("mtn")),
        ("Amount", json!("0.8")),
        ("Amount", json!(0.801)),
        ("Description", json!("a & b")),
        ("ClientReference", json!("x".repeat(37))),
    ] {
        let mut body = test.receive_body("c", "233241234567");
        body[name] = value;
        let response = test.post_hubtel(RECEIVE, &body).await;
        assert_eq!(
            (response.status, &response.json()["ResponseCode"]),
            (400, &json!("4000")),
            "{name}"
        );
    }
    let other_account = RECEIVE.replace("11684", "99999");
    let response = test.post_hubtel(&other_account, &test.receive_body("c", "233241234567")).await;
    assert_eq!(response.json()["ResponseCode"], "4101");
    test.emulator.chaos().set_once(Operator::HUBTEL, Call::Send, Fault::OffList);
    let response = test.receive("c", "233241234567").await;
    assert!(response.status == 403 && response.text.starts_with("<html>"));
    assert!(test.emulator.orders().is_empty());
}

#[tokio::test]
async fn money_is_sent_and_its_status_has_other_names() {
    let test = Test::start().await;
    let body = json!({
        "RecipientName": "Ama",
        "RecipientMsisdn": "233501234567",
        "Channel": "vodafone-gh",
        "Amount": 10,
        "PrimaryCallbackURL": test.merchant.url,
        "Description": "Wages",
        "ClientReference": "pay1",
    });
    let response = test.post_hubtel(SEND, &body).await.json();
    assert_eq!(
        (&response["ResponseCode"], &response["Data"]["Amount"]),
        (&json!("0001"), &json!(10))
    );
    test.advance(2);
    assert_eq!(test.merchant.wait_for_callbacks(1).await[0].json()["ResponseCode"], "0000");
    for path in ["transactions/status", "status"] {
        let status = test
            .get_hubtel(&format!("smrsc/api/merchants/2017254/{path}?clientReference=pay1"))
            .await
            .json();
        assert_eq!(
            (&status["ResponseCode"], &status["Data"]["transactionStatus"]),
            (&json!("success"), &json!("success"))
        );
    }
    let mut short = body;
    short["RecipientMsisdn"] = "233501230001".into();
    short["ClientReference"] = "pay2".into();
    test.post_hubtel(SEND, &short).await;
    test.advance(2);
    let callback = test.merchant.wait_for_callbacks(2).await[1].json();
    assert_eq!(
        (&callback["ResponseCode"], &callback["Data"]["Description"]),
        (&json!("2001"), &json!("Insufficient funds"))
    );
}

#[tokio::test]
async fn a_repeated_payout_is_a_duplicate_also_when_the_balance_is_used_up() {
    let test = Test::start().await;
    let send = async |amount: u32, reference: &str| {
        let body = json!({
            "RecipientName": "Ama",
            "RecipientMsisdn": "233501234567",
            "Channel": "vodafone-gh",
            "Amount": amount,
            "PrimaryCallbackURL": test.merchant.url,
            "Description": "Wages",
            "ClientReference": reference,
        });
        test.post_hubtel(SEND, &body).await.json()
    };
    assert_eq!(send(10_000_000, "pay1").await["ResponseCode"], "0001");
    assert_eq!(send(10, "pay2").await["ResponseCode"], "4075");
    let repeated = send(10_000_000, "pay1").await;
    assert_eq!(repeated["ResponseCode"], "4000");
    assert!(repeated["Message"].as_str().unwrap().contains("Duplicate ClientReference"));
}

#[tokio::test]
async fn a_refund_is_full_and_happens_once() {
    let test = Test::start().await;
    let mut body = test.receive_body("d", "233241234567");
    body["Amount"] = 5.into();
    test.post_hubtel(RECEIVE, &body).await;
    let refund = async |id: &str| {
        test.post_hubtel(
            &format!("refund-api/refund/11684/order/{id}"),
            &json!({"callbackUrl": test.merchant.url}),
        )
        .await
    };
    test.advance(2);
    let id = test.merchant.wait_for_callbacks(1).await[0].json()["Data"]["OrderId"]
        .as_str()
        .unwrap()
        .to_owned();
    let unknown = refund(&id.replace('0', "1")).await;
    assert_eq!((unknown.status, &unknown.json()["responseCode"]), (404, &json!("3000")));
    let accepted = refund(&id).await;
    assert_eq!((accepted.status, &accepted.json()["responseCode"]), (202, &json!("0001")));
    let second = refund(&id).await;
    assert_eq!((second.status, &second.json()["responseCode"]), (423, &json!("4515")));
    test.advance(2);
    assert_eq!(test.charge_status("clientReference=d").await["data"]["status"], "Refunded");
    let callback = test.merchant.wait_for_callbacks(2).await[1].json();
    assert_eq!(
        (&callback["responseCode"], &callback["data"]["orderId"]),
        (&json!("0000"), &json!(id))
    );
    assert_eq!(refund(&id).await.json()["responseCode"], "4509");
}

#[tokio::test]
async fn names_are_looked_up() {
    let test = Test::start().await;
    let path =
        "rnv/v2/merchantaccount/merchants/11684/mobilemoney/verify?channel=mtn-gh&customerMsisdn=";
    let found = test.get_hubtel(&format!("{path}233241234567")).await.json();
    assert_eq!(
        (&found["data"]["name"], &found["data"]["profile"]),
        (&json!("AMA MENSAH"), &json!("Subscriber"))
    );
    assert_eq!(test.get_hubtel(&format!("{path}233241230006")).await.status, 404);
    assert_eq!(test.get_hubtel(&format!("{path}233241230005")).await.status, 424);
}

#[tokio::test]
async fn a_refusal_with_a_documented_code_accepts_nothing_and_a_documented_status_replaces_the_orders()
 {
    let test = Test::start().await;
    let chaos = test.emulator.chaos();
    for (code, http) in [("4103", 403), ("4000", 400), ("0005", 200), ("2001", 424)] {
        chaos.set_once(Operator::HUBTEL, Call::Send, Fault::Refusal(code));
        let refused = test.receive("r", "233241234567").await;
        assert_eq!((refused.status, &refused.json()["ResponseCode"]), (http, &json!(code)));
    }
    assert!(test.emulator.orders().is_empty());
    test.receive("r", "233241234567").await;
    chaos.set_once(Operator::HUBTEL, Call::Status, Fault::Status("Refunded"));
    let status = test.charge_status("clientReference=r").await;
    assert_eq!(
        (&status["data"]["status"], &status["responseCode"]),
        (&json!("Refunded"), &json!("0000"))
    );
    assert_eq!(test.charge_status("clientReference=r").await["data"]["status"], "Unpaid");
    chaos.set_once(Operator::HUBTEL, Call::Status, Fault::Refusal("3000"));
    assert_eq!(test.charge_status("clientReference=r").await["responseCode"], "3000");
}

#[tokio::test]
async fn codes_and_texts_come_in_the_callback() {
    let test = Test::start().await;
    let special = "The payload has special characters";
    let unregistered = "The recipient is not registered on the network";
    for (sent, reference, chosen, code, text) in
        [(1, "t", special, "2001", special), (2, "u", "2201", "2201", unregistered)]
    {
        test.receive(reference, "233241230007").await;
        let decision = Decision::Decline(Failure::Code(chosen));
        test.emulator.decide(Operator::HUBTEL, reference, decision).unwrap();
        let callback = test.merchant.wait_for_callbacks(sent).await[sent - 1].json();
        assert_eq!(
            (&callback["ResponseCode"], &callback["Data"]["Description"]),
            (&json!(code), &json!(text))
        );
    }
}

#[tokio::test]
async fn no_number_chooses_a_code() {
    let test = Test::start().await;
    for phone in ["233249992100", "233249994103", "233249995000"] {
        assert_eq!(test.receive(phone, phone).await.json()["ResponseCode"], "0001", "{phone}");
        test.advance(2);
        let status = test.charge_status(&format!("clientReference={phone}")).await;
        assert_eq!(status["data"]["status"], "Paid", "{phone}");
    }
}
