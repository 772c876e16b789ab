//! An event whose transaction commits late is not skipped by clients that follow events.

use serde_json::Value;
use std::time::Duration;
use tokio_postgres::NoTls;
use tua_domain::{
    DeliveryId, Scope,
    webhook::record::{EventFilter, EventRange, record_id},
};
use tua_test_support::{TestApp, eventually, test_database, webhook_receiver::Subscriber};

fn insert(scope: &Scope, id: &DeliveryId, event: &str) -> String {
    format!(
        "INSERT INTO webhook_deliveries
             (id, endpoint_id, webhook_id, type, subject, occurred_at, status)
         VALUES ('{id}', '{}', '{event}', 'ping', 'whe_1', 0, 'PENDING')",
        record_id(scope)
    )
}

const NONE: [Value; 0] = [];

/// The ids of the events that a client gets which follows them from the beginning.
async fn followed(merchant: &Subscriber) -> Vec<Value> {
    let page = merchant.shop.get("/v1/events?after=&wait=0").await.is(200).json();
    page["data"].as_array().unwrap().iter().map(|event| event["eventId"].clone()).collect()
}

#[tokio::test]
async fn an_event_is_held_back_until_earlier_transactions_have_ended() {
    if test_database::skip_on_sqlite("it has one writer") {
        return;
    }
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    merchant.shop.get("/v1/events").await.is(200);
    let url = test_database::url_with(app.folder.path(), |url| url);
    let connect = async || {
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    };
    let scope = &merchant.scope;
    let store = &app.running().store;
    // The first event is minted before the second one, and commits after it.
    let late = connect().await;
    late.batch_execute("BEGIN").await.unwrap();
    let first = DeliveryId::lower_bound(Duration::from_secs(60));
    late.batch_execute(&insert(scope, &first, "msg_first")).await.unwrap();
    let second = DeliveryId::lower_bound(Duration::from_secs(30));
    connect().await.batch_execute(&insert(scope, &second, "msg_second")).await.unwrap();

    let barrier = store.event_barrier().await.unwrap();
    assert!(barrier.position > second);
    assert!(!store.is_complete(&barrier).await.unwrap(), "the first event is not committed");
    assert_eq!(followed(&merchant).await, NONE, "the second event is held back");
    late.batch_execute("COMMIT").await.unwrap();
    eventually("the record is complete", async || store.is_complete(&barrier).await.unwrap()).await;
    let range = EventRange::OldestFirst { after: None, before: Some(barrier.position) };
    let found = store.recorded_events(scope, EventFilter::default(), range, 10).await.unwrap();
    let found: Vec<DeliveryId> = found.into_iter().map(|event| event.id).collect();
    assert_eq!(found, [first, second]);
    // Transactions of other tests may run at the time of a request.
    eventually("both events can be read", async || {
        let events = followed(&merchant).await;
        assert!(events.is_empty() || events == ["msg_first", "msg_second"], "{events:?}");
        !events.is_empty()
    })
    .await;
}
