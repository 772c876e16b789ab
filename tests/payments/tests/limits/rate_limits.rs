//! Rate limits: 429, with the limit and when to retry (docs/reference/errors.md).

use reqwest::Method;
use serde_json::{Value, json};
use std::{fs, sync::Arc};
use tua_contract::{Step, lifecycle::Observation};
use tua_domain::{Generation, Mode, ports::CodeResponse, rate_limit::Rate, routing::Operators};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, Response, TestApp,
    failing_plan::Plan,
    idempotency::{PAYMENT, send_with_key},
    payment_bodies::payment_with,
    scripted_operator::ScriptedOperator,
    test_database,
};

/// A service with a stopped clock and these rate limits.
pub(super) async fn rate_limited_service(
    rates: Rates,
    choose: impl FnOnce(Operators) -> Operators,
) -> TestApp {
    TestApp::with_clock(OffsetClock::stopped(), |config| config.limits = Limits::On(rates), choose)
        .await
}

pub(super) fn rate(quota: u32, window: u32) -> Rate {
    Rate::new(quota, window).unwrap()
}

/// An operator that prompts every payer and rejects every code.
pub(super) fn prompting_operator() -> Arc<ScriptedOperator> {
    Arc::new(
        ScriptedOperator::new()
            .sends(|_| Some(Observation::Awaits(Step::EnterOtp)))
            .codes(|_| Some(CodeResponse::Wrong)),
    )
}

#[track_caller]
pub(super) fn assert_rate_headers(answer: &Response, limit: &str, policy: &str) {
    assert_eq!(
        (answer.header("ratelimit"), answer.header("ratelimit-policy")),
        (limit, policy),
        "{answer:?}"
    );
}

#[track_caller]
pub(super) fn assert_rate_limited(answer: Response, wait: u64, policy: &str, quota: &str) {
    let answer = answer.is_problem(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), wait.to_string());
    assert_rate_headers(
        &answer,
        &format!("\"{policy}\";r=0;t={wait}"),
        &format!("\"{policy}\";{quota}"),
    );
    assert_eq!(answer.header("access-control-allow-origin"), "*");
}

pub(super) async fn charge(actor: &ApiClient, phone: &str) -> Response {
    actor.post_text("/v1/charge", &payment_with("phoneNumber", Some(&format!("\"{phone}\"")))).await
}

pub(super) async fn submit(actor: &ApiClient, transaction: &str) -> Response {
    actor.post("/v1/submit-otp", &json!({ "transactionId": transaction, "otp": "0000" })).await
}

#[tokio::test]
async fn every_response_to_a_valid_credential_has_rate_limit_headers() {
    let app = rate_limited_service(Rates::default(), |operators| operators).await;
    let shop = app.shop().await;
    assert_rate_headers(
        &shop.get("/v1/transactions").await.is(200),
        r#""credential";r=499;t=1"#,
        r#""credential";q=500;w=5"#,
    );
    assert_rate_headers(
        &shop.get("/v1/status/x").await.is(404),
        r#""credential";r=498;t=1"#,
        r#""credential";q=500;w=5"#,
    );
    let payer = app.payer(&shop).await;
    assert_rate_headers(
        &payer.get("/v1/checkout").await.is(200),
        r#""credential";r=119;t=1"#,
        r#""credential";q=120;w=24"#,
    );
    let first = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    let replay = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    assert!(
        first.header("ratelimit").contains("r=496") && replay.header("ratelimit").contains("r=495")
    );
    for answer in
        [app.actor("").get("/v1/checkout").await.is(401), shop.get("/healthz").await.is(200)]
    {
        assert_rate_headers(&answer, "", "");
    }
}

#[tokio::test]
async fn disabled_limits_have_no_headers() {
    let app = TestApp::start().await;
    assert_rate_headers(&app.shop().await.get("/v1/transactions").await.is(200), "", "");
}

#[tokio::test]
async fn a_credential_above_its_limit_does_not_affect_others() {
    let app =
        rate_limited_service(Rates { secret_key: rate(5, 5), ..Rates::default() }, |operators| {
            operators
        })
        .await;
    let account = app.account("Adom Stores").await;
    let key = app.key(&account, Mode::Test, Generation::V2).await;
    let other = app.key(&account, Mode::Test, Generation::V2).await;
    for _ in 0..5 {
        key.get("/v1/transactions").await.is(200);
    }
    for _ in 0..3 {
        assert_rate_limited(key.get("/v1/transactions").await, 1, "credential", "q=5;w=5");
    }
    assert_rate_limited(charge(&key, "0241230007").await, 1, "credential", "q=5;w=5");
    other.get("/v1/transactions").await.is(200);
    app.advance(1);
    key.get("/v1/transactions").await.is(200);
    assert_rate_limited(key.get("/v1/transactions").await, 1, "credential", "q=5;w=5");
    app.advance(5);
    assert_rate_headers(
        &key.get("/v1/transactions").await.is(200),
        r#""credential";r=4;t=1"#,
        r#""credential";q=5;w=5"#,
    );
}

#[tokio::test]
async fn requests_for_the_openapi_document_count_against_the_limit_of_their_address() {
    let app =
        rate_limited_service(Rates { address: rate(2, 60), ..Rates::default() }, |operators| {
            operators
        })
        .await;
    let nobody = app.actor("");
    nobody.get("/openapi.json").await.is(200);
    nobody.get("/v1/checkout").await.is_problem(401, "missing_credentials");
    let refused = nobody.get("/openapi.json").await.is_problem(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), "30");
    assert_rate_headers(&refused, r#""address";r=0;t=30"#, r#""address";q=2;w=60"#);
}

#[tokio::test]
async fn pages_without_a_credential_count_against_a_limit_of_their_address() {
    let app = rate_limited_service(
        Rates { page_address: rate(1, 60), ..Rates::default() },
        |operators| operators,
    )
    .await;
    let nobody = app.actor("");
    nobody.get("/docs").await.is(200);
    for path in [
        "/",
        "/docs",
        "/docs/api",
        "/docs/search?q=key",
        "/docs/errors/not_found",
        "/branding/0a1f44.css",
    ] {
        nobody.get(path).await.is_problem(429, "rate_limited");
    }
    for path in
        ["/l", "/l/ABCD2345", "/l/ABCD2345.svg", "/dashboard/sign-in", "/dashboard/enrol/token"]
    {
        nobody.get(path).await.is_problem(429, "rate_limited");
    }
    nobody.get("/healthz").await.is(200);
    nobody.get("/v1/checkout").await.is_problem(401, "missing_credentials");
    app.advance(60);
    nobody.get("/docs").await.is(200);
}

#[tokio::test]
async fn an_address_is_limited_only_for_invalid_credentials() {
    let app =
        rate_limited_service(Rates { address: rate(4, 60), ..Rates::default() }, |operators| {
            operators
        })
        .await;
    let shop = app.shop().await;
    shop.get("/v1/transactions").await.is(200);
    for _ in 0..2 {
        app.actor("").get("/v1/checkout").await.is(401);
    }
    app.actor("tua_test_v2_wrong").get("/v1/checkout").await.is(401);
    shop.send(Method::GET, "/v1/checkout", &[("x-api-key", "another")], None).await.is(401);
    for bad in [app.actor(""), app.actor("tua_test_v2_wrong")] {
        assert_rate_limited(bad.get("/v1/checkout").await, 15, "address", "q=4;w=60");
        assert_rate_limited(bad.post_text("/v1/charge", PAYMENT).await, 15, "address", "q=4;w=60");
    }
    // Credentials that this node has found valid or issued, from the same address, which thousands
    // of payers may share.
    for _ in 0..10 {
        shop.get("/v1/transactions").await.is(200);
    }
    app.payer(&shop).await.get("/v1/checkout").await.is(200);
    app.advance(15);
    app.actor("").get("/v1/checkout").await.is(401);
    assert_rate_limited(app.actor("").get("/v1/checkout").await, 15, "address", "q=4;w=60");
}

#[tokio::test]
async fn wrong_requests_of_an_address_never_hide_that_a_payment_is_pending() {
    let rates = Rates { address: rate(2, 60), checkout_token: rate(3, 30), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let other = app.payer(&shop).await;
    payer.charge("0241230007", "MTN").await.is(202);
    app.advance(1800);
    for _ in 0..2 {
        app.actor("").get("/v1/checkout").await.is(401);
    }
    assert_rate_limited(app.actor("").get("/v1/checkout").await, 30, "address", "q=2;w=60");
    let told = payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
    assert_eq!(told.json()["checkout"], "PENDING");
    let page = payer.get(&format!("/pay?key={}", payer.credential)).await.is(401);
    assert!(
        page.text.contains("do not pay again") || page.text.contains("Do not pay again"),
        "{}",
        page.text
    );
    // Each session has a limit of its own, expired or not.
    payer.get("/v1/checkout").await.is(401);
    assert_rate_limited(payer.get("/v1/checkout").await, 10, "credential", "q=3;w=30");
    other.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
}

#[tokio::test]
async fn an_address_above_its_limit_is_refused_before_the_store_is_asked() {
    let plan = Plan::default();
    let rates = Rates { address: rate(2, 60), ..Rates::default() };
    let app = TestApp::with_store(
        OffsetClock::stopped(),
        |config| config.limits = Limits::On(rates),
        |operators| operators,
        &plan,
    )
    .await;
    let payer = app.payer(&app.shop().await).await;
    let wrong = ["tua_test_v2_wrong", "tua_checkout_wrong"].map(|credential| app.actor(credential));
    let ask = async |actor: &ApiClient| {
        let page = actor.get(&format!("/pay?key={}", actor.credential)).await;
        (actor.get("/v1/checkout").await.status.as_u16(), page.status.as_u16())
    };
    assert_eq!(ask(&wrong[1]).await, (401, 404));
    wrong[0].get("/v1/checkout").await.is_problem(429, "rate_limited");
    plan.begin(None);
    for actor in &wrong {
        assert_rate_limited(actor.get("/v1/checkout").await, 30, "address", "q=2;w=60");
        actor.get("/pay?key=tua_checkout_other").await.is(429);
    }
    assert!(!plan.called().contains("caller"), "{:?}", plan.called());
    // A token that this node has issued is never refused because of others.
    assert_eq!(ask(&payer).await, (200, 200));
    app.advance(30);
    wrong[0].get("/v1/checkout").await.is(401);
}

#[tokio::test]
async fn invalid_keys_write_nothing_to_the_store() {
    if test_database::skip_on_postgres("it looks at the file's log") {
        return;
    }
    let app = rate_limited_service(Rates::default(), |operators| operators).await;
    let log = app.folder.path().join("tua.db-wal");
    let before = fs::read(&log).unwrap();
    let mut refused = 0;
    for number in 0..200 {
        let wrong = app.actor(&format!("tua_test_v2_{number:032}"));
        refused += u32::from(wrong.post_text("/v1/charge", PAYMENT).await.status == 429);
    }
    assert_eq!(refused, 80);
    assert!(fs::read(&log).unwrap() == before);
}

#[tokio::test]
async fn a_rate_limit_error_is_never_replayed() {
    let rates = Rates { prompt_test: rate(1, 60), secret_key: rate(4, 4), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    charge(&shop, "0241230007").await.is(202);
    send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is_problem(429, "rate_limited");
    send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is_problem(429, "rate_limited");
    charge(&shop, "0241230008").await.is(202);
    assert_rate_limited(
        send_with_key(&shop, "/v1/charge", "other", PAYMENT).await,
        1,
        "credential",
        "q=4;w=4",
    );
    app.advance(60);
    let first = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    assert_eq!(first.headers.get("idempotency-replayed"), None);
    let again = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    assert_eq!(again.json()["transactionId"], first.json()["transactionId"]);
    let listed: Value = shop.get("/v1/transactions").await.json();
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(3));
}
