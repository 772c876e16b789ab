//! What payers see of fees: in the session, and on the hosted page without script.

use serde_json::{Value, json};
use tua_domain::{Mode, people::Role};
use tua_test_support::tariffs::app_with_tariffs;
use tua_test_support::{
    Response,
    dashboard::page,
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
};

#[tokio::test]
async fn a_session_shows_what_each_network_costs_its_payer() {
    let app = app_with_tariffs().await;
    let payer = app.payer(&app.shop().await).await;
    let networks = payer.get("/v1/checkout").await.is(200).json()["networks"].clone();
    let price =
        |index: usize| [&networks[index]["fee"], &networks[index]["payerPays"]].map(Clone::clone);
    assert_eq!(price(0), [json!(1), json!(11.5)]);
    assert_eq!(price(1), [Value::Null, json!(10.5)], "the merchant bears it");
    assert_eq!(price(2), [Value::Null, json!(10.5)], "no tariff");
}

#[tokio::test]
async fn a_payer_without_script_sees_the_fee_before_it_is_charged() {
    let app = app_with_tariffs().await;
    let token = app.payer(&app.shop().await).await.credential;
    let path = format!("/pay?key={token}");
    let post = async |fields: &str| -> Response {
        send_form(&app.actor(""), &path, fields, &[FORM_CONTENT_TYPE]).await
    };
    let first = app.actor("").get(&path).await.is(200).text;
    assert!(first.contains(r#"<input value="10.5" type="hidden" name="payerPays">"#), "{first}");
    let form = "phoneNumber=024+123+4567&network=MTN";
    for shown in ["", "&payerPays=10.5", "&payerPays=x"] {
        let again = assert_page(post(&format!("{form}{shown}")).await, 422).text;
        for words in [
            "Check the sum with the fee",
            "1.00 · You pay ",
            "11.50",
            r#"value="11.5""#,
            "024 123 4567",
        ] {
            assert!(again.contains(words), "{words:?} is not in {again}");
        }
    }
    assert_eq!(app.query_number("SELECT count(*) FROM transactions"), 0);
    post(&format!("{form}&payerPays=11.5")).await.is(303);
    let waiting = app.actor("").get(&path).await.is(200).text;
    assert!(waiting.contains("11.50"), "the prompt names this sum: {waiting}");
    assert_eq!(app.query_number("SELECT payer_pays FROM transactions"), 1150);
}

/// The payer bears GHS 1.20 by the tariff, and the merchant keeps the amount, as in the ledger.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_test_payment_shows_what_the_ledger_has_posted() {
    let app = app_with_tariffs().await;
    let shop = app.shop().await;
    let account = app.running().store.accounts().await.unwrap().remove(0).id;
    let body = json!({ "amount": 120, "phoneNumber": "0241234567", "network": "MTN" });
    let id = shop.post("/v1/charge", &body).await.is(202).id();
    app.advance(3);
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let shown = owner.get(&page(&account, Mode::Test, &format!("/payments/{id}"))).await.is(200);
    let (rows, net) = shown.text.split_once("class=\"net\"").unwrap();
    assert!(rows.contains("<dt>Operator’s fee</dt><dd>−GH₵1.20</dd>"), "{rows}");
    let net = net.split_once("</dl>").unwrap().0;
    assert!(net.contains("GH₵120.00"), "{net}");
}
