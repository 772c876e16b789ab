//! `GET /v1/logs` (docs/reference/endpoints.md#follow-requests-and-deliveries).

use serde_json::{Value, json};
use tua_domain::{Generation, Mode};
use tua_test_support::{
    ApiClient, TestApp,
    key_scopes::key_of,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

const PATH: &str = "/v1/logs";

async fn page(key: &ApiClient, query: &str) -> Value {
    key.get(&format!("{PATH}?{query}")).await.is(200).json()
}

#[tokio::test]
async fn a_follower_sees_the_requests_of_the_own_test_mode_and_no_others() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let shop = &merchant.shop;
    shop.get("/v1/checkouts").await.is(200);
    let begun = page(shop, "").await;
    let nothing = json!({ "requests": [], "deliveries": [], "last": begun["last"], "missed": 0 });
    assert_eq!(begun, nothing, "it begins with the next entry");
    let other = app.shop().await;
    page(&other, "").await;
    other.get("/v1/checkouts").await.is(200);
    shop.get("/v1/checkout/chk_secret").await.is(404);
    let found = page(shop, &format!("after={}&wait=30", begun["last"])).await;
    let requests = found["requests"].as_array().unwrap();
    let [read] = requests.as_slice() else { panic!("{found}") };
    assert_eq!(read["route"], "/v1/checkout/{checkout_id}");
    assert_eq!((&read["status"], &read["code"]), (&json!(404), &json!("not_found")));
    assert!(!found.to_string().contains("chk_secret"), "{found}");
    let others = page(&other, "after=0").await;
    assert_eq!(others["requests"].as_array().unwrap().len(), 1, "{others}");
    assert_eq!(others["requests"][0]["route"], "/v1/checkouts");
}

#[tokio::test]
async fn a_client_learns_that_the_service_was_restarted() {
    let mut app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let shop = &merchant.shop;
    let last = page(shop, "").await["last"].clone();
    let old = format!("{PATH}?after={last}&wait=30");
    app.advance(1);
    app.restart().await;
    shop.get(&old).await.is_problem(422, "invalid_parameter");
    shop.get("/v1/checkouts").await.is(200);
    // Also when the log has entries again.
    shop.get(&old).await.is_problem(422, "invalid_parameter");
    let found = page(shop, "after=0").await;
    assert_eq!(found["requests"][0]["route"], "/v1/checkouts", "{found}");
    assert!(found["last"].as_u64() > last.as_u64(), "{found}");
}

#[tokio::test]
async fn a_request_is_found_by_its_id_with_the_deliveries_about_what_it_created() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let payout = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    merchant.shop.post("/v1/payout", &payout).await.is(202);
    let begun = merchant.shop.post("/v1/payout", &payout).await.is(202);
    receiver.wait_for_webhooks(2).await;
    app.wait_for_tasks().await;
    let query = format!("requestId={}", begun.header("x-request-id"));
    let found = page(&merchant.shop, &query).await;
    assert_eq!(found["requests"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["requests"][0]["resourceId"], begun.id());
    assert_eq!(found["deliveries"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["deliveries"][0]["resourceId"], begun.id());
    let none = json!({ "requests": [], "deliveries": [], "last": found["last"], "missed": 0 });
    assert_eq!(page(&merchant.shop, "requestId=req_none").await, none);
    // Of another account.
    let other = app.shop().await;
    other.get("/v1/checkouts").await.is(200);
    assert_eq!(page(&other, &query).await["requests"], json!([]));

    let body = json!({ "amount": 5, "email": "ama@example.com" });
    let opened = merchant.shop.post("/v1/checkout", &body).await.is(201);
    let query = format!("requestId={}", opened.header("x-request-id"));
    let found = page(&merchant.shop, &query).await;
    assert_eq!(found["requests"][0]["resourceId"], opened.json()["checkoutId"]);
}

#[tokio::test]
async fn only_test_keys_with_the_scope_read_may_follow() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let account = &merchant.scope.account;
    let collector = key_of(&app, account, "collect").await;
    collector.get(PATH).await.is_problem(403, "scope_missing");
    app.payer(&merchant.shop).await.get(PATH).await.is(403);
    for (query, code) in [
        ("after=x", "invalid_parameter"),
        ("after=0&wait=31", "invalid_parameter"),
        ("requestId=", "invalid_parameter"),
        ("requestId=req%201", "invalid_parameter"),
        ("requestId=req_1&after=0", "invalid_parameter"),
        ("limit=0", "invalid_parameter"),
        ("cursor=x", "unknown_field"),
    ] {
        merchant.shop.get(&format!("{PATH}?{query}")).await.is_problem(422, code);
    }
    let live = app.key(account, Mode::Live, Generation::V2).await;
    live.get(PATH).await.is_problem(403, "credential_not_allowed");
}
