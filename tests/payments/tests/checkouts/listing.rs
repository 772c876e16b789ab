//! `GET /v1/checkouts`: a merchant's sessions, newest first, in pages
//! (docs/reference/endpoints.md).

use serde_json::{Value, json};
use tua_domain::{AccountId, Generation, KeyScope, KeyScopes, Mode};
use tua_test_support::{
    ApiClient, TestApp,
    key_scopes::key_of,
    payment_bodies::{assert_field_error, names},
    test_database,
};

/// A session of this merchant: its id, and a client with its token.
async fn open(app: &TestApp, shop: &ApiClient, reference: &str) -> (String, ApiClient) {
    let body = json!({ "amount": 10.5, "email": "ama@example.com", "reference": reference });
    let opened = shop.post("/v1/checkout", &body).await.is(201).json();
    let text = |member: &str| opened[member].as_str().unwrap().to_owned();
    (text("checkoutId"), app.actor(&text("checkoutToken")))
}

/// The references of the sessions that a query lists on one page, which is the last.
async fn references(shop: &ApiClient, query: &str) -> Vec<String> {
    let page = shop.get(&format!("/v1/checkouts?{query}")).await.is(200).json();
    assert_eq!(page["nextCursor"], Value::Null, "{query}");
    let sessions = page["data"].as_array().unwrap().iter();
    sessions.map(|session| session["reference"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_session_is_listed_as_it_is_read_and_without_its_token() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let (id, payer) = open(&app, &shop, "order-1").await;
    payer.charge("0241230007", "MTN").await.is(202);
    let listed = shop.get("/v1/checkouts").await.is(200);
    let read = shop.get(&format!("/v1/checkout/{id}")).await.is(200).json();
    assert_eq!(listed.json(), json!({ "data": [read], "nextCursor": null }));
    assert_eq!(read["transaction"]["status"], "PENDING");
    assert_eq!(
        names(&read),
        "amount attemptsLeft checkoutId createdAt currency email expiresAt linkId metadata mode \
         paidTransaction reference returnUrl status transaction"
    );
    assert!(!listed.text.contains("tua_checkout_") && !listed.text.contains("/pay?key="));
    assert_eq!(listed.header("cache-control"), "no-store");
}

#[tokio::test]
async fn pages_neither_repeat_nor_skip_while_new_sessions_are_written() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let mut written = Vec::new();
    // All at the same time: their ids order them.
    for number in 0..5 {
        written.push(open(&app, &shop, &format!("order-{number}")).await.0);
    }
    written.reverse();
    for query in ["", "&status=OPEN"] {
        let mut read = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = shop.get(&format!("/v1/checkouts?limit=2{query}{cursor}")).await.is(200);
            let page = page.json();
            let sessions = page["data"].as_array().unwrap().iter();
            read.extend(sessions.map(|one| one["checkoutId"].as_str().unwrap().to_owned()));
            // Written between two pages; it belongs before the first page.
            let (late, _) = open(&app, &shop, "late").await;
            written.insert(0, late);
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(read, written[written.len() - read.len()..], "{query}");
        assert!(read.len() >= 5, "{query}");
    }
}

#[tokio::test]
async fn every_filter_narrows_the_list() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    open(&app, &shop, "expired").await;
    app.advance(31 * 60);
    let between = app.running().clock.now();
    app.advance(1);
    let (closed, _) = open(&app, &shop, "closed").await;
    shop.post(&format!("/v1/checkout/{closed}/close"), &json!({})).await.is(200);
    open(&app, &shop, "open").await;
    let (_, payer) = open(&app, &shop, "pending").await;
    payer.charge("0241230007", "MTN").await.is(202);
    let (_, payer) = open(&app, &shop, "paid").await;
    let id = payer.charge("0241234567", "MTN").await.is(202).id();
    app.advance(2);
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    for (query, expected) in [
        ("".to_owned(), vec!["paid", "pending", "open", "closed", "expired"]),
        ("status=OPEN".to_owned(), vec!["open"]),
        ("status=PENDING".to_owned(), vec!["pending"]),
        ("status=PAID".to_owned(), vec!["paid"]),
        ("status=EXPIRED".to_owned(), vec!["expired"]),
        ("status=CLOSED".to_owned(), vec!["closed"]),
        ("reference=open".to_owned(), vec!["open"]),
        ("reference=nobody".to_owned(), vec![]),
        (format!("createdBefore={between}"), vec!["expired"]),
        (format!("createdAfter={between}&status=PAID"), vec!["paid"]),
        (format!("createdAfter={between}&status=EXPIRED"), vec![]),
    ] {
        assert_eq!(references(&shop, &query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn a_rare_status_is_found_page_by_page_without_reading_everything_at_once() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let (paid, payer) = open(&app, &shop, "paid").await;
    let id = payer.charge("0241234567", "MTN").await.is(202).id();
    app.advance(2);
    shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    let copy =
        "INSERT INTO checkouts (id, account_id, mode, seed, token_digest, amount, reference, \
         email, created_at, expires_at)
         SELECT 'chk_ffff' || (100000 + n), account_id, mode, seed, {digest}, amount, 'later', \
         email, created_at + n, expires_at FROM checkouts, (WITH RECURSIVE numbers (n) AS
             (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1100) SELECT n FROM numbers) \
         AS numbers WHERE reference = 'paid'";
    let digest = if test_database::is_sqlite() {
        "CAST(n AS BLOB)"
    } else {
        "decode(lpad(n::text, 64, '0'), 'hex')"
    };
    test_database::execute(app.folder.path(), &copy.replace("{digest}", digest));
    let first = shop.get("/v1/checkouts?status=PAID").await.is(200).json();
    assert_eq!(first["data"], json!([]));
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = shop.get(&format!("/v1/checkouts?status=PAID&cursor={cursor}")).await.is(200);
    let second = second.json();
    assert_eq!(
        (&second["data"][0]["checkoutId"], &second["nextCursor"]),
        (&json!(paid), &Value::Null)
    );
    let hundred = shop.get("/v1/checkouts?limit=100").await.is(200).json();
    assert_eq!(hundred["data"].as_array().unwrap().len(), 100);
}

#[tokio::test]
async fn a_list_contains_only_its_account_and_mode_and_needs_a_scope() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let (_, payer) = open(&app, &shop, "mine").await;
    assert_eq!(references(&app.shop().await, "").await, Vec::<String>::new());
    let account = test_database::query_texts(app.folder.path(), "SELECT account_id FROM checkouts");
    let account = AccountId::new(account[0].clone());
    let live = app.key(&account, Mode::Live, Generation::V2).await;
    assert_eq!(references(&live, "").await, Vec::<String>::new());
    payer.get("/v1/checkouts").await.is_problem(403, "credential_not_allowed");
    let old = app.merchant(Mode::Test, Generation::V1).await;
    old.get("/v1/checkouts").await.is_problem(403, "credential_not_allowed");
    app.actor("").get("/v1/checkouts").await.is_problem(401, "missing_credentials");
    for scope in KeyScopes::all_of(Generation::V2).iter() {
        let listed = key_of(&app, &account, scope.as_str()).await.get("/v1/checkouts").await;
        if matches!(scope, KeyScope::Collect | KeyScope::Read) {
            assert_eq!(listed.is(200).json()["data"][0]["reference"], "mine");
        } else {
            listed.is_problem(403, "scope_missing");
        }
    }
}

#[tokio::test]
async fn invalid_parameters_of_the_list_are_refused() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for _ in 0..2 {
        shop.post(
            "/v1/payout",
            &json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" }),
        )
        .await
        .is(202);
    }
    let page = shop.get("/v1/transactions?limit=1").await.is(200).json();
    let foreign = format!("cursor={}", page["nextCursor"].as_str().unwrap());
    for query in [
        "status=SUCCESSFUL",
        "createdAfter=yesterday",
        "limit=0",
        "limit=101",
        "cursor=x",
        &foreign,
    ] {
        let refused = shop.get(&format!("/v1/checkouts?{query}")).await;
        refused.is_problem(422, "invalid_parameter");
    }
    let refused = shop.get("/v1/checkouts?reference=a%00b").await;
    assert_field_error(refused, "reference", "invalid_text");
    shop.get("/v1/checkouts?network=MTN").await.is_problem(422, "unknown_field");
}
