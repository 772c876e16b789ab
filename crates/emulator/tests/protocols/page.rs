//! The page, and faults set on it.

use crate::support::Test;
use serde_json::json;
use tua_emulator::{Operator, PaystackCredentials, State};

impl Test {
    pub async fn charge_from(&self, reference: &str, phone: &str) {
        let body = json!({
            "email": "a@example.com",
            "amount": 1250,
            "currency": "GHS",
            "reference": reference,
            "mobile_money": {"phone": phone, "provider": "mtn"},
        });
        let request = self
            .client
            .post(format!("{}/charge", self.emulator.base_url(Operator::PAYSTACK)))
            .json(&body);
        self.send(request.bearer_auth(PaystackCredentials::default().secret_key)).await;
    }

    async fn page(&self, path: &str) -> String {
        self.send(self.client.get(format!("http://{}{path}", self.emulator.address()))).await.text
    }

    async fn refused_form(&self, path: &str, form: &str) -> String {
        let request = self
            .client
            .post(format!("http://{}{path}", self.emulator.address()))
            .body(form.to_owned());
        self.send(request.header("content-type", "application/x-www-form-urlencoded")).await.text
    }

    async fn post_form(&self, path: &str, form: &str) -> u16 {
        let request = self
            .client
            .post(format!("http://{}{path}", self.emulator.address()))
            .body(form.to_owned());
        self.send(request.header("content-type", "application/x-www-form-urlencoded")).await.status
    }
}

#[tokio::test]
async fn an_order_that_waits_for_a_person_is_decided_on_the_page() {
    let test = Test::start().await;
    test.charge_from("wait-1", "0241230012").await;
    test.charge_from("wait-2", "0241230012").await;
    test.advance(3600);
    let page = test.page("/").await;
    assert!(
        page.contains("wait-1")
            && page.contains("GHS 12.50")
            && page.contains(r#"value="approve""#)
    );
    assert!(!page.contains("<script") && !page.contains("style="));
    assert_eq!(test.post_form("/orders/0/decide?state=PENDING", "decision=approve").await, 200);
    assert_eq!(test.post_form("/orders/1/decide", "decision=decline").await, 200);
    assert_eq!(test.emulator.state_of(Operator::PAYSTACK, "wait-1"), Some(State::Successful));
    assert_eq!(test.emulator.state_of(Operator::PAYSTACK, "wait-2"), Some(State::Failed));
    assert_eq!(test.post_form("/orders/1/decide", "decision=approve").await, 422);
    assert_eq!(test.post_form("/orders/1/decide", "decision=sing").await, 422);
    let page = test.page("/?state=FAILED&operator=paystack").await;
    assert!(
        page.contains("wait-2")
            && !page.contains("wait-1")
            && page.contains("rejected by the payer")
    );
}

#[tokio::test]
async fn every_order_is_on_some_page_and_escaped() {
    let test = Test::start().await;
    for number in 0..60 {
        test.charge_from(&format!("many-{number:02}"), "0241234567").await;
    }
    let first = test.page("/").await;
    let second = test.page("/?page=2").await;
    assert!(first.contains("many-59") && !first.contains("many-09") && first.contains("?page=2"));
    assert!(second.contains("many-00") && second.contains("many-09"));
    assert!(test.page("/?operator=%22%3E%3Cb%3E").await.contains("No orders yet"));
    assert!(!test.page("/?operator=%22%3E%3Cb%3E").await.contains("\"><b>"));
}

#[tokio::test]
async fn faults_and_providers_are_set_on_the_page() {
    let test = Test::start().await;
    let form = "operator=paystack&call=send&fault=latency&duration=1ms&times=2&lasts=";
    assert_eq!(test.post_form("/chaos", form).await, 200);
    assert!(test.page("/").await.contains("send=latency:1ms,times=2"));
    assert_eq!(test.post_form("/chaos", "operator=paystack&call=send&fault=lost").await, 422);
    let refused = test
        .refused_form(
            "/chaos",
            "operator=paystack&call=send&fault=latency&duration=soon%3Cb%3E&times=3",
        )
        .await;
    for kept in [
        "<option selected>paystack",
        "<option selected>send",
        "<option selected>latency",
        r#"value="3""#,
    ] {
        assert!(refused.contains(kept), "{kept} in {refused}");
    }
    assert!(
        refused.contains("value=\"soon&lt;b&gt;\"") && refused.contains(r#"role="alert""#),
        "{refused}"
    );
    assert!(!refused.contains("http-equiv"), "it does not reload what was typed");
    assert_eq!(test.post_form("/chaos/1/remove", "").await, 200);
    assert!(!test.page("/").await.contains("send=latency"));
    assert_eq!(
        test.post_form("/controls/pawapay", "network=MTN&operation=DEPOSIT&status=CLOSED").await,
        200
    );
    for (path, form) in [
        ("/controls/pawapay", "network=MTN&operation=DEPOSIT&status=ASLEEP"),
        ("/controls/paystack", "network=MTN&operation=DEPOSIT&status=CLOSED"),
        ("/controls/unknown", ""),
    ] {
        assert_eq!(test.post_form(path, form).await, 422, "{path} {form}");
    }
    assert!(test.page("/").await.contains("MTN DEPOSIT: <strong>CLOSED</strong>"));
}

#[tokio::test]
async fn other_sites_cannot_use_the_forms() {
    let test = Test::start().await;
    let url = format!("http://{}/chaos/clear", test.emulator.address());
    let foreign = test.client.post(&url).header("origin", "https://evil.example");
    assert_eq!(test.send(foreign).await.status, 403);
    let cross_site = test.client.post(&url).header("sec-fetch-site", "cross-site");
    assert_eq!(test.send(cross_site).await.status, 403);
    let own =
        test.client.post(&url).header("origin", format!("http://{}", test.emulator.address()));
    assert_eq!(test.send(own).await.status, 200);
    let response =
        test.client.get(format!("http://{}/", test.emulator.address())).send().await.unwrap();
    assert!(
        response.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .starts_with("default-src 'none'")
    );
}

#[tokio::test]
async fn an_undecided_order_is_delayed_by_a_minute() {
    let test = Test::start().await;
    test.charge_from("wait-3", "0241230012").await;
    assert_eq!(test.post_form("/orders/0/decide", "decision=delay").await, 200);
    test.advance(59);
    assert_eq!(test.emulator.state_of(Operator::PAYSTACK, "wait-3"), Some(State::Pending));
    test.advance(1);
    assert_eq!(test.emulator.state_of(Operator::PAYSTACK, "wait-3"), Some(State::Successful));
}
