//! The sandbox clock of an account (docs/reference/test-mode.md#the-sandbox-clock).

use serde_json::{Value, json};
use std::sync::Arc;
use tua_domain::{
    Generation, Mode, Scope, Transaction, TransactionId, change::Change,
    payout_controls::ControlsChange, review::Case,
};
use tua_test_support::{
    ApiClient, Response, TestApp,
    key_scopes::key_of,
    payout_controls::pay_out,
    scripted_operator::ScriptedOperator,
    test_database,
    webhook_receiver::{ResponseMode, Subscriber, WebhookReceiver},
};

const PATH: &str = "/v1/sandbox/clock/advance";
const MINUTE: i64 = 60;
pub(super) const HOUR: i64 = 60 * MINUTE;

pub(super) async fn advance(key: &ApiClient, seconds: i64) -> Value {
    let advanced = key.post(PATH, &json!({ "seconds": seconds })).await.is(200).json();
    assert_eq!(advanced["seconds"], seconds);
    advanced["due"].clone()
}

/// Lets the workers do what is due. One second passes on the clock of the service.
pub(super) async fn work(app: &TestApp) {
    app.advance(1);
    app.wait_for_due_work().await;
}

async fn open(shop: &ApiClient) -> Value {
    let body = json!({ "amount": 10.5, "email": "ama@example.com" });
    shop.post("/v1/checkout", &body).await.is(201).json()
}

async fn status_of(shop: &ApiClient, checkout: &Value) -> Value {
    let id = checkout["checkoutId"].as_str().unwrap();
    shop.get(&format!("/v1/checkout/{id}")).await.is(200).json()["status"].clone()
}

async fn charge(shop: &ApiClient, ending: &str) -> Response {
    let phone = format!("024123{ending}");
    let body = json!({ "amount": 5, "phoneNumber": phone, "network": "MTN" });
    shop.post("/v1/charge", &body).await.is(202)
}

/// The service with a clock that stands still, and a merchant.
pub(super) async fn start() -> (TestApp, Subscriber) {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    (app, merchant)
}

#[tokio::test]
async fn sessions_and_links_end_without_waiting() {
    let (app, merchant) = start().await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let shop = &merchant.shop;
    let opened = open(shop).await;
    let payer = app.actor(opened["checkoutToken"].as_str().unwrap());
    let link_end = app.test_clock.now_plus(20 * MINUTE).to_string();
    let link = json!({ "title": "Tea", "amount": 5, "expiresAt": link_end });
    let link = shop.post("/v1/links", &link).await.is(201).json();
    work(&app).await;

    let due = advance(shop, 10 * MINUTE).await;
    assert_eq!((&due["checkouts"], &due["links"]), (&json!(0), &json!(0)));
    payer.get("/v1/checkout").await.is(200);
    let due = advance(shop, 21 * MINUTE).await;
    assert_eq!((&due["checkouts"], &due["links"]), (&json!(1), &json!(1)));
    payer.get("/v1/checkout").await.is_problem(401, "checkout_token_expired");
    work(&app).await;
    receiver.wait_for_webhooks(2).await;
    assert_eq!(receiver.types(), ["checkout.opened", "checkout.expired"]);
    assert_eq!(status_of(shop, &opened).await, "EXPIRED");
    let path = format!("/v1/links/{}", link["linkId"].as_str().unwrap());
    assert_eq!(shop.get(&path).await.json()["status"], "EXPIRED");
    let later = open(shop).await;
    assert_eq!(status_of(shop, &later).await, "OPEN", "what comes later has its whole time");
}

#[tokio::test]
async fn the_sandbox_decides_without_waiting() {
    let (app, merchant) = start().await;
    let shop = &merchant.shop;
    let slow = charge(shop, "0009").await.id();
    let undecided = charge(shop, "0007").await.id();
    work(&app).await;
    assert_eq!(shop.status(&slow).await["status"], "PENDING");
    let due = advance(shop, 31).await;
    assert_eq!(due["payments"], 2);
    work(&app).await;
    assert_eq!(shop.status(&slow).await["status"], "SUCCESSFUL");
    assert_eq!(shop.status(&undecided).await["status"], "PENDING");
    assert_eq!(advance(shop, HOUR).await["payments"], 1);
}

#[tokio::test]
async fn a_code_that_was_accepted_is_followed_by_its_outcome() {
    let (app, merchant) = start().await;
    let shop = &merchant.shop;
    let id = charge(shop, "0011").await.id();
    advance(shop, HOUR).await;
    work(&app).await;
    assert_eq!(shop.status(&id).await["nextAction"], "ENTER_OTP", "the payer is still asked");
    shop.post("/v1/submit-otp", &json!({ "transactionId": id, "otp": "123456" })).await.is(200);
    advance(shop, HOUR).await;
    app.advance(1);
    // The callback would come a second later, so that not only the workers sleep until then.
    let decided = shop.until(&id, |status| status["status"] != "PENDING").await;
    assert_eq!(decided["status"], "SUCCESSFUL");
}

#[tokio::test]
async fn a_payout_that_nobody_approves_ends_without_waiting() {
    let (app, merchant) = start().await;
    let shop = &merchant.shop;
    let change = ControlsChange {
        approval_above: Change::Set("1".parse().unwrap()),
        ..ControlsChange::default()
    };
    let store = &app.running().store;
    store.set_payout_controls(&merchant.scope, change, &app.audit()).await.unwrap();
    let id = pay_out(shop, 5.0).await.is(202).id();
    work(&app).await;
    assert_eq!(advance(shop, 71 * HOUR).await["approvals"], 0);
    work(&app).await;
    assert_eq!(shop.status(&id).await["nextAction"], "APPROVE_IN_DASHBOARD");
    assert_eq!(advance(shop, HOUR).await["approvals"], 1);
    work(&app).await;
    assert_eq!(shop.status(&id).await["failure"]["code"], "approval_refused");
}

#[tokio::test]
async fn a_webhook_that_failed_is_sent_again_once_for_each_advance() {
    let (app, merchant) = start().await;
    let receiver = WebhookReceiver::start().await;
    receiver.respond_with(ResponseMode::Status(500));
    merchant.add_endpoint(&app, &receiver.url).await;
    let shop = &merchant.shop;
    open(shop).await;
    let first = receiver.wait_for_webhooks(1).await.remove(0);
    app.wait_for_tasks().await;
    let id = first.header("webhook-id");
    let attempts =
        || receiver.received().iter().filter(|one| one.header("webhook-id") == id).count();
    for (advanced, expected) in [(MINUTE, 2), (6 * MINUTE, 3), (34 * MINUTE, 4)] {
        assert_eq!(advance(shop, advanced).await["deliveries"], 1, "attempt {expected}");
        work(&app).await;
        assert_eq!(attempts(), expected);
        app.wait_for_tasks().await;
    }
    advance(shop, MINUTE).await;
    work(&app).await;
    assert_eq!(attempts(), 4, "the next attempt is hours away");
}

#[tokio::test]
async fn a_payment_is_announced_as_delayed_once_by_the_age_on_the_sandbox_clock() {
    let (app, merchant) = start().await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let shop = &merchant.shop;
    charge(shop, "0007").await;
    work(&app).await;
    let delayed = || receiver.types().iter().filter(|one| *one == "charge.delayed").count();
    assert_eq!(advance(shop, 5 * MINUTE).await["delayed"], 0);
    work(&app).await;
    assert_eq!(advance(shop, 4 * MINUTE).await["delayed"], 0);
    work(&app).await;
    assert_eq!(delayed(), 0, "nine minutes and some seconds");
    app.advance(60);
    app.wait_for_due_work().await;
    assert_eq!(delayed(), 1, "time that passes counts too");
    assert_eq!(advance(shop, HOUR).await["delayed"], 0);
    work(&app).await;
    assert_eq!(delayed(), 1);
    charge(shop, "0007").await;
    assert_eq!(advance(shop, HOUR).await["delayed"], 1);
}

#[tokio::test]
async fn a_payment_that_nothing_decides_waits_for_a_review_after_a_day() {
    let (app, merchant) = start().await;
    let shop = &merchant.shop;
    let id = charge(shop, "0007").await.id();
    let flagged = async || app.running().store.flagged(None).await.unwrap();
    for hours in [12, 11] {
        advance(shop, hours * HOUR).await;
        work(&app).await;
        assert!(flagged().await.is_empty());
    }
    advance(shop, HOUR).await;
    work(&app).await;
    let [case] = &flagged().await[..] else { panic!("one case") };
    assert_eq!((case.transaction.order.id.as_str(), case.case), (&*id, Case::Undecided));
    let events = app.running().store.events(&case.transaction.order.id).await.unwrap();
    assert_eq!(Transaction::replay(events).as_ref(), Some(&case.transaction));
}

/// A lease in force is not moved: the delivery would be sent twice at once.
#[tokio::test]
async fn a_delivery_that_is_under_way_keeps_its_lease() {
    let (app, merchant) = start().await;
    let receiver = WebhookReceiver::start().await;
    receiver.respond_with(ResponseMode::Never);
    merchant.add_endpoint(&app, &receiver.url).await;
    open(&merchant.shop).await;
    receiver.wait_for_webhooks(1).await;
    assert_eq!(advance(&merchant.shop, HOUR).await["deliveries"], 0);
    let moved = format!(
        "SELECT count(*) FROM webhook_deliveries WHERE due_at <= {}",
        app.test_clock.now_plus(1).as_millisecond()
    );
    assert_eq!(app.query_number(&moved), 0);
}

#[tokio::test]
async fn live_mode_and_other_accounts_stay_as_they_are() {
    let operator = Arc::new(ScriptedOperator::new());
    let app = TestApp::with_stopped_clock(operator.behind_live()).await;
    let account = app.account("Adom Stores").await;
    let test = app.key(&account, Mode::Test, Generation::V2).await;
    let live = app.key(&account, Mode::Live, Generation::V2).await;
    let other = app.shop().await;
    let mine = open(&test).await;
    let real = open(&live).await;
    let others = open(&other).await;
    charge(&live, "4567").await;
    charge(&other, "0007").await;
    let times = || {
        app.query_number(&format!(
            "SELECT CAST(sum(ask_at) - sum(clock_advanced_ms) AS BIGINT) FROM transactions \
             WHERE mode = 'live' OR account_id <> '{account}'"
        ))
    };
    let before = times();
    let refused = live.post(PATH, &json!({ "seconds": HOUR })).await;
    refused.is_problem(403, "credential_not_allowed");
    assert_eq!(status_of(&test, &mine).await, "OPEN", "a refused request changes nothing");
    assert_eq!(advance(&test, 24 * HOUR).await["checkouts"], 1);
    assert_eq!(status_of(&test, &mine).await, "EXPIRED");
    assert_eq!(status_of(&live, &real).await, "OPEN");
    assert_eq!(status_of(&other, &others).await, "OPEN");
    assert_eq!(times(), before);
}

/// The operator's own clock stays as it is, and so do the times at which it is asked.
#[tokio::test]
async fn a_test_payment_at_an_operator_of_the_settings_keeps_its_schedule() {
    let (app, merchant) = start().await;
    let id = charge(&merchant.shop, "0007").await.id();
    let set = "UPDATE transactions SET operator = 'mtn', operator_fingerprint = 'mtn-1'";
    test_database::execute(app.folder.path(), set);
    let asked_at =
        || app.query_number(&format!("SELECT ask_at FROM transactions WHERE id = '{id}'"));
    let before = asked_at();
    let ordered_at = || app.query_number("SELECT received_at FROM sandbox_orders");
    let ordered_before = ordered_at();
    assert_eq!(advance(&merchant.shop, HOUR).await["payments"], 0);
    assert_eq!((asked_at(), ordered_at()), (before, ordered_before));
}

#[tokio::test]
async fn requests_are_checked_and_logged() {
    let (app, merchant) = start().await;
    let shop = &merchant.shop;
    for (body, code) in [
        (json!({}), "field_required"),
        (json!({ "seconds": 0 }), "invalid_parameter"),
        (json!({ "seconds": 31_622_401 }), "invalid_parameter"),
        (json!({ "seconds": "31m" }), "invalid_type"),
        (json!({ "seconds": 60, "mode": "live" }), "unknown_field"),
    ] {
        shop.post(PATH, &body).await.is_problem(422, code);
    }
    let account = &merchant.scope.account;
    let v1 = app.key(account, Mode::Test, Generation::V1).await;
    v1.post(PATH, &json!({ "seconds": 60 })).await.is_problem(403, "credential_not_allowed");
    let reader = key_of(&app, account, "read,webhooks").await;
    reader.post(PATH, &json!({ "seconds": 60 })).await.is_problem(403, "scope_missing");
    app.payer(shop).await.post(PATH, &json!({ "seconds": 60 })).await.is(403);
    let advances = || {
        app.query_number(
        "SELECT count(*) FROM audit_log WHERE action = 'sandbox_clock.advanced' AND source = 'api'",
    )
    };
    assert_eq!(advances(), 0);
    advance(shop, 60).await;
    assert_eq!(advances(), 1);
    let Scope { account, .. } = &merchant.scope;
    let logged = format!(
        "SELECT count(*) FROM audit_log
         WHERE subject = '{account}' AND after LIKE '%\"seconds\":60%'"
    );
    assert_eq!(app.query_number(&logged), 1);
}

/// They lock the same rows, and every row is still the replay of its events.
#[tokio::test(flavor = "multi_thread")]
async fn payments_go_on_while_the_clock_is_advanced() {
    let app = TestApp::with(|config| config.sandbox_speed = 50.0, |operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let shop = &merchant.shop;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    let pay = async || {
        let mut ids = Vec::new();
        for _ in 0..10 {
            open(shop).await;
            ids.push(charge(shop, "4567").await.id());
        }
        ids
    };
    let advances = async || {
        for _ in 0..30 {
            advance(shop, 2 * HOUR).await;
        }
    };
    let (mut paid, more, ()) = tokio::join!(pay(), pay(), advances());
    paid.extend(more);
    for id in paid {
        shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
        let id = TransactionId::new(id);
        let row = app.running().store.transaction(&id).await.unwrap();
        assert_eq!(Transaction::replay(app.running().store.events(&id).await.unwrap()), row);
    }
}
