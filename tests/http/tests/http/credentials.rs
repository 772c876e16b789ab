//! Every kind of credential on every route (docs/reference/credentials.md).

use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use tua_domain::{Generation, Mode, ports::OpenSessions, secret::SecretDigest};
use tua_test_support::{ApiClient, Response, TestApp, scripted_operator::ScriptedOperator};

const PAYMENT: &str = r#"{"amount":10.5,"phoneNumber":"0201234567","network":"TELECEL"}"#;
const CHECKOUT: &str = r#"{"amount":10.5,"email":"ama@example.com"}"#;

/// The status and error code of each route for this client. The charge needs a voucher, which is
/// submitted if the charge was created.
async fn table(actor: &ApiClient, headers: &[(&str, &str)]) -> Vec<(u16, String)> {
    let charge = actor.send(Method::POST, "/v1/charge", headers, Some(PAYMENT)).await;
    let id = charge.json()["transactionId"].as_str().unwrap_or("none").to_owned();
    let voucher = json!({ "transactionId": id, "otp": "123456" }).to_string();
    let answers = [
        charge,
        actor.send(Method::POST, "/v1/payout", headers, Some(PAYMENT)).await,
        actor.send(Method::POST, "/v1/checkout", headers, Some(CHECKOUT)).await,
        actor.send(Method::GET, "/v1/checkout", headers, None).await,
        actor.send(Method::POST, "/v1/submit-otp", headers, Some(&voucher)).await,
        actor.send(Method::GET, &format!("/v1/status/{id}"), headers, None).await,
    ];
    answers.iter().map(outcome).collect()
}

fn outcome(answer: &Response) -> (u16, String) {
    (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or("").to_owned())
}

fn rows(expected: [(u16, &str); 6]) -> Vec<(u16, String)> {
    expected.map(|(status, code)| (status, code.to_owned())).to_vec()
}

fn all(status: u16, code: &str) -> Vec<(u16, String)> {
    rows([(status, code); 6])
}

const NO: (u16, &str) = (403, "credential_not_allowed");

/// A problem document without its request id.
fn without_request_id(answer: &Response) -> Value {
    let mut document = answer.json();
    document["requestId"] = Value::Null;
    document
}

#[tokio::test]
async fn each_credential_is_accepted_on_its_routes_only() {
    let app = TestApp::start().await;
    let v1 = app.merchant(Mode::Test, Generation::V1).await;
    let v2 = app.shop().await;
    let token = app.payer(&v2).await;
    assert_eq!(table(&v1, &[]).await, rows([(202, ""), (202, ""), NO, NO, NO, NO]));
    assert_eq!(
        table(&v2, &[]).await,
        rows([(202, ""), (202, ""), (201, ""), NO, (200, ""), (200, "")])
    );
    assert_eq!(
        table(&token, &[]).await,
        rows([(202, ""), NO, NO, (200, ""), (200, ""), (200, "")])
    );
}

#[tokio::test]
async fn each_credential_is_accepted_in_either_header() {
    let app = TestApp::start().await;
    let v1 = app.merchant(Mode::Test, Generation::V1).await;
    let v2 = app.shop().await;
    let token = app.payer(&v2).await;
    let nobody = app.actor("");
    let via = |actor: &ApiClient| [("x-api-key", actor.credential.clone())];
    for (actor, expected) in [
        (&v1, rows([(202, ""), (202, ""), NO, NO, NO, NO])),
        (&v2, rows([(202, ""), (202, ""), (201, ""), NO, (200, ""), (200, "")])),
        (&token, rows([(202, ""), NO, NO, (200, ""), (200, ""), (200, "")])),
    ] {
        let [(name, value)] = via(actor);
        assert_eq!(table(&nobody, &[(name, &value)]).await, expected);
    }
    let lower = [("authorization", &*format!("bearer  {}", v2.credential))];
    nobody.send(Method::POST, "/v1/checkout", &lower, Some(CHECKOUT)).await.is(201);
}

#[tokio::test]
async fn missing_unknown_and_revoked_credentials_are_401_on_every_route() {
    let app = TestApp::start().await;
    assert_eq!(table(&app.actor(""), &[]).await, all(401, "missing_credentials"));
    for unknown in [
        "sk_test_x",
        "tua_test_v2_AAAAAAAAAAAAAAAAAAAAAA",
        "tua_checkout_AAAA",
        "sk_live_x",
        "x",
        "' OR 1=1",
    ] {
        assert_eq!(
            table(&app.actor(unknown), &[]).await,
            all(401, "invalid_credentials"),
            "{unknown}"
        );
    }
    let revoked = app.shop().await;
    let store = &app.running().store;
    let digest = SecretDigest::of(&revoked.credential);
    let key = store.keys(None).await.unwrap().into_iter().find(|key| key.digest == digest).unwrap();
    store.revoke_key(&key.id, OpenSessions::Close, &app.audit()).await.unwrap();
    assert_eq!(table(&revoked, &[]).await, all(401, "invalid_credentials"));
    let (one, other) =
        (revoked.get("/v1/checkout").await, app.actor("tua_test_v2_x").get("/v1/checkout").await);
    assert_eq!(
        without_request_id(&one),
        without_request_id(&other),
        "a revoked key looks like an unknown one"
    );
    assert_eq!(one.header("www-authenticate"), "Bearer");
}

#[tokio::test]
async fn an_expired_token_is_401_on_every_route() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    app.advance(30 * 60);
    assert_eq!(table(&payer, &[]).await, all(401, "checkout_token_expired"));
}

#[tokio::test]
async fn a_credential_must_match_exactly() {
    let app = TestApp::start().await;
    let key = app.shop().await.credential;
    for wrong in [
        &key[..key.len() - 1],
        &format!("{key}A"),
        &key.to_uppercase(),
        &key.replacen("test", "live", 1),
    ] {
        app.actor(wrong)
            .post_text("/v1/checkout", CHECKOUT)
            .await
            .is_problem(401, "invalid_credentials");
    }
    let basic = [("authorization", &*format!("Basic {key}"))];
    app.actor("")
        .send(Method::POST, "/v1/checkout", &basic, Some(CHECKOUT))
        .await
        .is_problem(401, "invalid_credentials");
    for nothing in [("x-api-key", ""), ("authorization", "Bearer"), ("authorization", "Bearer ")] {
        let answer = app.actor("").send(Method::GET, "/v1/checkout", &[nothing], None).await;
        answer.is_problem(401, "missing_credentials");
    }
}

#[tokio::test]
async fn two_different_credentials_are_rejected_and_the_same_one_twice_is_accepted() {
    let app = TestApp::start().await;
    let one = app.shop().await;
    let other = app.shop().await;
    let nobody = app.actor("");
    let (bearer, bearer_other) =
        (format!("Bearer {}", one.credential), format!("Bearer {}", other.credential));
    let key = one.credential.as_str();
    let key_other = other.credential.as_str();
    for headers in [
        [("x-api-key", key), ("authorization", &*bearer_other)],
        [("x-api-key", key), ("authorization", "Bearer sk_test_unknown")],
        [("x-api-key", key), ("authorization", "Basic abc")],
        [("x-api-key", key), ("authorization", "")],
        [("x-api-key", key), ("x-api-key", key_other)],
        [("authorization", &*bearer), ("authorization", &*bearer_other)],
    ] {
        assert_eq!(table(&nobody, &headers).await, all(401, "conflicting_credentials"));
    }
    for headers in [
        [("x-api-key", key), ("authorization", &*bearer)],
        [("x-api-key", key), ("x-api-key", key)],
        [("authorization", &*bearer), ("authorization", &*bearer)],
    ] {
        nobody.send(Method::POST, "/v1/checkout", &headers, Some(CHECKOUT)).await.is(201);
    }
}

#[tokio::test]
async fn a_transaction_of_another_account_mode_or_session_is_not_found() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let same_account = app.key(&account, Mode::Test, Generation::V2).await;
    let live = app.key(&account, Mode::Live, Generation::V2).await;
    let payer = app.payer(&shop).await;
    let merchants = shop.post_text("/v1/charge", PAYMENT).await.is(202).id();
    let payers = payer.charge("0201234567", "TELECEL").await.is(202).id();
    for id in [&merchants, &payers] {
        same_account.get(&format!("/v1/status/{id}")).await.is(200);
        for stranger in [&live, &app.shop().await, &app.payer(&shop).await] {
            let voucher = json!({ "transactionId": id, "otp": "123456" });
            stranger
                .post("/v1/submit-otp", &voucher)
                .await
                .is_problem(404, "transaction_not_found");
            let hidden = stranger
                .get(&format!("/v1/status/{id}"))
                .await
                .is_problem(404, "transaction_not_found");
            let absent = stranger.get("/v1/status/never-was").await;
            assert_eq!(
                without_request_id(&hidden),
                without_request_id(&absent),
                "the response must not reveal that it exists"
            );
        }
    }
    payer.get(&format!("/v1/status/{merchants}")).await.is_problem(404, "transaction_not_found");
    assert_eq!(
        shop.status(&payers).await["nextAction"],
        "ENTER_VOUCHER",
        "codes of other clients must not count"
    );
}

#[tokio::test]
async fn a_live_secret_key_from_a_browser_is_rejected() {
    let app = TestApp::with_live_operator().await;
    let live = app.merchant(Mode::Live, Generation::V2).await;
    let live_v1 = app.merchant(Mode::Live, Generation::V1).await;
    for header in
        [("origin", "https://shop.example"), ("origin", "null"), ("sec-fetch-site", "same-origin")]
    {
        assert_eq!(table(&live, &[header]).await, all(403, "secret_key_exposed"));
        assert_eq!(table(&live_v1, &[header]).await, all(403, "secret_key_exposed"));
    }
    let browser = [("origin", "https://shop.example"), ("sec-fetch-site", "cross-site")];
    app.shop().await.send(Method::POST, "/v1/checkout", &browser, Some(CHECKOUT)).await.is(201);
    app.payer(&live).await.send(Method::GET, "/v1/checkout", &browser, None).await.is(200);
}

#[tokio::test]
async fn the_sandbox_never_serves_live_mode() {
    let app = TestApp::start().await;
    let live = app.merchant(Mode::Live, Generation::V2).await;
    for network in ["MTN", "TELECEL", "AIRTELTIGO"] {
        let payment = PAYMENT.replace("TELECEL", network);
        for path in ["/v1/charge", "/v1/payout"] {
            assert_needs_operator(live.post_text(path, &payment).await);
        }
        let quote = format!(r#"{{"amount":1,"network":"{network}","type":"CHARGE"}}"#);
        assert_needs_operator(live.post_text("/v1/quote", &quote).await);
    }
    let batch = format!(r#"{{"payouts":[{PAYMENT}]}}"#);
    let key = [("idempotency-key", "batch-1")];
    let batch = live.send(Method::POST, "/v1/payouts/batches", &key, Some(&batch)).await;
    assert_needs_operator(batch);
    // A page on which every payer fails helps nobody.
    assert_needs_operator(live.post_text("/v1/checkout", CHECKOUT).await);
}

/// Asserts that the refusal lasts until somebody sets up an operator, so that no client repeats the
/// request.
#[track_caller]
fn assert_needs_operator(answer: Response) {
    let answer = answer.is_problem(503, "network_unavailable");
    assert_eq!(answer.headers.get("retry-after"), None, "{answer:?}");
    let problem = answer.json();
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("No operator is set up for live "), "{detail}");
    assert!(detail.contains("again does not help"), "{detail}");
}

#[tokio::test]
async fn a_live_operator_serves_only_its_network_in_live_mode() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with(|_| {}, operator.behind_live()).await;
    let live = app.merchant(Mode::Live, Generation::V1).await;
    let charge = live.post_text("/v1/charge", &PAYMENT.replace("TELECEL", "MTN")).await.is(202);
    assert_eq!(charge.json()["mode"], "live");
    assert_eq!(operator.count("send"), 1);
    assert_needs_operator(live.post_text("/v1/charge", PAYMENT).await);
    app.shop().await.post_text("/v1/charge", &PAYMENT.replace("TELECEL", "MTN")).await.is(202);
    assert_eq!(operator.count("send"), 1);
}

#[tokio::test]
async fn a_credential_of_the_wrong_kind_is_rejected_before_the_body_is_read() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    let old = app.merchant(Mode::Test, Generation::V1).await;
    let huge = "x".repeat(40_000);
    for (actor, path) in [
        (&payer, "/v1/payout"),
        (&payer, "/v1/checkout"),
        (&old, "/v1/checkout"),
        (&old, "/v1/submit-otp"),
    ] {
        actor
            .send(Method::POST, path, &[], Some(&huge))
            .await
            .is_problem(403, "credential_not_allowed");
        actor.send(Method::POST, path, &[], None).await.is_problem(403, "credential_not_allowed");
    }
}
