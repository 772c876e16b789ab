//! What is deleted after its retention period, and what is kept.

use serde_json::json;
use tua_contract::FailureCode;
use tua_domain::{
    TransactionId,
    ports::Clock,
    retention::{Horizon, Pruned},
    review::{DecisionNote, ReviewVerdict},
};
use tua_test_support::{
    ApiClient, TestApp,
    idempotency::{PAYMENT, assert_replay, count, send_with_key},
    test_database,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// Moves the clock, and waits until all due work and pruning are done.
async fn move_clock(app: &TestApp, seconds: u64) {
    app.advance(seconds);
    app.wait_for_due_work().await;
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(60), 1).await;
}

/// A service that has deleted once, so that it deletes nothing while the clock stands.
async fn idle_app() -> TestApp {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(60), 1).await;
    app
}

/// A session of this merchant, and a charge of it to this number.
async fn session(app: &TestApp, shop: &ApiClient, phone: Option<&str>) -> ApiClient {
    let payer = app.payer(shop).await;
    if let Some(phone) = phone {
        payer.charge(phone, "MTN").await.is(202);
    }
    payer
}

#[tokio::test(flavor = "multi_thread")]
async fn idempotency_records_are_deleted_after_seven_days() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let payment = &PAYMENT.replace("0241230007", "0241230006");
    let first = send_with_key(&shop, "/v1/charge", "k", payment).await.is(202);
    assert_eq!(first.json()["status"], "FAILED");
    move_clock(&app, 7 * DAY - 60).await;
    assert_replay(send_with_key(&shop, "/v1/charge", "k", payment).await, &first);
    assert_eq!(count(&app, "attempts"), 1);
    move_clock(&app, 2 * HOUR).await;
    assert_eq!((count(&app, "attempts"), count(&app, "transactions")), (0, 1));
    send_with_key(&shop, "/v1/charge", "k", payment).await.is(202);
    assert_eq!(
        (count(&app, "attempts"), count(&app, "transactions")),
        (1, 2),
        "the key is free again"
    );
}

/// People decide that a pending transaction has failed.
async fn fail(app: &TestApp, id: &str) {
    let verdict = ReviewVerdict::Failed(FailureCode::Unspecified);
    let note = "seen in the statement".parse::<DecisionNote>().unwrap();
    app.running().store.review(&TransactionId::new(id), verdict, note, &app.audit()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_kept_until_seven_days_after_its_payment_has_ended() {
    for (path, is_code) in [("/v1/charge", false), ("/v1/payout", false), ("/v1/submit-otp", true)]
    {
        let app = TestApp::with_stopped_clock(|operators| operators).await;
        let shop = app.shop().await;
        let charge = PAYMENT.replace("0241230007", "0201230007").replace("MTN", "TELECEL");
        let body = if is_code {
            let id = shop.post_text("/v1/charge", &charge).await.is(202).id();
            json!({ "transactionId": id, "otp": "000000" }).to_string()
        } else {
            PAYMENT.to_owned()
        };
        let first = send_with_key(&shop, path, "k", &body).await;
        assert_eq!(first.json()["status"], "PENDING", "{path}");
        // Pruning looks at the record on the eighth day and on the ninth, and keeps it.
        for days in [8, 1] {
            move_clock(&app, days * DAY).await;
            assert_replay(send_with_key(&shop, path, "k", &body).await, &first);
            assert_eq!((count(&app, "attempts"), count(&app, "transactions")), (1, 1), "{path}");
        }
        fail(&app, &first.id()).await;
        move_clock(&app, 7 * DAY - 60).await;
        assert_replay(send_with_key(&shop, path, "k", &body).await, &first);
        move_clock(&app, 120).await;
        if is_code {
            drop(
                send_with_key(&shop, path, "k", &body)
                    .await
                    .is_problem(409, "verification_not_expected"),
            )
        } else {
            assert_ne!(send_with_key(&shop, path, "k", &body).await.is(202).id(), first.id());
            assert_eq!(
                (count(&app, "attempts"), count(&app, "transactions")),
                (1, 2),
                "the key is free again"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_session_is_kept_until_seven_days_after_its_charges_have_ended() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let body = r#"{"amount": 1, "email": "ama@example.com"}"#;
    let first = send_with_key(&shop, "/v1/checkout", "k", body).await.is(201);
    let payer = app.actor(first.json()["checkoutToken"].as_str().unwrap());
    let id = payer.charge("0241230007", "MTN").await.is(202).id();
    move_clock(&app, 8 * DAY).await;
    assert_replay(send_with_key(&shop, "/v1/checkout", "k", body).await, &first);
    fail(&app, &id).await;
    move_clock(&app, 7 * DAY - 60).await;
    assert_replay(send_with_key(&shop, "/v1/checkout", "k", body).await, &first);
    // The last look came while the session was decided; the next one deletes the record.
    move_clock(&app, 2 * DAY).await;
    assert_eq!(count(&app, "attempts"), 0);
    assert_ne!(send_with_key(&shop, "/v1/checkout", "k", body).await.is(201).text, first.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_sessions_without_charges_are_deleted_after_ninety_days() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let unused = session(&app, &shop, None).await;
    let paid = session(&app, &shop, Some("0241234567")).await;
    let failed = session(&app, &shop, Some("0241230001")).await;
    move_clock(&app, 60).await;
    let events = count(&app, "transaction_events");
    move_clock(&app, 30 * 60).await;
    move_clock(&app, 90 * DAY - 120).await;
    unused.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
    move_clock(&app, 120).await;
    unused.get("/v1/checkout").await.is_problem(401, "invalid_credentials");
    app.actor("").get(&format!("/pay?key={}", unused.credential)).await.is(404);
    move_clock(&app, 365 * DAY).await;
    for (payer, standing) in [(&paid, "PAID"), (&failed, "OPEN")] {
        let told = payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired").json();
        assert_eq!(told["checkout"], standing);
    }
    let kept = ["checkouts", "transactions", "transaction_events"].map(|table| count(&app, table));
    assert_eq!(kept, [2, 2, events]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_with_a_charge_in_its_last_moment_is_kept() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    session(&app, &shop, Some("0241234567")).await;
    move_clock(&app, 60).await;
    move_clock(&app, 31 * 60).await;
    // As if the charge's body had arrived after the session was checked.
    test_database::execute(app.folder.path(), "UPDATE checkouts SET unused_since = expires_at");
    move_clock(&app, 91 * DAY).await;
    let marked = "SELECT count(*) FROM checkouts WHERE unused_since IS NOT NULL";
    assert_eq!((count(&app, "checkouts"), app.query_number(marked)), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_deliveries_are_deleted_after_thirty_days_and_pending_ones_are_kept() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    merchant
        .shop
        .post("/v1/checkout", &json!({ "amount": 1, "email": "ama@example.com" }))
        .await
        .is(201);
    receiver.wait_for_webhooks(1).await;
    move_clock(&app, 31 * 60).await;
    receiver.wait_for_webhooks(2).await;
    app.wait_for_tasks().await;
    test_database::execute(
        app.folder.path(),
        "UPDATE webhook_deliveries SET due_at = 99999999999999 WHERE type = 'checkout.opened'",
    );
    move_clock(&app, 30 * DAY - 60).await;
    assert_eq!(count(&app, "webhook_deliveries"), 2);
    move_clock(&app, 120).await;
    assert_eq!(
        test_database::query_texts(app.folder.path(), "SELECT type FROM webhook_deliveries"),
        ["checkout.opened"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn sandbox_orders_are_deleted_after_thirty_days_once_their_payment_is_final() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let charge = |phone: &str| json!({ "amount": 1, "phoneNumber": phone, "network": "MTN" });
    let paid = shop.post("/v1/charge", &charge("0241234567")).await.is(202).id();
    let pending = shop.post("/v1/charge", &charge("0241230007")).await.is(202).id();
    move_clock(&app, 60).await;
    assert_eq!(shop.status(&paid).await["status"], "SUCCESSFUL");
    move_clock(&app, 30 * DAY - 120).await;
    assert_eq!(count(&app, "sandbox_orders"), 2);
    move_clock(&app, 120).await;
    assert_eq!(shop.status(&pending).await["status"], "PENDING");
    let left =
        test_database::query_texts(app.folder.path(), "SELECT reference FROM sandbox_orders");
    assert_eq!(left, [TransactionId::new(&*pending).operator_reference()]);
    fail(&app, &pending).await;
    move_clock(&app, 60).await;
    assert_eq!((count(&app, "sandbox_orders"), count(&app, "transactions")), (0, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn pruning_deletes_in_bounded_steps_until_nothing_is_left() {
    let app = idle_app().await;
    let now = app.clock.now();
    let old = now.as_millisecond() - i64::try_from(8 * DAY * 1000).unwrap();
    let insert = |prefix| {
        format!(
            "INSERT INTO attempts (scope, key, fingerprint, subject, instance, running_until, \
             retained_from)
             WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \
             250)
             SELECT 's', '{prefix}' || n, '', 'txn', 'gone', 0, {old} FROM number"
        )
    };
    let blob = |sql: String| {
        if test_database::is_sqlite() { sql.replace("'', 'txn'", "x'', 'txn'") } else { sql }
    };
    assert_eq!(test_database::execute(app.folder.path(), &blob(insert("a"))), 250);
    let store = &app.running().store;
    let mut steps = Vec::new();
    for _ in 0..4 {
        steps.push(store.prune(Horizon::at(now), 100).await.unwrap());
    }
    let attempts = |attempts| Pruned { attempts, ..Pruned::default() };
    assert_eq!(steps, [100, 100, 50, 0].map(attempts));

    test_database::execute(app.folder.path(), &blob(insert("b")));
    app.advance(60);
    for _ in 0..2 {
        app.test_clock.wait_for_sleepers(app.test_clock.now_plus_milliseconds(25), 1).await;
        app.clock.advance(std::time::Duration::from_millis(25));
    }
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(60), 1).await;
    assert_eq!(count(&app, "attempts"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_prune_concurrently_without_waiting_or_counting_twice() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    for number in 0..20 {
        send_with_key(
            &shop,
            "/v1/checkout",
            &number.to_string(),
            r#"{"amount": 1, "email": "ama@example.com"}"#,
        )
        .await
        .is(201);
    }
    move_clock(&app, 31 * 60).await;
    let store = &app.running().store;
    let horizon = Horizon::at(app.test_clock.now_plus(i64::try_from(8 * DAY).unwrap()));
    let (one, other) = tokio::join!(store.prune(horizon, 100), store.prune(horizon, 100));
    assert_eq!(one.unwrap().attempts + other.unwrap().attempts, 20);
    assert_eq!(count(&app, "attempts"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn full_rate_limit_buckets_are_deleted_after_an_hour() {
    let app = idle_app().await;
    let now = app.clock.now();
    let minutes_ago = |minutes: i64| now.as_microsecond() - minutes * 60_000_000;
    for (name, full_at) in
        [("full", minutes_ago(61)), ("filling", minutes_ago(59)), ("empty", minutes_ago(-10))]
    {
        test_database::execute(
            app.folder.path(),
            &format!("INSERT INTO buckets (name, full_at) VALUES ('{name}', {full_at})"),
        );
    }
    let pruned = app.running().store.prune(Horizon::at(now), 100).await.unwrap();
    assert_eq!(pruned, Pruned { buckets: 1, ..Pruned::default() });
    let left =
        test_database::query_texts(app.folder.path(), "SELECT name FROM buckets ORDER BY name");
    assert_eq!(left, ["empty", "filling"]);
}
