//! `/pay/find` and `/l/<code>/find`: a payer finds a payment by the transaction ID of the SMS.

use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tua_contract::lifecycle::Observation;
use tua_domain::{Generation, Mode, ports::StatusResponse};
use tua_test_support::{
    ApiClient, Response, TestApp,
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
    scripted_operator::ScriptedOperator,
};

struct Shop {
    app: TestApp,
    operator: Arc<ScriptedOperator>,
    is_paid: Arc<AtomicBool>,
    key: ApiClient,
}

impl Shop {
    async fn start() -> Self {
        let is_paid = Arc::new(AtomicBool::new(false));
        let decided = is_paid.clone();
        let operator = ScriptedOperator::new().finding().asks(move |_| {
            let is_paid = decided.load(Ordering::SeqCst);
            Some(StatusResponse::known(if is_paid {
                Observation::Succeeded
            } else {
                Observation::StillPending
            }))
        });
        let operator = Arc::new(operator);
        let app = TestApp::with_stopped_clock(operator.behind_live()).await;
        let key = app.merchant(Mode::Live, Generation::V2).await;
        Self { app, operator, is_paid, key }
    }

    async fn charge(&self, key: &ApiClient, phone: &str) -> String {
        let body = json!({ "amount": 10.5, "phoneNumber": phone, "network": "MTN" });
        key.post("/v1/charge", &body).await.is(202).id()
    }

    async fn link(&self) -> String {
        let body = json!({ "title": "Dinner", "amount": 10.5 });
        let link = self.key.post("/v1/links", &body).await.is(201).json();
        format!("/l/{}/find", link["code"].as_str().unwrap())
    }

    async fn find(&self, path: &str, id: &str) -> Response {
        send_form(
            &self.app.actor(""),
            path,
            &format!("operatorTransactionId={id}"),
            &[FORM_CONTENT_TYPE],
        )
        .await
    }
}

#[tokio::test]
async fn a_payment_that_only_its_operator_has_by_this_id_is_found_and_asked_about() {
    let shop = Shop::start().await;
    let id = shop.charge(&shop.key, "0241234567").await;
    shop.operator.name(&id, "12345678901");
    let link = shop.link().await;
    let page = assert_page(shop.app.actor("").get(&link).await, 200).text;
    assert!(
        page.contains("Find your payment") && page.contains(r#"name="operatorTransactionId""#),
        "{page}"
    );

    let asked = shop.operator.count("ask");
    shop.is_paid.store(true, Ordering::SeqCst);
    let page = assert_page(shop.find(&link, "1234+567+8901").await, 200).text;
    assert!(page.contains("This payment is being confirmed"), "{page}");
    for secret in ["10.5", "4567", &id, "0241234567"] {
        assert!(!page.contains(secret), "nothing but the state: {secret} in {page}");
    }
    shop.operator.called("ask", asked + 1).await;
    shop.key.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    let page = assert_page(shop.find(&link, "12345678901").await, 200).text;
    assert!(page.contains("This payment has arrived"), "{page}");
}

#[tokio::test]
async fn payments_of_another_account_and_unknown_ones_are_not_found() {
    let shop = Shop::start().await;
    let other = shop.app.merchant(Mode::Live, Generation::V2).await;
    let foreign = shop.charge(&other, "0241234567").await;
    shop.operator.name(&foreign, "99999999999");
    let link = shop.link().await;
    let found = shop.find(&link, "99999999999").await;
    let unknown = shop.find(&link, "11111111111").await;
    assert_eq!(
        assert_page(found, 200).text,
        assert_page(unknown, 200).text,
        "a stranger learns nothing"
    );
    assert_eq!(
        (shop.operator.each("find").len(), shop.operator.count("ask")),
        (2, 0),
        "the same work for both"
    );
    let page = shop.find(&format!("{link}?lang=fr"), "11111111111").await.text;
    assert!(page.contains("Nous n’avons pas encore trouvé ce paiement"), "{page}");
}

#[tokio::test]
async fn a_session_finds_its_own_payment_and_asks_about_it_whatever_is_typed() {
    let shop = Shop::start().await;
    let body = json!({ "amount": 10.5, "email": "ama@example.com" });
    let opened = shop.key.post("/v1/checkout", &body).await.is(201).json();
    let token = opened["checkoutToken"].as_str().unwrap();
    let find = format!("/pay/find?key={token}");
    let pay = format!("/pay?key={token}");
    let page = assert_page(shop.app.actor("").get(&pay).await, 200).text;
    assert!(
        page.contains("I have paid, but it does not show") && page.contains("/pay/find?key="),
        "{page}"
    );
    let charge = shop.app.actor(token).charge("0241234567", "MTN").await.is(202).id();
    let page = assert_page(shop.find(&find, "11111111111").await, 200).text;
    assert!(
        page.contains("This payment is being confirmed"),
        "its operator may report the id later: {page}"
    );
    shop.operator.called("ask", 1).await;
    shop.operator.name(&charge, "12345678901");
    let answer = shop.find(&find, "12345678901").await.is(303);
    assert_eq!(answer.header("location"), pay);

    shop.app.advance(31 * 60);
    assert_page(shop.app.actor("").get(&find).await, 200);
    assert_eq!(
        shop.find(&find, "12345678901").await.is(303).header("location"),
        pay,
        "also with an expired token"
    );
    assert_page(shop.find("/pay/find?key=tua_checkout_x", "12345678901").await, 404);
}

#[tokio::test]
async fn what_cannot_be_an_id_and_too_many_searches_are_refused() {
    let shop = Shop::start().await;
    let link = shop.link().await;
    for (typed, value) in [("", ""), ("12", "12"), ("%3Cb%3E12345", "&lt;b&gt;12345")] {
        let page = assert_page(shop.find(&link, typed).await, 422).text;
        assert!(
            page.contains("5 to 64 letters") && page.contains(&format!("value=\"{value}\"")),
            "{typed}: {page}"
        );
    }
    let foreign = [FORM_CONTENT_TYPE, ("sec-fetch-site", "cross-site")];
    assert_page(
        send_form(&shop.app.actor(""), &link, "operatorTransactionId=12345678901", &foreign).await,
        403,
    );
    assert_page(shop.find("/l/ABCDEFGH/find", "12345678901").await, 404);
    for _ in 0..30 {
        shop.find(&link, "11111111111").await.is(200);
    }
    let refused = assert_page(shop.find(&link, "11111111111").await, 429);
    assert!(refused.headers.contains_key("retry-after"));
    let other = shop.link().await;
    shop.find(&other, "11111111111").await.is(200);
    assert_eq!(shop.operator.count("find"), 31, "what is refused asks nobody");
}
