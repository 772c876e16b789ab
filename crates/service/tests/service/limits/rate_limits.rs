//! Rate limits: 429, with the limit and when to retry (docs/reference/errors.md).

use crate::support::{
    ApiClient, Response, TestApp,
    failing_store::Plan,
    hosted_page::{FORM_CONTENT_TYPE, send_form},
    idempotency::{PAYMENT, count, send_with_key},
    payment_bodies::payment_with,
    scripted_operator::ScriptedOperator,
    test_database,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::{fs, sync::Arc};
use tua_contract::{Step, lifecycle::Observation};
use tua_service::{
    clock::OffsetClock,
    domain::{
        Generation, Mode,
        ports::{CodeAnswer, Operators},
        rate_limit::Rate,
    },
    limits::{Limits, Rates},
};

/// A service with a stopped clock and these rate limits.
async fn rate_limited_service(rates: Rates, choose: impl FnOnce(Operators) -> Operators) -> TestApp {
    TestApp::with_clock(OffsetClock::stopped(), |config| config.limits = Limits::On(rates), choose).await
}

fn rate(quota: u32, window: u32) -> Rate {
    Rate::new(quota, window).unwrap()
}

/// An operator that prompts every payer and rejects every code.
fn prompting_operator() -> Arc<ScriptedOperator> {
    Arc::new(
        ScriptedOperator::new().sends(|_| Some(Observation::Awaits(Step::EnterOtp))).codes(|_| Some(CodeAnswer::Wrong)),
    )
}

#[track_caller]
fn assert_rate_headers(answer: &Response, limit: &str, policy: &str) {
    assert_eq!((answer.header("ratelimit"), answer.header("ratelimit-policy")), (limit, policy), "{answer:?}");
}

#[track_caller]
fn assert_rate_limited(answer: Response, wait: u64, policy: &str, quota: &str) {
    let answer = answer.is_problem(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), wait.to_string());
    assert_rate_headers(&answer, &format!("\"{policy}\";r=0;t={wait}"), &format!("\"{policy}\";{quota}"));
    assert_eq!(answer.header("access-control-allow-origin"), "*");
}

async fn charge(actor: &ApiClient, phone: &str) -> Response {
    actor.post_text("/v1/charge", &payment_with("phoneNumber", Some(&format!("\"{phone}\"")))).await
}

async fn submit(actor: &ApiClient, transaction: &str) -> Response {
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
    assert!(first.header("ratelimit").contains("r=496") && replay.header("ratelimit").contains("r=495"));
    for answer in [app.actor("").get("/v1/checkout").await.is(401), shop.get("/healthz").await.is(200)] {
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
    let app = rate_limited_service(Rates { secret_key: rate(5, 5), ..Rates::default() }, |operators| operators).await;
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
    let app = rate_limited_service(Rates { address: rate(2, 60), ..Rates::default() }, |operators| operators).await;
    let nobody = app.actor("");
    nobody.get("/openapi.json").await.is(200);
    nobody.get("/v1/checkout").await.is_problem(401, "missing_credentials");
    let refused = nobody.get("/openapi.json").await.is_problem(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), "30");
    assert_rate_headers(&refused, r#""address";r=0;t=30"#, r#""address";q=2;w=60"#);
}

#[tokio::test]
async fn an_address_is_limited_only_for_invalid_credentials() {
    let app = rate_limited_service(Rates { address: rate(4, 60), ..Rates::default() }, |operators| operators).await;
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
    // Credentials that this node has found valid or issued, from the same address, which thousands of payers may share.
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
    let (payer, other) = (app.payer(&shop).await, app.payer(&shop).await);
    payer.charge("0241230007", "MTN").await.is(202);
    app.advance(1800);
    for _ in 0..2 {
        app.actor("").get("/v1/checkout").await.is(401);
    }
    assert_rate_limited(app.actor("").get("/v1/checkout").await, 30, "address", "q=2;w=60");
    let told = payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
    assert_eq!(told.json()["checkout"], "PENDING");
    let page = payer.get(&format!("/pay?key={}", payer.credential)).await.is(401);
    assert!(page.text.contains("do not pay again") || page.text.contains("Do not pay again"), "{}", page.text);
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
        plan.wrap(),
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
async fn code_guesses_are_limited_for_each_session_over_all_its_charges() {
    let rates = Rates { passcode: rate(7, 420), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let first = payer.charge("0241230007", "MTN").await.is(202).id();
    for _ in 0..5 {
        submit(&payer, &first).await.is(200);
    }
    let second = payer.charge("0241230007", "MTN").await.is(202).id();
    submit(&payer, &second).await.is(200);
    submit(&payer, &second).await.is(200);
    assert_rate_limited(submit(&payer, &second).await, 60, "passcode", "q=7;w=420");
    assert_eq!(payer.status(&second).await["codeAttemptsLeft"], 3, "a rate-limited code uses no attempt");
    submit(&payer, "txn_unknown").await.is(404);
    app.advance(60);
    submit(&payer, &second).await.is(200);
    assert_rate_limited(submit(&payer, &second).await, 60, "passcode", "q=7;w=420");
    let other = app.payer(&shop).await;
    let third = other.charge("0241230007", "MTN").await.is(202).id();
    submit(&other, &third).await.is(200);
}

#[tokio::test]
async fn a_merchants_code_guesses_are_limited_for_each_transaction() {
    let rates = Rates { passcode: rate(2, 120), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    for phone in ["0241230007", "0241230008"] {
        let id = charge(&shop, phone).await.is(202).id();
        submit(&shop, &id).await.is(200);
        submit(&shop, &id).await.is(200);
        assert_rate_limited(submit(&shop, &id).await, 60, "passcode", "q=2;w=120");
    }
}

#[tokio::test]
async fn an_account_can_prompt_a_phone_three_times_in_ten_minutes_in_live_mode() {
    let operator = prompting_operator();
    let app = rate_limited_service(Rates::default(), operator.behind_live()).await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    for _ in 0..3 {
        charge(&shop, "0241230007").await.is(202);
    }
    assert_rate_limited(charge(&shop, "0241230007").await, 200, "prompt", "q=3;w=600");
    charge(&shop, "0241230008").await.is(202);
    let other = app.merchant(Mode::Live, Generation::V2).await;
    charge(&other, "0241230007").await.is(202);
    let payout = payment_with("phoneNumber", Some("\"0241230007\""));
    shop.post_text("/v1/payout", &payout).await.is(202);
    assert_eq!((operator.count("send"), count(&app, "transactions")), (6, 6), "nothing is stored of rejected charges");
    app.advance(199);
    assert_rate_limited(charge(&shop, "0241230007").await, 1, "prompt", "q=3;w=600");
    app.advance(1);
    charge(&shop, "0241230007").await.is(202);
}

#[tokio::test]
async fn all_accounts_together_can_prompt_a_phone_only_so_often_a_day() {
    let rates = Rates { prompt_daily: rate(4, 86_400), ..Rates::default() };
    let operator = prompting_operator();
    let mut app = rate_limited_service(rates, operator.behind_live()).await;
    let mut shops = Vec::new();
    for _ in 0..2 {
        let shop = app.merchant(Mode::Live, Generation::V2).await;
        for _ in 0..2 {
            charge(&shop, "0241230007").await.is(202);
        }
        shops.push(shop);
    }
    for shop in &shops {
        assert_rate_limited(charge(shop, "0241230007").await, 21_600, "prompt", "q=4;w=86400");
    }
    charge(&shops[0], "0241230008").await.is(202);
    app.restart_with(operator.behind_live()).await;
    assert_rate_limited(charge(&shops[0], "0241230007").await, 21_600, "prompt", "q=4;w=86400");
    // A charge that the daily limit refused did not use up the account's limit.
    app.advance(21_600);
    charge(&shops[0], "0241230007").await.is(202);
    assert_rate_limited(charge(&shops[1], "0241230007").await, 21_600, "prompt", "q=4;w=86400");
}

#[tokio::test]
async fn a_daily_limit_in_test_mode_counts_apart_from_live_mode() {
    let rates = Rates { prompt_daily_test: rate(2, 86_400), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let (shop, other) = (app.shop().await, app.shop().await);
    charge(&shop, "0241230007").await.is(202);
    charge(&other, "0241230007").await.is(202);
    assert_rate_limited(charge(&shop, "0241230007").await, 43_200, "prompt", "q=2;w=86400");
    assert_rate_limited(charge(&other, "0241230007").await, 43_200, "prompt", "q=2;w=86400");
}

#[tokio::test]
async fn wrong_codes_are_limited_for_each_phone_over_all_accounts() {
    let rates = Rates { passcode_phone: rate(3, 300), ..Rates::default() };
    let operator = prompting_operator();
    let mut app = rate_limited_service(rates, operator.behind_test()).await;
    let mut last = None;
    for _ in 0..3 {
        let shop = app.shop().await;
        let id = charge(&shop, "0241230007").await.is(202).id();
        submit(&shop, &id).await.is(200);
        last = Some((shop, id));
    }
    let (shop, id) = last.unwrap();
    assert_rate_limited(submit(&shop, &id).await, 100, "passcode", "q=3;w=300");
    assert_eq!(shop.status(&id).await["codeAttemptsLeft"], 4, "a rate-limited code uses no attempt");
    let free = charge(&shop, "0241230008").await.is(202).id();
    submit(&shop, &free).await.is(200);
    app.restart_with(operator.behind_test()).await;
    assert_rate_limited(submit(&shop, &id).await, 100, "passcode", "q=3;w=300");
    app.advance(100);
    submit(&shop, &id).await.is(200);
}

#[tokio::test]
async fn a_right_code_does_not_count_against_its_phone() {
    let rates = Rates { passcode_phone: rate(1, 300), passcode_address: rate(1, 300), ..Rates::default() };
    let operator = ScriptedOperator::new()
        .sends(|_| Some(Observation::Awaits(Step::EnterOtp)))
        .codes(|_| Some(CodeAnswer::Accepted(Observation::Awaits(Step::Wait))));
    let app = rate_limited_service(rates, Arc::new(operator).behind_test()).await;
    let shop = app.shop().await;
    for _ in 0..4 {
        let payer = app.payer(&shop).await;
        let id = payer.charge("0241230007", "MTN").await.is(202).id();
        submit(&payer, &id).await.is(200);
    }
}

#[tokio::test]
async fn wrong_codes_of_payers_are_limited_for_each_address() {
    let rates = Rates { passcode_address: rate(2, 60), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let mut payers = Vec::new();
    for number in 0..4 {
        let payer = app.payer(&shop).await;
        let id = payer.charge(&format!("024123000{number}"), "MTN").await.is(202).id();
        payers.push((payer, id));
    }
    for (payer, id) in &payers[..3] {
        submit(payer, id).await.is(200);
    }
    for (payer, id) in &payers[2..] {
        assert_rate_limited(submit(payer, id).await, 30, "passcode", "q=2;w=60");
        let path = format!("/pay?key={}", payer.credential);
        send_form(payer, &path, "otp=9999", &[FORM_CONTENT_TYPE]).await.is(429);
    }
    // All codes that a merchant submits come from one address.
    let id = charge(&shop, "0241230009").await.is(202).id();
    submit(&shop, &id).await.is(200);
    app.advance(30);
    let (payer, id) = &payers[3];
    submit(payer, id).await.is(200);
}

#[tokio::test]
async fn an_account_can_prompt_a_phone_three_hundred_times_in_test_mode() {
    let app = rate_limited_service(Rates::default(), prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    for _ in 0..300 {
        charge(&shop, "0241230007").await.is(202);
    }
    assert_rate_limited(charge(&shop, "0241230007").await, 2, "prompt", "q=300;w=600");
}

#[tokio::test]
async fn a_rejected_charge_does_not_count_as_a_prompt() {
    let rates = Rates { prompt_test: rate(2, 600), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let phone = "0241230007";
    for _ in 0..3 {
        shop.post_text("/v1/charge", &payment_with("amount", Some("0"))).await.is(422);
        send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    }
    payer.charge(phone, "MTN").await.is(202);
    // The limit is exhausted. Reads of the session and replays still come first.
    for _ in 0..3 {
        payer.charge(phone, "MTN").await.is_problem(409, "charge_in_progress");
        send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    }
    assert_rate_limited(charge(&shop, phone).await, 300, "prompt", "q=2;w=600");
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_requests_with_one_idempotency_key_count_as_one_prompt() {
    let rates = Rates { prompt_test: rate(2, 600), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let racing: Vec<_> = (0..24)
        .map(|_| {
            let shop = shop.clone();
            tokio::spawn(async move { send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.status.as_u16() })
        })
        .collect();
    for one in racing {
        let status = one.await.unwrap();
        assert!(matches!(status, 202 | 409), "{status}");
    }
    charge(&shop, "0241230007").await.is(202);
    assert_rate_limited(charge(&shop, "0241230007").await, 300, "prompt", "q=2;w=600");
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
    assert_rate_limited(send_with_key(&shop, "/v1/charge", "other", PAYMENT).await, 1, "credential", "q=4;w=4");
    app.advance(60);
    let first = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    assert_eq!(first.headers.get("idempotency-replayed"), None);
    let again = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    assert_eq!(again.json()["transactionId"], first.json()["transactionId"]);
    let listed: Value = shop.get("/v1/transactions").await.json();
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn prompt_and_code_limits_survive_a_restart() {
    let rates = Rates { prompt_test: rate(2, 600), passcode: rate(2, 120), ..Rates::default() };
    let operator = prompting_operator();
    let mut app = rate_limited_service(rates, operator.behind_test()).await;
    let shop = app.shop().await;
    let id = charge(&shop, "0241230007").await.is(202).id();
    charge(&shop, "0241230007").await.is(202);
    submit(&shop, &id).await.is(200);
    submit(&shop, &id).await.is(200);
    app.restart_with(operator.behind_test()).await;
    assert_rate_limited(charge(&shop, "0241230007").await, 300, "prompt", "q=2;w=600");
    assert_rate_limited(submit(&shop, &id).await, 60, "passcode", "q=2;w=120");
    charge(&shop, "0241230008").await.is(202);
    app.advance(300);
    charge(&shop, "0241230007").await.is(202);
    submit(&shop, &id).await.is(200);
}
