//! Keys that expire, and their last use (docs/reference/command-line.md).

use serde_json::{Value, json};
use tua_domain::{
    Generation, Mode, SecretKey,
    ports::{Clock, OpenSessions},
};
use tua_test_support::{
    ApiClient, TestApp,
    binary::{RunningService, account, json, not_found, refused, run, tua},
    test_database,
};

async fn is_accepted(actor: &ApiClient) -> bool {
    match actor.get("/v1/transactions").await.status.as_u16() {
        200 => true,
        _ => {
            actor.get("/v1/transactions").await.is_problem(401, "invalid_credentials");
            false
        }
    }
}

/// The stored key of the only merchant.
async fn stored_key(app: &TestApp) -> SecretKey {
    app.running().store.keys(None).await.unwrap().remove(0)
}

#[tokio::test]
async fn a_rotated_key_expires_after_its_overlap_and_its_successor_stays_valid() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let store = app.running().store.clone();
    let old_actor = app.shop().await;
    let old = stored_key(&app).await;
    let now = app.clock.now();
    let (new, text) = SecretKey::generate(old.scope.clone(), old.generation, now);
    let expires_at = app.test_clock.now_plus(60);
    let rotated =
        store.rotate_key(&old.id, new.clone(), expires_at, &app.audit()).await.unwrap().unwrap();
    assert_eq!(rotated.expires_at, Some(expires_at));
    let new_actor = app.actor(&text);
    assert!(is_accepted(&old_actor).await && is_accepted(&new_actor).await);
    app.advance(59);
    assert!(is_accepted(&old_actor).await);
    app.advance(1);
    assert!(
        !is_accepted(&old_actor).await && is_accepted(&new_actor).await,
        "rejected from the millisecond of its expiry"
    );

    // A second rotation never extends a key's lifetime, and an expired key cannot be rotated.
    let (other, text) = SecretKey::generate(old.scope.clone(), old.generation, now);
    assert!(
        store
            .rotate_key(&old.id, other, app.test_clock.now_plus(60), &app.audit())
            .await
            .unwrap()
            .is_none()
    );
    assert!(!is_accepted(&app.actor(&text)).await);
    for (seconds, expected) in [(100, 100), (200, 100), (50, 50)] {
        let (next, _) = SecretKey::generate(old.scope.clone(), old.generation, now);
        let start = app.clock.now();
        let at = |seconds| start + jiff::SignedDuration::from_secs(seconds);
        let rotated =
            store.rotate_key(&new.id, next, at(seconds), &app.audit()).await.unwrap().unwrap();
        assert_eq!(rotated.expires_at, Some(at(expected)));
    }
}

#[tokio::test]
async fn last_use_is_stored_at_most_once_a_minute_and_not_for_unknown_keys() {
    if test_database::skip_on_postgres("it counts the file's commits") {
        return;
    }
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let start = app.clock.now();
    assert_eq!(stored_key(&app).await.last_used_at, None);
    let database = rusqlite::Connection::open(app.folder.path().join("tua.db")).unwrap();
    let commits =
        || database.pragma_query_value(None, "data_version", |row| row.get::<_, i64>(0)).unwrap();
    let used = async || {
        shop.get("/v1/transactions").await.is(200);
        // This write comes after the update of the last use in the writer's queue.
        app.running().store.is_ready(start).await.unwrap();
        stored_key(&app).await.last_used_at
    };
    assert_eq!(used().await, Some(start));
    app.advance(59);
    assert_eq!(used().await, Some(start), "stored more than once a minute");
    app.advance(1);
    assert_eq!(used().await, Some(app.clock.now()));

    let before = commits();
    for wrong in ["tua_test_v2_wrong", "sk_live_wrong", "tua_checkout_wrong"] {
        for _ in 0..20 {
            app.actor(wrong).get("/v1/transactions").await.is(401);
        }
    }
    assert_eq!(commits(), before, "an unknown key causes a write");
    app.advance(60);
    used().await;
    assert_ne!(commits(), before, "a valid key causes no write either");
}

#[tokio::test]
async fn a_key_can_be_rotated_while_the_service_runs() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (_, v1, v2) = account(folder.path());
    let listed = json(folder.path(), &["key", "list"]);
    let id = |generation: &str| {
        let key = listed.as_array().unwrap().iter().find(|key| key["generation"] == generation);
        key.unwrap()["keyId"].as_str().unwrap().to_owned()
    };
    let payment = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });
    // By default both are valid for a day.
    let rotated = json(folder.path(), &["key", "rotate", &id("v2")]);
    assert_eq!(
        (&rotated["old"]["keyId"], &rotated["generation"]),
        (&json!(id("v2")), &json!("v2"))
    );
    assert_eq!(
        (&rotated["accountId"], &rotated["mode"]),
        (&listed[0]["accountId"], &json!("test"))
    );
    serving.actor(&v2).post("/v1/charge", &payment).await.is(202);
    serving.actor(rotated["key"].as_str().unwrap()).post("/v1/charge", &payment).await.is(202);
    // Without an overlap the old one expires at once.
    let rotated = json(folder.path(), &["key", "rotate", &id("v1"), "--overlap", "0"]);
    serving.actor(&v1).post("/v1/charge", &payment).await.is_problem(401, "invalid_credentials");
    serving.actor(rotated["key"].as_str().unwrap()).post("/v1/charge", &payment).await.is(202);

    let keys = json(folder.path(), &["key", "list"]);
    let key =
        |id: &str| keys.as_array().unwrap().iter().find(|key| key["keyId"] == id).unwrap().clone();
    assert!(key(&id("v2"))["lastUsedAt"].is_string() && key(&id("v2"))["expiresAt"].is_string());
    assert_eq!(key(&id("v1"))["lastUsedAt"], Value::Null, "an expired key was not used");
    let people = String::from_utf8(run(folder.path(), &["key", "list"]).stdout).unwrap();
    assert!(people.contains("never used") && people.contains("expires 2"), "{people}");
}

#[test]
fn key_rotate_reports_each_error_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let listed = json(folder.path(), &["key", "list"]);
    let id = listed[0]["keyId"].as_str().unwrap();
    let said =
        |arguments: &[&str]| refused(tua(folder.path()).args(["key", "rotate"]).args(arguments));
    let unknown = not_found(tua(folder.path()).args(["key", "rotate", "key_none"]));
    assert!(unknown.contains("there is no key key_none"), "{unknown}");
    for overlap in ["soon", "", "-1h", "24", "2161h", "99999999999999999999h"] {
        assert!(said(&[id, &format!("--overlap={overlap}")]).contains("--overlap"), "{overlap:?}");
    }
    run(folder.path(), &["key", "revoke", id]);
    assert!(said(&[id]).contains("tua key create"));
    assert_eq!(
        json(folder.path(), &["key", "list"]).as_array().unwrap().len(),
        2,
        "nothing was created"
    );
}

#[tokio::test]
async fn limits_can_be_off_after_the_last_live_key_expired() {
    let mut app = TestApp::start().await;
    app.merchant(Mode::Live, Generation::V2).await;
    let old = stored_key(&app).await;
    let now = app.clock.now();
    let (new, _) = SecretKey::generate(old.scope.clone(), old.generation, now);
    app.running().store.rotate_key(&old.id, new.clone(), now, &app.audit()).await.unwrap().unwrap();
    app.running().store.revoke_key(&new.id, OpenSessions::Close, &app.audit()).await.unwrap();
    // Limits are off, as in all tests.
    app.restart().await;
}
