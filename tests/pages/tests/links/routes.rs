//! `/v1/links`: every credential, every fault, both modes.

use super::{change, create, read};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashSet;
use tua_domain::{AccountId, Generation, Mode, ports::AccountChange, ports::Clock};
use tua_test_support::{ApiClient, TestApp, idempotency::count, test_database};

fn dinner() -> Value {
    json!({ "title": "Dinner", "amount": 10.5, "reference": "table-4", "metadata": { "table": 4 } })
}

#[tokio::test]
async fn a_link_is_created_read_and_listed_with_everything_that_was_sent() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let created = create(&shop, &dinner()).await;
    let code = created["code"].as_str().unwrap();
    assert_eq!(created["url"], format!("{}/l/{code}", app.origin));
    assert_eq!(created["qr"], format!("{}/l/{code}.svg", app.origin));
    for (member, value) in [
        ("status", json!("OPEN")),
        ("title", json!("Dinner")),
        ("description", Value::Null),
        ("amount", json!(10.5)),
        ("minAmount", Value::Null),
        ("maxAmount", Value::Null),
        ("currency", json!("GHS")),
        ("uses", json!("many")),
        ("expiresAt", Value::Null),
        ("reference", json!("table-4")),
        ("metadata", json!({ "table": 4 })),
        ("mode", json!("test")),
        ("payments", json!(0)),
        ("paidAmount", json!(0)),
    ] {
        assert_eq!(created[member], value, "{member}");
    }
    assert_eq!(read(&shop, &created).await, created);
    assert_eq!(
        shop.get("/v1/links").await.is(200).json(),
        json!({ "data": [created], "nextCursor": null })
    );
    let open = json!({
        "title": " Offering ",
        "minAmount": 1,
        "maxAmount": 1e3,
        "description": "",
        "uses": "single",
        "expiresAt": "2099-01-01T00:00:00+01:00",
    });
    let open = create(&shop, &open).await;
    assert_eq!(
        (&open["minAmount"], &open["maxAmount"], &open["amount"]),
        (&json!(1), &json!(1000), &Value::Null)
    );
    assert_eq!(
        (&open["uses"], &open["expiresAt"]),
        (&json!("single"), &json!("2098-12-31T23:00:00.000Z"))
    );
    assert!(
        open["reference"].as_str().unwrap().starts_with("TUA-"),
        "a reference is generated: {open}"
    );
}

#[tokio::test]
async fn all_faults_of_a_link_are_reported_at_once() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let faults = async |body: &str| {
        let problem = shop.post_text("/v1/links", body).await.is(422).json();
        let errors = problem["errors"].as_array().unwrap().clone();
        let text = |fault: &Value, member: &str| fault[member].as_str().unwrap().to_owned();
        errors
            .iter()
            .map(|fault| (text(fault, "pointer"), text(fault, "code")))
            .collect::<HashSet<_>>()
    };
    for (body, expected) in [
        (r#"{"amount":1}"#, &[("/title", "field_required")][..]),
        (r#"{"title":" "}"#, &[("/title", "invalid_text")]),
        (
            r#"{"title":"a","amount":1,"minAmount":1,"maxAmount":null}"#,
            &[("/minAmount", "field_not_allowed")],
        ),
        (
            r#"{"amount":1,"minAmount":1,"maxAmount":2,"expiresAt":"2020-01-01T00:00:00Z"}"#,
            &[
                ("/title", "field_required"),
                ("/minAmount", "field_not_allowed"),
                ("/maxAmount", "field_not_allowed"),
                ("/expiresAt", "invalid_time"),
            ],
        ),
        (r#"{"title":"a","minAmount":2,"maxAmount":1.99}"#, &[("/maxAmount", "invalid_amount")]),
        (
            concat!(
                r#"{"title":"a\nb","amount":"1","uses":"twice","expiresAt":"tomorrow","#,
                r#""email":"a@example.com"}"#
            ),
            &[
                ("/title", "invalid_text"),
                ("/amount", "invalid_type"),
                ("/uses", "invalid_parameter"),
                ("/expiresAt", "invalid_time"),
                ("/email", "unknown_field"),
            ],
        ),
        (
            r#"{"title":"a","amount":0.001,"metadata":[1]}"#,
            &[("/amount", "invalid_amount"), ("/metadata", "invalid_type")],
        ),
    ] {
        let expected = expected
            .iter()
            .map(|(pointer, code)| ((*pointer).to_owned(), (*code).to_owned()))
            .collect();
        assert_eq!(faults(body).await, expected, "{body}");
    }
    let long = json!({
        "title": "a".repeat(101),
        "description": "b".repeat(501),
        "reference": "c".repeat(65),
    });
    assert_eq!(faults(&long.to_string()).await.len(), 3);
    shop.post_text("/v1/links", r#"{"title":"a","title":"b"}"#)
        .await
        .is_problem(400, "malformed_json");
    assert_eq!(count(&app, "payment_links"), 0);
}

#[tokio::test]
async fn a_repeated_request_creates_one_link_and_gets_the_same_body() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let send = async |body: &str| {
        shop.send(Method::POST, "/v1/links", &[("idempotency-key", "k")], Some(body)).await
    };
    let first = send(r#"{"title":"Dinner","amount":10.5}"#).await.is(201);
    change(&shop, &first.json(), "close").await.is(200);
    let again = send(r#"{"amount":10.50,"title":"Dinner"}"#).await.is(201);
    assert_eq!((&again.text, again.header("idempotency-replayed")), (&first.text, "true"));
    send(r#"{"title":"Lunch","amount":10.5}"#).await.is_problem(422, "idempotency_key_reused");
    assert_eq!(count(&app, "payment_links"), 1);
}

#[tokio::test]
async fn only_its_own_merchants_v2_key_with_the_scope_reaches_a_link() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &dinner()).await;
    let id = link["linkId"].as_str().unwrap();
    let payer = app.payer(&shop).await;
    let v1 = app.merchant(Mode::Test, Generation::V1).await;
    for (method, path) in [
        (Method::POST, "/v1/links".to_owned()),
        (Method::GET, "/v1/links".to_owned()),
        (Method::GET, format!("/v1/links/{id}")),
        (Method::POST, format!("/v1/links/{id}/close")),
        (Method::POST, format!("/v1/links/{id}/reopen")),
    ] {
        let call = async |caller: &ApiClient| caller.send(method.clone(), &path, &[], None).await;
        call(&payer).await.is_problem(403, "credential_not_allowed");
        call(&v1).await.is_problem(403, "credential_not_allowed");
        call(&app.actor("")).await.is_problem(401, "missing_credentials");
        if path.contains(id) {
            call(&app.shop().await).await.is_problem(404, "not_found");
            call(&app.merchant(Mode::Live, Generation::V2).await)
                .await
                .is_problem(404, "not_found");
        }
    }
    shop.get("/v1/links/lnk_none").await.is_problem(404, "not_found");
    shop.get("/v1/links/lnk_%00").await.is_problem(404, "not_found");
    shop.send(Method::POST, "/v1/links/%00/close", &[], None).await.is_problem(404, "not_found");
    assert_eq!(app.shop().await.get("/v1/links").await.json()["data"], json!([]));
    assert_eq!(read(&shop, &link).await["status"], "OPEN");
    let account = AccountId::new(
        test_database::query_texts(app.folder.path(), "SELECT account_id FROM payment_links")[0]
            .clone(),
    );
    let other_mode = app.key(&account, Mode::Live, Generation::V2).await;
    other_mode.get(&format!("/v1/links/{id}")).await.is_problem(404, "not_found");
    let live = app.merchant(Mode::Live, Generation::V2).await;
    assert_eq!(create(&live, &dinner()).await["mode"], "live");
}

#[tokio::test]
async fn pages_of_the_list_repeat_and_miss_nothing() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut created = Vec::new();
    for number in 0..5 {
        created.push(
            create(&shop, &json!({ "title": format!("Link {number}") })).await["linkId"].clone(),
        );
    }
    created.reverse();
    let mut seen = Vec::new();
    let mut query = "?limit=2".to_owned();
    loop {
        let page = shop.get(&format!("/v1/links{query}")).await.is(200).json();
        seen.extend(page["data"].as_array().unwrap().iter().map(|link| link["linkId"].clone()));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("?limit=2&cursor={cursor}");
        create(&shop, &json!({ "title": "a later one" })).await;
    }
    assert_eq!(seen, created);
    for query in
        ["limit=0", "limit=101", "cursor=x", "cursor=bG5rX3h5eg", "cursor=", "limit=1&limit=1"]
    {
        shop.get(&format!("/v1/links?{query}")).await.is_problem(422, "invalid_parameter");
    }
    shop.get("/v1/links?status=OPEN").await.is_problem(422, "unknown_field");
}

#[tokio::test]
async fn closing_and_reopening_are_repeatable_audited_and_take_no_members() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &dinner()).await;
    for (what, status) in [
        ("reopen", "OPEN"),
        ("close", "CLOSED"),
        ("close", "CLOSED"),
        ("reopen", "OPEN"),
        ("reopen", "OPEN"),
    ] {
        assert_eq!(change(&shop, &link, what).await.is(200).json()["status"], status);
    }
    let path = format!("/v1/links/{}/close", link["linkId"].as_str().unwrap());
    shop.post_text(&path, r#"{"reason":"x"}"#).await.is_problem(422, "unknown_field");
    let log = app.running().store.audit_entries(0, 100).await.unwrap();
    let of_link: Vec<_> = log.iter().filter(|entry| link["linkId"] == *entry.subject).collect();
    let actions: Vec<&str> = of_link.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["link.created", "link.closed", "link.reopened"]);
    for entry in of_link {
        let values = format!("{:?}{:?}", entry.before, entry.after);
        assert!(
            !values.contains("Dinner") && !values.contains(link["code"].as_str().unwrap()),
            "{values}"
        );
    }
}

#[tokio::test]
async fn what_has_ended_is_not_reopened() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let expires_at = (app.clock.now() + jiff::SignedDuration::from_hours(1)).to_string();
    let body = json!({ "title": "Dinner", "amount": 1, "expiresAt": expires_at });
    let expiring = create(&shop, &body).await;
    let closed = create(&shop, &body).await;
    change(&shop, &closed, "close").await.is(200);
    app.advance(3_600);
    assert_eq!(read(&shop, &expiring).await["status"], "EXPIRED");
    assert_eq!(change(&shop, &expiring, "close").await.is(200).json()["status"], "EXPIRED");
    for link in [&expiring, &closed] {
        change(&shop, link, "reopen").await.is_problem(409, "link_not_reopenable");
    }
}

#[tokio::test]
async fn a_suspended_account_creates_no_link() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let suspend = AccountChange::Suspend(app.clock.now());
    app.running().store.change_account(&account, suspend, &app.audit()).await.unwrap();
    shop.post("/v1/links", &dinner()).await.is_problem(403, "account_suspended");
    assert_eq!(count(&app, "payment_links"), 0);
}
