//! The list of events (docs/reference/endpoints.md#list-events), and following it.

use serde_json::{Value, json};
use std::time::Duration;
use tua_domain::{
    Generation, Mode,
    webhook::record::{EventFilter, EventRange},
};
use tua_test_support::{
    TestApp, eventually,
    key_scopes::key_of,
    open_transaction::OpenTransaction,
    test_database,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

fn types(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|one| one["type"].as_str().unwrap()).collect()
}

fn ids(page: &Value) -> Vec<String> {
    let id = |one: &Value| one["eventId"].as_str().unwrap().to_owned();
    page["data"].as_array().unwrap().iter().map(id).collect()
}

async fn payout(merchant: &Subscriber) -> String {
    let payout = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    merchant.shop.post("/v1/payout", &payout).await.is(202).id()
}

#[tokio::test]
async fn an_event_is_listed_exactly_as_its_webhook_has_it() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    assert_eq!(merchant.shop.get("/v1/events").await.is(200).json()["data"], json!([]));
    let transaction = payout(&merchant).await;
    let opened = json!({ "amount": 5, "email": "ama@example.com" });
    merchant.shop.post("/v1/checkout", &opened).await.is(201);
    let received = receiver.wait_for_webhooks(2).await;

    let page = merchant.shop.get("/v1/events").await.is(200).json();
    assert_eq!(types(&page), ["checkout.opened", "payout.pending"], "newest first");
    for mut event in page["data"].as_array().unwrap().clone() {
        let id = event["eventId"].as_str().unwrap().to_owned();
        assert_eq!(merchant.shop.get(&format!("/v1/events/{id}")).await.is(200).json(), event);
        event.as_object_mut().unwrap().remove("eventId");
        let webhook = received.iter().find(|one| one.header("webhook-id") == id).unwrap();
        assert_eq!(webhook.json(), event);
    }
    for (query, expected) in [
        ("type=payout.pending,ping".to_owned(), vec!["payout.pending"]),
        (format!("transactionId={transaction}"), vec!["payout.pending"]),
        ("to=2026-01-01T00:00:00Z".to_owned(), vec![]),
        ("from=2026-01-01T00:00:00Z&limit=1".to_owned(), vec!["checkout.opened"]),
    ] {
        let page = merchant.shop.get(&format!("/v1/events?{query}")).await.is(200).json();
        assert_eq!(types(&page), expected, "{query}");
    }
    let first = merchant.shop.get("/v1/events?limit=1").await.json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = merchant.shop.get(&format!("/v1/events?limit=1&cursor={cursor}")).await.json();
    assert_eq!((types(&second), &second["nextCursor"]), (vec!["payout.pending"], &Value::Null));
}

#[tokio::test]
async fn a_client_follows_events_without_an_endpoint() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let nothing = merchant.shop.get("/v1/events?after=").await.is(200).json();
    assert_eq!(nothing["data"], json!([]));
    let mut seen = Vec::new();
    let mut after = String::new();
    for _ in 0..3 {
        payout(&merchant).await;
        // What was written just now may be held back.
        let path = format!("/v1/events?after={after}&wait=30");
        let page = merchant.shop.get(&path).await.is(200).json();
        seen.extend(ids(&page));
        after = seen.last().unwrap().clone();
    }
    let newest_first = ids(&merchant.shop.get("/v1/events").await.json());
    seen.reverse();
    assert_eq!(seen, newest_first);
    let types = "type=charge.failed";
    let none = merchant.shop.get(&format!("/v1/events?after=&{types}")).await.is(200).json();
    assert_eq!(none["data"], json!([]));
}

/// Waits until no event can be recorded before the newest one any more. On PostgreSQL this takes
/// two seconds, by which the clocks of nodes may differ.
async fn wait_until_newest_is_complete(app: &TestApp, merchant: &Subscriber) {
    let store = &app.running().store;
    let newest = EventRange::NewestFirst(None);
    let filter = EventFilter::default();
    let newest = store.recorded_events(&merchant.scope, filter, newest, 1).await.unwrap();
    eventually("the record is complete", async || {
        let barrier = store.event_barrier().await.unwrap();
        barrier.position > newest[0].id && store.is_complete(&barrier).await.unwrap()
    })
    .await;
}

#[tokio::test]
async fn a_waiting_client_gets_the_next_event() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    merchant.shop.get("/v1/events?after=").await.is(200);
    let shop = merchant.shop.clone();
    let waiting = tokio::spawn(async move { shop.get("/v1/events?after=&wait=30").await });
    // The interval at which the request reads the record.
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus_milliseconds(500), 1).await;
    payout(&merchant).await;
    assert!(!waiting.is_finished());
    // On PostgreSQL, transactions of other tests delay the response. The clock moves only when none
    // of them does: the request has 30 seconds of it.
    while !waiting.is_finished() {
        wait_until_newest_is_complete(&app, &merchant).await;
        app.advance(1);
        app.wait_for_due_work().await;
    }
    assert_eq!(types(&waiting.await.unwrap().is(200).json()), ["payout.pending"]);
}

#[tokio::test]
async fn the_end_of_the_years_is_no_end_of_a_list() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    merchant.shop.get("/v1/events").await.is(200);
    let id = payout(&merchant).await;
    let end = "9999-12-31T23:59:59Z";
    let listed = merchant.shop.get(&format!("/v1/events?to={end}")).await.is(200).json();
    assert_eq!(types(&listed), ["payout.pending"]);
    let path = format!("/v1/transactions?createdBefore={end}");
    assert_eq!(merchant.shop.get(&path).await.is(200).json()["data"][0]["transactionId"], id);
}

#[tokio::test]
async fn a_client_waits_as_long_as_it_asks_for() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    merchant.shop.get("/v1/events?after=").await.is(200);
    let shop = merchant.shop.clone();
    let waiting = tokio::spawn(async move { shop.get("/v1/events?after=&wait=1").await });
    let ends_at = app.test_clock.now_plus(1);
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus_milliseconds(500), 1).await;
    // Less is left than the interval at which the request reads the record.
    app.clock.advance(Duration::from_millis(600));
    app.test_clock.wait_for_sleepers(ends_at, 1).await;
    assert!(!waiting.is_finished());
    app.clock.advance(Duration::from_millis(400));
    assert_eq!(waiting.await.unwrap().is(200).json()["data"], json!([]));
}

#[tokio::test]
async fn events_are_recorded_from_the_first_request_on() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    payout(&merchant).await;
    assert_eq!(app.query_number("SELECT count(*) FROM webhook_deliveries"), 0);
    merchant.shop.get("/v1/events").await.is(200);
    merchant.shop.get("/v1/events").await.is(200);
    assert_eq!(app.query_number("SELECT count(*) FROM webhook_deliveries"), 1);
    let begun = "SELECT count(*) FROM audit_log WHERE action = 'webhook.added'";
    assert_eq!(app.query_number(begun), 1);
    payout(&merchant).await;
    assert_eq!(app.query_number("SELECT count(*) FROM webhook_deliveries"), 2);
}

#[tokio::test]
async fn the_record_is_no_endpoint() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    merchant.shop.get("/v1/events").await.is(200);
    payout(&merchant).await;
    eventually("the event is recorded", async || {
        !ids(&merchant.shop.get("/v1/events").await.json()).is_empty()
    })
    .await;
    let store = &app.running().store;
    assert_eq!(store.endpoints(None).await.unwrap(), []);
    let all = tua_domain::ports::DeliveryFilter { limit: 10, ..Default::default() };
    assert_eq!(store.deliveries(all).await.unwrap(), []);
}

#[tokio::test]
async fn events_need_a_key_that_may_read_and_show_its_own_account_only() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    merchant.shop.get("/v1/events").await.is(200);
    payout(&merchant).await;
    let id = ids(&merchant.shop.get("/v1/events").await.json()).remove(0);

    let other = app.account("Other Stores").await;
    let other = app.key(&other, Mode::Test, Generation::V2).await;
    assert_eq!(other.get("/v1/events").await.is(200).json()["data"], json!([]));
    other.get(&format!("/v1/events/{id}")).await.is_problem(404, "not_found");
    let after = format!("/v1/events?after={id}");
    let unknown = other.get(&after).await.is_problem(422, "invalid_parameter").json();
    assert_eq!(unknown["errors"][0]["pointer"], "/after");
    let old = app.key(&merchant.scope.account, Mode::Test, Generation::V1).await;
    old.get("/v1/events").await.is_problem(403, "credential_not_allowed");
    let scopes = "collect,payout,refund,webhooks";
    let others = key_of(&app, &merchant.scope.account, scopes).await;
    others.get("/v1/events").await.is_problem(403, "scope_missing");
    for (query, parameter) in [
        ("wait=5", "wait"),
        ("after=&wait=31", "wait"),
        ("after=msg_%00", "after"),
        ("type=unknown", "type"),
        ("cursor=x", "cursor"),
        ("from=yesterday", "from"),
    ] {
        let refused = merchant.shop.get(&format!("/v1/events?{query}")).await.is(422).json();
        assert_eq!(refused["errors"][0]["pointer"], format!("/{parameter}"), "{refused:?}");
    }
}

#[tokio::test]
async fn transactions_that_begin_again_and_again_do_not_delay_a_client_without_end() {
    if test_database::skip_on_sqlite("it has one writer") {
        return;
    }
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let follow = async || {
        let page = merchant.shop.get("/v1/events?after=").await.is(200).json();
        !ids(&page).is_empty()
    };
    assert!(!follow().await);
    payout(&merchant).await;
    wait_until_newest_is_complete(&app, &merchant).await;
    // Each has a transaction ID, as one that writes. The second begins before the first ends.
    let first = OpenTransaction::begin(&app, "SELECT pg_current_xact_id()").await;
    assert!(!follow().await, "the first transaction delays it");
    let second = OpenTransaction::begin(&app, "SELECT pg_current_xact_id()").await;
    drop(first);
    eventually("the event is complete although a later transaction is open", follow).await;
    drop(second);
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_listed_without_its_data() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    merchant.shop.get("/v1/events").await.is(200);
    let damaged = payout(&merchant).await;
    let sound = payout(&merchant).await;
    let damage =
        format!("UPDATE transaction_events SET event = '?' WHERE transaction_id = '{damaged}'");
    test_database::execute(app.folder.path(), &damage);
    let newest_first = merchant.shop.get("/v1/events").await.is(200).json();
    wait_until_newest_is_complete(&app, &merchant).await;
    let followed = merchant.shop.get("/v1/events?after=&wait=20").await.is(200).json();
    let id = newest_first["data"][1]["eventId"].as_str().unwrap();
    let one = merchant.shop.get(&format!("/v1/events/{id}")).await.is(200).json();
    for (event, transaction) in [
        (&newest_first["data"][0], Some(&sound)),
        (&newest_first["data"][1], None),
        (&followed["data"][0], None),
        (&followed["data"][1], Some(&sound)),
        (&one, None),
    ] {
        assert_eq!(event["type"], "payout.pending");
        assert_eq!(event["data"]["transactionId"].as_str(), transaction.map(String::as_str));
        assert_eq!(event["data"].is_null(), transaction.is_none());
    }
}
