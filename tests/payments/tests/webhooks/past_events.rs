//! The events from before the first `GET /v1/events` of an account and mode
//! (docs/reference/endpoints.md#list-events).

use serde_json::{Value, json};
use tua_domain::{Generation, Mode};
use tua_test_support::{
    ApiClient, Response, TestApp, eventually, refunds, test_database,
    webhook_receiver::{ReceivedWebhook, Subscriber, WebhookReceiver},
};

/// How many events [`make_history`] makes.
const EVENTS: usize = 23;

/// A charge that succeeded, with a refund; one that failed; a payout; a session that is paid, one
/// with a failed charge that expired, and one that was closed.
async fn make_history(app: &TestApp, shop: &ApiClient, receiver: &WebhookReceiver) {
    let [paying, refusing] = ["0241234567", "0241230001"]
        .map(|phone| json!({ "amount": 5, "phoneNumber": phone, "network": "MTN" }));
    let charge = decided(app, shop, shop.post("/v1/charge", &paying).await).await;
    decided(app, shop, shop.post("/v1/charge", &refusing).await).await;
    decided(app, shop, shop.post("/v1/payout", &paying).await).await;
    let body = json!({ "transactionId": charge, "amount": 1 });
    let refund = refunds::refund_id(&refunds::refund(shop, body).await.is(202));
    app.advance(3);
    eventually("the refund has ended", async || {
        refunds::read(shop, &refund).await["status"] == "SUCCESSFUL"
    })
    .await;
    for phone in ["0241234567", "0241230001"] {
        let payer = app.payer(shop).await;
        decided(app, shop, payer.charge(phone, "MTN").await).await;
    }
    let session = json!({ "amount": 5, "email": "ama@example.com" });
    let closed = shop.post("/v1/checkout", &session).await.is(201).json();
    let closed = closed["checkoutId"].as_str().unwrap();
    shop.post(&format!("/v1/checkout/{closed}/close"), &json!({})).await.is(200);
    // A delivery that is in progress when the clock moves would time out and be repeated.
    receiver.wait_for_webhooks(EVENTS - 1).await;
    app.wait_for_tasks().await;
    app.advance(1800);
}

/// The identifier of a payment, when the sandbox has decided it.
async fn decided(app: &TestApp, shop: &ApiClient, begun: Response) -> String {
    let id = begun.is(202).id();
    app.advance(3);
    shop.until(&id, |status| status["status"] != "PENDING").await;
    id
}

/// What an endpoint received, in the order of the events.
async fn received(receiver: &WebhookReceiver) -> Vec<ReceivedWebhook> {
    let mut received = receiver.wait_for_webhooks(EVENTS).await;
    let order = |hook: &ReceivedWebhook| {
        let at = hook.json()["timestamp"].as_str().unwrap().to_owned();
        (at, hook.header("webhook-id").to_owned())
    };
    received.sort_by_key(order);
    received
}

/// All events of the record, oldest first, each read in two ways and by its id.
pub(super) async fn recorded(shop: &ApiClient) -> Vec<Value> {
    let mut listed = shop.get("/v1/events?limit=100").await.is(200).json()["data"].take();
    let listed = listed.as_array_mut().unwrap();
    listed.reverse();
    let mut followed: Vec<Value> = Vec::new();
    while followed.len() < listed.len() {
        let after = followed.last().map_or("", |event| event["eventId"].as_str().unwrap());
        let path = format!("/v1/events?after={after}&limit=4&wait=30");
        let page = shop.get(&path).await.is(200).json();
        assert_ne!(page["data"], json!([]), "after {after}");
        followed.extend(page["data"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(followed, *listed);
    for event in &followed {
        let id = event["eventId"].as_str().unwrap();
        assert_eq!(shop.get(&format!("/v1/events/{id}")).await.is(200).json(), *event);
    }
    followed
}

pub(super) fn types(events: &[Value]) -> Vec<Value> {
    events.iter().map(|event| event["type"].clone()).collect()
}

fn without(event: &Value, members: &[&str]) -> Value {
    let mut event = event.clone();
    members.iter().for_each(|member| drop(event.as_object_mut().unwrap().remove(*member)));
    event
}

#[tokio::test]
async fn the_first_list_has_what_an_endpoint_received_before_with_its_ids() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    make_history(&app, &merchant.shop, &receiver).await;
    let received = received(&receiver).await;
    let recorded = recorded(&merchant.shop).await;
    let bodies: Vec<Value> = received.iter().map(ReceivedWebhook::json).collect();
    assert_eq!(types(&recorded), types(&bodies));
    for (event, webhook) in recorded.iter().zip(&received) {
        assert_eq!(event["eventId"], webhook.header("webhook-id"));
        assert_eq!(without(event, &["eventId"]), webhook.json());
    }
    for kind in ["refund.successful", "payout.successful", "checkout.paid", "checkout.expired"] {
        assert!(types(&recorded).contains(&json!(kind)), "{kind}");
    }

    let live = app.key(&merchant.scope.account, Mode::Live, Generation::V2).await;
    assert_eq!(live.get("/v1/events").await.is(200).json()["data"], json!([]));
    let other = Subscriber::new(&app).await;
    assert_eq!(other.shop.get("/v1/events").await.is(200).json()["data"], json!([]));
}

#[tokio::test]
async fn the_first_list_has_the_same_events_where_none_was_sent() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    merchant.add_endpoint(&app, &receiver.url).await;
    make_history(&app, &merchant.shop, &receiver).await;
    let received = received(&receiver).await;
    app.wait_for_tasks().await;
    // As if there had been no endpoint.
    test_database::execute(app.folder.path(), "DELETE FROM webhook_deliveries");
    let recorded = recorded(&merchant.shop).await;
    assert_eq!(recorded.len(), received.len());
    // The time at which an expiry was decided is not stored.
    let members = ["eventId", "timestamp"];
    let mut bodies: Vec<Value> = received.iter().map(ReceivedWebhook::json).collect();
    for event in &recorded {
        let same = bodies.iter().position(|body| {
            without(body, &members) == without(event, &members)
                && (body["timestamp"] == event["timestamp"] || body["type"] == "checkout.expired")
        });
        bodies.remove(same.unwrap_or_else(|| panic!("{event} is not one of {bodies:?}")));
    }
    let charge = &recorded[0]["data"]["transactionId"];
    let path = format!("/v1/events?transactionId={}", charge.as_str().unwrap());
    let of_charge = merchant.shop.get(&path).await.is(200).json();
    let expected = json!(["charge.successful", "charge.action_required", "charge.pending"]);
    assert_eq!(json!(types(of_charge["data"].as_array().unwrap())), expected);
    let times: Vec<&str> =
        recorded.iter().map(|event| event["timestamp"].as_str().unwrap()).collect();
    assert!(times.is_sorted());
}

#[tokio::test]
async fn an_event_after_the_first_list_is_recorded_once_and_comes_last() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let body = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    let before = merchant.shop.post("/v1/payout", &body).await.is(202).id();
    assert_eq!(app.query_number("SELECT count(*) FROM webhook_deliveries"), 0);
    let (one, other) =
        tokio::join!(merchant.shop.get("/v1/events"), merchant.shop.get("/v1/events"));
    assert_eq!(one.is(200).json(), other.is(200).json());
    let after = merchant.shop.post("/v1/payout", &body).await.is(202).id();
    eventually("both are recorded", async || {
        let page = merchant.shop.get("/v1/events").await.is(200).json();
        page["data"].as_array().unwrap().len() == 2
    })
    .await;
    let ids: Vec<Value> = recorded(&merchant.shop)
        .await
        .iter()
        .map(|event| event["data"]["transactionId"].clone())
        .collect();
    assert_eq!(ids, [before, after]);
}

#[tokio::test]
async fn a_payment_whose_events_cannot_be_read_does_not_hide_the_others() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let body = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    let damaged = merchant.shop.post("/v1/payout", &body).await.is(202).id();
    let sound = merchant.shop.post("/v1/payout", &body).await.is(202).id();
    let damage =
        format!("UPDATE transaction_events SET event = '?' WHERE transaction_id = '{damaged}'");
    test_database::execute(app.folder.path(), &damage);
    let page = merchant.shop.get("/v1/events").await.is(200).json();
    let ids: Vec<&Value> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| &event["data"]["transactionId"])
        .collect();
    assert_eq!(ids, [&json!(sound)]);
}
