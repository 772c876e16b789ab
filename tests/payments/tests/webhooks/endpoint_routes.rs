//! `/v1/webhooks`: every credential, every fault, both modes (docs/reference/webhooks.md).

use reqwest::Method;
use serde_json::{Value, json};
use tua_domain::{
    AccountId, EndpointId, Generation, KeyId, KeyScopes, Mode,
    audit::{AuditContext, Source},
    ports::{EndpointChange, OpenSessions},
    webhook::endpoint::MAX_ENDPOINTS,
};
use tua_test_support::{
    ApiClient, TestApp,
    idempotency::count,
    key_scopes::key_of,
    payment_bodies::names,
    test_database,
    webhook_receiver::{ResponseMode, WebhookReceiver},
};

const PATH: &str = "/v1/webhooks";
const URL: &str = "https://shop.example/webhooks";

async fn add(shop: &ApiClient, url: &str) -> Value {
    shop.post(PATH, &json!({ "url": url })).await.is(201).json()
}

fn id(endpoint: &Value) -> &str {
    endpoint["endpointId"].as_str().unwrap()
}

fn secret(endpoint: &Value) -> &str {
    endpoint["secret"].as_str().unwrap()
}

async fn change(shop: &ApiClient, endpoint: &Value, action: &str, body: Value) -> Value {
    shop.post(&format!("{PATH}/{}/{action}", id(endpoint)), &body).await.is(200).json()
}

async fn read(shop: &ApiClient, endpoint: &Value) -> Value {
    shop.get(&format!("{PATH}/{}", id(endpoint))).await.is(200).json()
}

/// The account of the only key.
fn account_of(app: &TestApp) -> AccountId {
    let accounts = test_database::query_texts(app.folder.path(), "SELECT account_id FROM api_keys");
    AccountId::new(accounts[0].clone())
}

async fn payout(shop: &ApiClient) {
    let payout = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    shop.post("/v1/payout", &payout).await.is(202);
}

#[tokio::test]
async fn an_endpoint_is_added_read_and_listed_and_its_secret_is_shown_once() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut added = add(&shop, URL).await;
    assert_eq!(
        names(&added),
        "createdAt disabledAt endpointId mode oldSecretUntil secret status url"
    );
    for (member, value) in [
        ("url", json!(URL)),
        ("mode", json!("test")),
        ("status", json!("ENABLED")),
        ("disabledAt", Value::Null),
        ("oldSecretUntil", Value::Null),
    ] {
        assert_eq!(added[member], value, "{member}");
    }
    assert!(id(&added).starts_with("whe_") && secret(&added).starts_with("whsec_"));
    added.as_object_mut().unwrap().remove("secret");
    assert_eq!(read(&shop, &added).await, added);
    // The record of events is no endpoint.
    shop.get("/v1/events").await.is(200);
    assert_eq!(shop.get(PATH).await.is(200).json(), json!({ "data": [added], "nextCursor": null }));
}

#[tokio::test]
async fn endpoints_are_listed_page_by_page_from_the_newest_on() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.insert(0, id(&add(&shop, URL).await).to_owned());
    }
    let page = async |query: &str| shop.get(&format!("{PATH}?{query}")).await.is(200).json();
    let listed = |page: &Value| {
        let found: Vec<String> =
            page["data"].as_array().unwrap().iter().map(|one| id(one).to_owned()).collect();
        found
    };
    let first = page("limit=2").await;
    assert_eq!(listed(&first), ids[..2]);
    let cursor = first["nextCursor"].as_str().unwrap();
    let last = page(&format!("limit=2&cursor={cursor}")).await;
    assert_eq!((listed(&last), &last["nextCursor"]), (ids[2..].to_vec(), &Value::Null));
    for (query, code) in [
        ("limit=0", "invalid_parameter"),
        ("cursor=x", "invalid_parameter"),
        ("bogus=1", "unknown_field"),
    ] {
        shop.get(&format!("{PATH}?{query}")).await.is_problem(422, code);
    }
}

#[tokio::test]
async fn what_is_optional_may_be_left_out_with_the_body() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let added = add(&shop, URL).await;
    for action in ["rotate", "disable", "enable"] {
        let path = format!("{PATH}/{}/{action}", id(&added));
        shop.send(Method::POST, &path, &[], None).await.is(200);
    }
}

#[tokio::test]
async fn events_are_signed_with_the_new_secret_and_during_the_overlap_with_the_old_one() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let receiver = WebhookReceiver::start().await;
    let added = add(&shop, &receiver.url).await;
    payout(&shop).await;
    assert!(receiver.wait_for_webhooks(1).await[0].is_signed_with(secret(&added)));
    let rotated = change(&shop, &added, "rotate", json!({})).await;
    assert_ne!(secret(&rotated), secret(&added));
    assert!(rotated["oldSecretUntil"].is_string());
    payout(&shop).await;
    let second = receiver.wait_for_webhooks(2).await.remove(1);
    assert!(second.is_signed_with(secret(&rotated)) && second.is_signed_with(secret(&added)));
    let at_once = change(&shop, &added, "rotate", json!({ "overlapHours": 0 })).await;
    assert_eq!(at_once["oldSecretUntil"], Value::Null);
    payout(&shop).await;
    let third = receiver.wait_for_webhooks(3).await.remove(2);
    assert!(third.is_signed_with(secret(&at_once)) && !third.is_signed_with(secret(&rotated)));
}

#[tokio::test]
async fn a_disabled_endpoint_gets_what_was_recorded_only_if_it_is_asked_for() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let receiver = WebhookReceiver::start().await;
    receiver.respond_with(ResponseMode::Status(204));
    let added = add(&shop, &receiver.url).await;
    for _ in 0..2 {
        let disabled = change(&shop, &added, "disable", json!({})).await;
        assert_eq!(disabled["status"], "DISABLED");
        assert_eq!(disabled, read(&shop, &added).await);
    }
    payout(&shop).await;
    let enabled = change(&shop, &added, "enable", json!({})).await;
    assert_eq!((&enabled["status"], &enabled["recordedEvents"]), (&json!("ENABLED"), &json!(1)));
    let resent = change(&shop, &added, "enable", json!({ "resend": true })).await;
    assert_eq!(resent["recordedEvents"], 1);
    assert_eq!(receiver.wait_for_webhooks(1).await.len(), 1);
}

#[tokio::test]
async fn a_removed_endpoint_is_gone() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let added = add(&shop, URL).await;
    let path = format!("{PATH}/{}", id(&added));
    let removed = shop.send(Method::POST, &format!("{path}/remove"), &[], None).await.is(200);
    assert_eq!(removed.json()["status"], "REMOVED");
    assert_eq!(shop.get(PATH).await.is(200).json()["data"], json!([]));
    shop.get(&path).await.is_problem(404, "not_found");
    for action in ["remove", "rotate", "enable", "disable"] {
        let again = shop.post(&format!("{path}/{action}"), &json!({})).await;
        again.is_problem(404, "not_found");
    }
    let secrets = "SELECT count(*) FROM webhook_endpoints WHERE length(secret) > 0";
    assert_eq!(app.query_number(secrets), 0);
}

#[tokio::test]
async fn a_repeated_request_adds_one_endpoint_and_shows_no_secret_again() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let send = async |body: &str| {
        shop.send(Method::POST, PATH, &[("idempotency-key", "k")], Some(body)).await
    };
    let body = format!(r#"{{"url":"{URL}"}}"#);
    let mut first = send(&body).await.is(201).json();
    change(&shop, &first, "disable", json!({})).await;
    let again = send(&body).await.is(201);
    assert_eq!(again.header("idempotency-replayed"), "true");
    first["secret"] = Value::Null;
    assert_eq!(again.json(), first);
    let other = send(r#"{"url":"https://shop.example/other"}"#).await;
    other.is_problem(422, "idempotency_key_reused");
    assert_eq!(count(&app, "webhook_endpoints"), 1);
}

#[tokio::test]
async fn addresses_are_checked_by_the_rules_of_the_dashboard() {
    let app = TestApp::start().await;
    let test = app.shop().await;
    let live = app.merchant(Mode::Live, Generation::V2).await;
    for refused in [
        "shop.example",
        "ftp://shop.example/",
        "https://user:secret@shop.example/",
        "https://shop.example/#part",
        "https://169.254.169.254/latest",
        "",
    ] {
        for shop in [&test, &live] {
            let answer = shop.post(PATH, &json!({ "url": refused })).await;
            let problem = answer.is_problem(422, "invalid_url").json();
            assert_eq!(problem["errors"][0]["pointer"], "/url", "{problem}");
            assert!(!problem.to_string().contains("secret@"), "{problem}");
        }
    }
    for private in ["http://shop.example/", "https://10.0.0.1/", "https://[::1]/"] {
        live.post(PATH, &json!({ "url": private })).await.is_problem(422, "invalid_url");
    }
    add(&test, "http://127.0.0.1:9000/hooks").await;
    assert_eq!(add(&live, URL).await["mode"], "live");
    for (body, code) in [
        (json!({}), "field_required"),
        (json!({ "url": 1 }), "invalid_type"),
        (json!({ "url": URL, "secret": "whsec_mine" }), "unknown_field"),
    ] {
        test.post(PATH, &body).await.is_problem(422, code);
    }
    let added = add(&test, URL).await;
    let rotate = format!("{PATH}/{}/rotate", id(&added));
    for (hours, code) in [
        (json!(2161), "invalid_parameter"),
        (json!(70_000), "invalid_parameter"),
        (json!(-1), "invalid_parameter"),
        (json!(1.5), "invalid_type"),
        (json!("24"), "invalid_type"),
    ] {
        let refused = test.post(&rotate, &json!({ "overlapHours": hours })).await;
        refused.is_problem(422, code);
    }
    let enable = format!("{PATH}/{}/enable", id(&added));
    test.post(&enable, &json!({ "resend": "yes" })).await.is_problem(422, "invalid_type");
}

#[tokio::test]
async fn only_a_key_of_the_account_and_mode_with_the_scope_reaches_an_endpoint() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let account = account_of(&app);
    let added = add(&shop, URL).await;
    let payer = app.payer(&shop).await;
    let v1 = app.merchant(Mode::Test, Generation::V1).await;
    let foreign = app.shop().await;
    let live = app.key(&account, Mode::Live, Generation::V2).await;
    let scopes = KeyScopes::all_of(Generation::V2).iter();
    let others: Vec<_> = scopes.map(|one| one.as_str()).filter(|one| *one != "webhooks").collect();
    let unscoped = key_of(&app, &account, &others.join(",")).await;
    let one = format!("{PATH}/{}", id(&added));
    let mut routes = vec![(Method::POST, PATH.to_owned()), (Method::GET, PATH.to_owned())];
    routes.push((Method::GET, one.clone()));
    for action in ["rotate", "disable", "enable", "remove"] {
        routes.push((Method::POST, format!("{one}/{action}")));
    }
    for (method, path) in routes {
        let body = (method == Method::POST).then_some("{}");
        let call = async |caller: &ApiClient| caller.send(method.clone(), &path, &[], body).await;
        call(&payer).await.is_problem(403, "credential_not_allowed");
        call(&v1).await.is_problem(403, "credential_not_allowed");
        call(&app.actor("")).await.is_problem(401, "missing_credentials");
        call(&unscoped).await.is_problem(403, "scope_missing");
        if path != PATH {
            call(&foreign).await.is_problem(404, "not_found");
            call(&live).await.is_problem(404, "not_found");
        }
    }
    let scoped = key_of(&app, &account, "webhooks").await;
    assert_eq!(read(&scoped, &added).await["status"], "ENABLED");
    assert_eq!(foreign.get(PATH).await.is(200).json()["data"], json!([]));
    assert_eq!(live.get(PATH).await.is(200).json()["data"], json!([]));
    shop.get(&format!("{PATH}/whe_%00")).await.is_problem(404, "not_found");
    shop.post(&format!("{PATH}/whe_%00/enable"), &json!({})).await.is_problem(404, "not_found");
    let record = format!("events_test_{account}");
    shop.get("/v1/events").await.is(200);
    shop.post(&format!("{PATH}/{record}/remove"), &json!({})).await.is_problem(404, "not_found");
}

#[tokio::test]
async fn every_change_is_audited_with_the_key_as_actor() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let added = add(&shop, URL).await;
    change(&shop, &added, "rotate", json!({})).await;
    change(&shop, &added, "disable", json!({})).await;
    change(&shop, &added, "enable", json!({})).await;
    change(&shop, &added, "remove", json!({})).await;
    let folder = app.folder.path();
    let key = test_database::query_texts(folder, "SELECT id FROM api_keys").remove(0);
    let entries = test_database::query_texts(
        folder,
        "SELECT action || ' ' || source || ' ' || actor || ' ' || subject FROM audit_log
         WHERE action LIKE 'webhook.%' ORDER BY seq",
    );
    let expected = ["added", "rotated", "disabled", "enabled", "removed"]
        .map(|action| format!("webhook.{action} api {key} {}", id(&added)));
    assert_eq!(entries, expected);
    let values = test_database::query_texts(
        folder,
        "SELECT coalesce(before, '') || coalesce(after, '') FROM audit_log",
    );
    assert!(!values.concat().contains("whsec_"), "a secret is in the audit log");
}

#[tokio::test]
async fn a_program_cannot_add_endpoints_without_end() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut last = Value::Null;
    for number in 0..MAX_ENDPOINTS {
        last = add(&shop, &format!("{URL}/{number}")).await;
    }
    shop.post(PATH, &json!({ "url": URL })).await.is_problem(409, "too_many_endpoints");
    change(&shop, &last, "remove", json!({})).await;
    add(&shop, URL).await;
    let live = app.key(&account_of(&app), Mode::Live, Generation::V2).await;
    add(&live, URL).await;
}

#[tokio::test]
async fn a_key_that_is_revoked_meanwhile_changes_no_endpoint() {
    let app = TestApp::start().await;
    let added = add(&app.shop().await, URL).await;
    let endpoint = EndpointId::new(id(&added));
    let keys = test_database::query_texts(app.folder.path(), "SELECT id FROM api_keys");
    let key = KeyId::new(&*keys[0]);
    let by = AuditContext { actor: key.as_str().to_owned(), source: Source::Api, ..app.audit() };
    let store = &app.running().store;
    let change = async || store.change_endpoint(&endpoint, EndpointChange::Disable, &by).await;
    assert!(change().await.unwrap().is_some());
    store.revoke_key(&key, OpenSessions::Close, &app.audit()).await.unwrap();
    assert_eq!(change().await.unwrap(), None);
    let enable = EndpointChange::Enable { resend: true };
    assert_eq!(store.change_endpoint(&endpoint, enable, &by).await.unwrap(), None);
    assert!(!store.remove_endpoint(&endpoint, &by).await.unwrap());
    let after = store.endpoint(&endpoint).await.unwrap().unwrap();
    assert!(after.disabled_at.is_some() && after.removed_at.is_none());
}
