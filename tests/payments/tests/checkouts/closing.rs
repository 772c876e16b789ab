//! Sessions that are closed: by their merchant, and with the key that created them
//! (docs/reference/lifecycle.md).

use reqwest::Method;
use serde_json::{Value, json};
use tua_contract::FailureCode;
use tua_domain::{
    CheckoutId, Generation, KeyId, Mode, TransactionId,
    ports::{Clock, OpenSessions},
    review::{DecisionNote, ReviewVerdict},
};
use tua_test_support::{
    ApiClient, Response, TestApp,
    hosted_page::assert_page,
    idempotency::count,
    test_database,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

/// A session of this merchant: its id, and a client with its token.
async fn open(app: &TestApp, shop: &ApiClient) -> (String, ApiClient) {
    let body = json!({ "amount": 10.5, "email": "ama@example.com", "reference": "order-1" });
    let opened = shop.post("/v1/checkout", &body).await.is(201).json();
    let text = |member: &str| opened[member].as_str().unwrap().to_owned();
    (text("checkoutId"), app.actor(&text("checkoutToken")))
}

async fn close(shop: &ApiClient, id: &str) -> Response {
    shop.send(Method::POST, &format!("/v1/checkout/{id}/close"), &[], None).await
}

async fn status(shop: &ApiClient, id: &str) -> Value {
    shop.get(&format!("/v1/checkout/{id}")).await.is(200).json()["status"].clone()
}

/// Asserts that the token is refused, on the API and on the page.
async fn assert_closed(app: &TestApp, payer: &ApiClient) {
    let body = json!({ "phoneNumber": "0241234567", "network": "MTN" });
    for answer in [payer.get("/v1/checkout").await, payer.post("/v1/charge", &body).await] {
        let problem = answer.is_problem(401, "checkout_token_expired").json();
        assert_eq!(
            (&problem["checkout"], &problem["reference"]),
            (&json!("CLOSED"), &json!("order-1"))
        );
    }
    let page =
        assert_page(app.actor("").get(&format!("/pay?key={}", payer.credential)).await, 401).text;
    assert!(
        page.contains("The shop has closed this checkout") && page.contains("No money was taken"),
        "{page}"
    );
}

/// The key that a client has.
fn key_of(app: &TestApp) -> KeyId {
    KeyId::new(test_database::query_texts(app.folder.path(), "SELECT id FROM api_keys").remove(0))
}

async fn revoke(app: &TestApp, sessions: OpenSessions) {
    let revoked =
        app.running().store.revoke_key(&key_of(app), sessions, &app.audit()).await.unwrap();
    assert!(revoked.is_some());
}

#[tokio::test]
async fn a_closed_session_takes_no_charge_and_its_token_is_refused() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let (id, payer) = open(&app, &shop).await;
    assert_eq!(status(&shop, &id).await, "OPEN");
    let closed = close(&shop, &id).await.is(200).json();
    assert_eq!((&closed["status"], &closed["checkoutId"]), (&json!("CLOSED"), &json!(id)));
    assert_closed(&app, &payer).await;
    for body in [None, Some("{}"), Some(" { } ")] {
        let again = shop.send(Method::POST, &format!("/v1/checkout/{id}/close"), &[], body).await;
        assert_eq!(again.is(200).json(), closed, "{body:?}");
    }
    assert_eq!((status(&shop, &id).await, count(&app, "transactions")), (json!("CLOSED"), 0));
    // As before after its thirty minutes.
    app.advance(31 * 60);
    assert_eq!(status(&shop, &id).await, "CLOSED");
    assert_closed(&app, &payer).await;
}

#[tokio::test]
async fn closing_a_session_through_the_api_is_in_the_audit_log_once() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let (id, _) = open(&app, &shop).await;
    let (expired, _) = open(&app, &shop).await;
    for _ in 0..2 {
        close(&shop, &id).await.is(200);
    }
    app.advance(31 * 60);
    close(&shop, &expired).await.is(200);
    let log = app.running().store.audit_entries(0, 100).await.unwrap();
    let closed: Vec<_> = log.into_iter().filter(|entry| entry.source == "api").collect();
    let [entry] = &closed[..] else { panic!("{closed:?}") };
    assert_eq!(
        (&*entry.action, &*entry.subject, &*entry.actor),
        ("checkout.closed", &*id, key_of(&app).as_str())
    );
    assert!(entry.before.as_ref().unwrap().contains("\"closedAt\":null"), "{entry:?}");
    let after = entry.after.as_ref().unwrap();
    assert!(!after.contains("\"closedAt\":null") && !after.contains("ama@"), "{entry:?}");
}

#[tokio::test]
async fn only_its_own_merchants_v2_key_closes_a_session() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    let (id, payer) = open(&app, &shop).await;
    let path = format!("/v1/checkout/{id}/close");
    let live = app.key(&account, Mode::Live, Generation::V2).await;
    for stranger in [app.shop().await, live] {
        close(&stranger, &id).await.is_problem(404, "not_found");
        stranger.get(&format!("/v1/checkout/{id}")).await.is_problem(404, "not_found");
    }
    close(&shop, "chk_none").await.is_problem(404, "not_found");
    close(&payer, &id).await.is_problem(403, "credential_not_allowed");
    payer.get(&format!("/v1/checkout/{id}")).await.is_problem(403, "credential_not_allowed");
    close(&app.key(&account, Mode::Test, Generation::V1).await, &id)
        .await
        .is_problem(403, "credential_not_allowed");
    close(&app.actor(""), &id).await.is_problem(401, "missing_credentials");
    shop.post_text(&path, r#"{"reason":"x"}"#).await.is_problem(422, "unknown_field");
    shop.post_text(&path, "[1]").await.is(422);
    shop.post_text(&path, "{").await.is_problem(400, "malformed_json");
    assert_eq!(status(&shop, &id).await, "OPEN");
}

#[tokio::test]
async fn a_session_that_is_pending_or_paid_is_not_closed_and_an_expired_one_stays_expired() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let (pending, payer) = open(&app, &shop).await;
    payer.charge("0241230007", "MTN").await.is(202);
    close(&shop, &pending).await.is_problem(409, "charge_in_progress");
    assert_eq!(status(&shop, &pending).await, "PENDING");
    payer.get("/v1/checkout").await.is(200);
    let (paid, payer) = open(&app, &shop).await;
    let charge = payer.charge("0241234567", "MTN").await.is(202).id();
    app.advance(2);
    payer.until(&charge, |status| status["status"] == "SUCCESSFUL").await;
    close(&shop, &paid).await.is_problem(409, "checkout_already_paid");
    let (failed, payer) = open(&app, &shop).await;
    payer.charge("0241230006", "MTN").await.is(202);
    assert_eq!(close(&shop, &failed).await.is(200).json()["status"], "CLOSED");
    let (expired, payer) = open(&app, &shop).await;
    app.advance(30 * 60);
    for _ in 0..2 {
        assert_eq!(close(&shop, &expired).await.is(200).json()["status"], "EXPIRED");
    }
    assert_eq!(payer.get("/v1/checkout").await.is(401).json()["checkout"], "OPEN");
    close(&shop, &pending).await.is_problem(409, "charge_in_progress");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_closing_and_a_charge_that_race_exactly_one_wins() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut closed = 0;
    let mut charged = 0;
    for _ in 0..20 {
        let (id, payer) = open(&app, &shop).await;
        let first = payer.clone();
        let second = payer.clone();
        let (answer, one, other) = tokio::join!(
            close(&shop, &id),
            first.charge("0241230007", "MTN"),
            second.charge("0241230007", "MTN")
        );
        let begun = [&one, &other].into_iter().filter(|charge| charge.status == 202).count();
        match answer.status.as_u16() {
            200 => {
                assert_eq!((begun, status(&shop, &id).await), (0, json!("CLOSED")));
                closed += 1;
            }
            _ => {
                answer.is_problem(409, "charge_in_progress");
                assert_eq!((begun, status(&shop, &id).await), (1, json!("PENDING")));
                charged += 1;
            }
        }
    }
    assert_eq!((closed + charged, count(&app, "transactions")), (20, charged));
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_sends_one_event_with_the_closed_session() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let (id, _) = open(&app, &merchant.shop).await;
    close(&merchant.shop, &id).await.is(200);
    close(&merchant.shop, &id).await.is(200);
    receiver.wait_for_webhooks(2).await;
    app.advance(31 * 60);
    app.wait_for_due_work().await;
    let types = "SELECT type FROM webhook_deliveries ORDER BY type";
    assert_eq!(
        test_database::query_texts(app.folder.path(), types),
        ["checkout.closed", "checkout.opened"]
    );
    let closed = receiver
        .received()
        .iter()
        .map(|hook| hook.json())
        .find(|hook| hook["type"] == "checkout.closed");
    let session = closed.unwrap()["data"].clone();
    assert_eq!((&session["checkoutId"], &session["status"]), (&json!(id), &json!("CLOSED")));
}

#[tokio::test(flavor = "multi_thread")]
async fn revoking_a_key_closes_the_open_sessions_that_it_created() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let revoked = app.key(&account, Mode::Test, Generation::V2).await;
    let (_, untried) = open(&app, &revoked).await;
    let (_, failed) = open(&app, &revoked).await;
    failed.charge("0241230006", "MTN").await.is(202);
    let (_, pending) = open(&app, &revoked).await;
    let charge = pending.charge("0241230007", "MTN").await.is(202).id();
    let (_, paid) = open(&app, &revoked).await;
    paid.charge("0241234567", "MTN").await.is(202);
    app.advance(10);
    app.wait_for_due_work().await;
    revoke(&app, OpenSessions::Close).await;
    let sql = "SELECT after FROM audit_log WHERE action = 'key.revoked'";
    let audited: Value =
        serde_json::from_str(&test_database::query_texts(app.folder.path(), sql).remove(0))
            .unwrap();
    let ended =
        ["closedCheckouts", "closedLinks", "refusedPayouts"].map(|name| audited[name].clone());
    assert_eq!(ended, [json!(3), json!(0), json!(0)], "with the one that is pending: {audited}");
    // Another key of the account, made afterwards so that the first key is the one that is revoked.
    let other = app.key(&account, Mode::Test, Generation::V2).await;
    let (_, unrelated) = open(&app, &other).await;
    for payer in [&untried, &failed] {
        assert_closed(&app, payer).await;
    }
    assert_eq!(paid.get("/v1/checkout").await.is(200).json()["status"], "PAID");
    unrelated.get("/v1/checkout").await.is(200);
    // The payer of the pending one goes on.
    assert_eq!(pending.status(&charge).await["status"], "PENDING");
    pending.charge("0241230007", "MTN").await.is_problem(409, "charge_in_progress");
    let note = "seen in the statement".parse::<DecisionNote>().unwrap();
    app.advance(25 * 3600);
    app.wait_for_due_work().await;
    let verdict = ReviewVerdict::Failed(FailureCode::Unspecified);
    app.running()
        .store
        .review(&TransactionId::new(charge), verdict, note, &app.audit())
        .await
        .unwrap();
    assert_closed(&app, &pending).await;
    app.advance(60);
    app.wait_for_due_work().await;
    let undecided =
        "SELECT count(*) FROM checkouts WHERE closed_at IS NOT NULL AND expiry_due IS NOT NULL";
    assert_eq!(app.query_number(undecided), 0);
}

#[tokio::test]
async fn a_revocation_that_keeps_sessions_and_a_rotation_close_none() {
    for is_rotation in [false, true] {
        let app = TestApp::start().await;
        let shop = app.shop().await;
        let (_, payer) = open(&app, &shop).await;
        if is_rotation {
            let store = &app.running().store;
            let now = app.clock.now();
            let old = store.keys(None).await.unwrap().remove(0);
            let (new, _) = tua_domain::SecretKey::generate(old.scope.clone(), old.generation, now);
            store.rotate_key(&old.id, new, now, &app.audit()).await.unwrap().unwrap();
        } else {
            revoke(&app, OpenSessions::Keep).await
        }
        open_refused(&shop).await;
        payer.charge("0241230007", "MTN").await.is(202);
    }
}

async fn open_refused(shop: &ApiClient) {
    let body = json!({ "amount": 10.5, "email": "ama@example.com" });
    shop.post("/v1/checkout", &body).await.is_problem(401, "invalid_credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_session_is_left_open_by_a_request_that_races_with_the_revocation_of_its_key() {
    for _ in 0..10 {
        let app = TestApp::start().await;
        let shop = app.shop().await;
        let body = json!({ "amount": 10.5, "email": "ama@example.com" });
        tokio::join!(
            revoke(&app, OpenSessions::Close),
            async { shop.post("/v1/checkout", &body).await },
            async { shop.post("/v1/checkout", &body).await },
        );
        assert_eq!(app.query_number("SELECT count(*) FROM checkouts WHERE closed_at IS NULL"), 0);
    }
}

#[tokio::test]
async fn a_test_session_can_be_expired_before_its_time() {
    let app = TestApp::with_live_operator().await;
    let store = &app.running().store;
    let by = app.audit();
    let (id, payer) = open(&app, &app.shop().await).await;
    let expired = store.expire_test_checkout(&CheckoutId::new(&id), &by).await.unwrap().unwrap();
    assert_eq!(expired.expires_at.as_millisecond(), by.at.as_millisecond());
    assert_eq!(payer.get("/v1/checkout").await.is(401).json()["checkout"], "OPEN");
    let (live, payer) = open(&app, &app.merchant(Mode::Live, Generation::V2).await).await;
    let none = store.expire_test_checkout(&CheckoutId::new(&live), &by).await.unwrap();
    assert_eq!(none, None);
    payer.get("/v1/checkout").await.is(200);
}
