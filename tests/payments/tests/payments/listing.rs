//! `GET /v1/transactions`: a merchant's transactions, newest first, in pages.

use serde_json::{Value, json};
use tua_domain::{Generation, Mode};
use tua_test_support::{ApiClient, TestApp, payment_bodies::assert_field_error};

async fn charge(shop: &ApiClient, phone: &str, network: &str, reference: &str) -> String {
    let body =
        json!({ "amount": 1, "phoneNumber": phone, "network": network, "reference": reference });
    shop.post("/v1/charge", &body).await.is(202).id()
}

fn ids(page: &Value) -> Vec<String> {
    let data = page["data"].as_array().unwrap().iter();
    data.map(|one| one["transactionId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn pages_neither_repeat_nor_skip_while_new_transactions_are_written() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut written = Vec::new();
    for n in 0..5 {
        written.push(charge(&shop, "0241234567", "MTN", &format!("order-{n}")).await);
    }
    let mut read = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = shop.get(&format!("/v1/transactions?limit=2{cursor}")).await.is(200).json();
        read.extend(ids(&page));
        // Written between two pages; it belongs before the first page.
        charge(&shop, "0241234567", "MTN", "late").await;
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    written.reverse();
    assert_eq!(read, written);
}

#[tokio::test]
async fn every_filter_narrows_the_list() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let failed = charge(&shop, "0241230006", "MTN", "a").await;
    let waiting = charge(&shop, "0201234567", "TELECEL", "b").await;
    let between = app.running().clock.now();
    app.advance(60);
    let payout = json!({
        "amount": 1,
        "phoneNumber": "0261234567",
        "network": "AIRTELTIGO",
        "reference": "c",
    });
    let payout = shop.post("/v1/payout", &payout).await.is(202).id();
    let payer = app.payer(&shop).await;
    let paid = payer.charge("0241234567", "MTN").await.is(202);
    let checkout = paid.json()["checkoutId"].as_str().unwrap().to_owned();
    let paid = paid.id();
    for (query, expected) in [
        ("status=FAILED".to_owned(), vec![&failed]),
        ("type=PAYOUT".to_owned(), vec![&payout]),
        ("network=TELECEL".to_owned(), vec![&waiting]),
        ("phoneNumber=0201234567".to_owned(), vec![&waiting]),
        ("phoneNumber=0241234560".to_owned(), vec![]),
        ("reference=a".to_owned(), vec![&failed]),
        (format!("checkoutId={checkout}"), vec![&paid]),
        (format!("createdAfter={between}"), vec![&paid, &payout]),
        (format!("createdBefore={between}&status=PENDING"), vec![&waiting]),
        ("reference=nobody".to_owned(), vec![]),
    ] {
        let page = shop.get(&format!("/v1/transactions?{query}")).await.is(200).json();
        assert_eq!(ids(&page).iter().collect::<Vec<_>>(), expected, "{query}");
        assert_eq!(page["nextCursor"], Value::Null, "{query}");
    }
}

#[tokio::test]
async fn a_list_contains_only_its_account_and_mode() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let mine = charge(&shop, "0241234567", "MTN", "mine").await;
    assert_eq!(ids(&shop.get("/v1/transactions").await.is(200).json()), [mine]);
    let live = app.key(&account, Mode::Live, Generation::V2).await;
    for stranger in [app.shop().await, live] {
        let listed = stranger.get("/v1/transactions").await.is(200).json();
        assert_eq!(ids(&listed), Vec::<String>::new());
    }
    let payer = app.payer(&shop).await;
    payer.get("/v1/transactions").await.is_problem(403, "credential_not_allowed");
    let old = app.merchant(Mode::Test, Generation::V1).await;
    old.get("/v1/transactions").await.is_problem(403, "credential_not_allowed");
}

#[tokio::test]
async fn control_characters_in_the_query_are_refused_alike_on_every_store() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for name in ["reference", "checkoutId"] {
        for value in ["%00", "a%00b", "a%1Bb", "a%0A"] {
            let refused = shop.get(&format!("/v1/transactions?{name}={value}")).await;
            assert_field_error(refused, name, "invalid_text");
        }
    }
    shop.get("/v1/status/txn_%00").await.is_problem(404, "transaction_not_found");
    shop.get("/v1/checkout/chk_%00").await.is(404);
    shop.post("/v1/checkout/chk_%00/close", &json!({})).await.is(404);
}

#[tokio::test]
async fn all_invalid_query_parameters_are_reported() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let query = "limit=101&status=DONE&createdAfter=yesterday&cursor=%25&colour=red\
        &type=CHARGE&type=PAYOUT";
    let refused =
        shop.get(&format!("/v1/transactions?{query}")).await.is_problem(422, "validation_failed");
    let refused = refused.json();
    let pointers: Vec<&str> = refused["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["pointer"].as_str().unwrap())
        .collect();
    assert_eq!(pointers, ["/limit", "/status", "/createdAfter", "/cursor", "/colour", "/type"]);
}
