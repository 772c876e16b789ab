//! Records of events that lack some of the events from before they began
//! (docs/reference/endpoints.md#list-events).

use super::past_events::{recorded, types};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tua_test_support::{
    Response, TestApp, eventually, open_transaction::OpenTransaction, test_database,
    webhook_receiver::Subscriber,
};

/// A payout that is PENDING, and a database transaction that makes it SUCCESSFUL, not committed.
async fn payout_in_an_open_transaction(app: &TestApp, merchant: &Subscriber) -> OpenTransaction {
    let body = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    let payout = merchant.shop.post("/v1/payout", &body).await.is(202).id();
    let insert = format!(
        r#"INSERT INTO transaction_events (transaction_id, version, at, event)
           SELECT transaction_id, max(version) + 1, max(at) + 10,
                  '{{"kind":"moved","status":"SUCCESSFUL"}}'
           FROM transaction_events WHERE transaction_id = '{payout}' GROUP BY transaction_id"#
    );
    OpenTransaction::begin(app, &insert).await
}

/// The first request for the events, when it has begun their record.
async fn first_list(app: &TestApp, merchant: &Subscriber) -> JoinHandle<Response> {
    let shop = merchant.shop.clone();
    let first = tokio::spawn(async move { shop.get("/v1/events").await });
    eventually("the record has begun", async || {
        app.query_number("SELECT count(*) FROM webhook_endpoints") == 1
    })
    .await;
    first
}

fn types_of_page(page: Response) -> Vec<Value> {
    types(page.is(200).json()["data"].as_array().unwrap())
}

#[tokio::test]
async fn an_event_that_commits_while_the_record_begins_is_recorded() {
    if test_database::skip_on_sqlite("it has one writer") {
        return;
    }
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let late = payout_in_an_open_transaction(&app, &merchant).await;
    let first = first_list(&app, &merchant).await;
    let shop = merchant.shop.clone();
    let second = tokio::spawn(async move { shop.get("/v1/events").await });
    late.commit_when_waited_for(&app, 0).await;
    for page in [first.await.unwrap(), second.await.unwrap()] {
        assert_eq!(types_of_page(page), ["payout.successful", "payout.pending"]);
    }
    assert_eq!(app.query_number("SELECT count(*) FROM webhook_deliveries"), 2);
}

#[tokio::test]
async fn an_event_that_commits_after_the_first_client_has_gone_is_recorded() {
    if test_database::skip_on_sqlite("it has one writer") {
        return;
    }
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let late = payout_in_an_open_transaction(&app, &merchant).await;
    first_list(&app, &merchant).await.abort();
    late.commit_when_waited_for(&app, 0).await;
    let page = merchant.shop.get("/v1/events").await;
    assert_eq!(types_of_page(page), ["payout.successful", "payout.pending"]);
}

#[tokio::test]
async fn an_event_of_a_transaction_that_outlives_the_first_requests_is_recorded() {
    if test_database::skip_on_sqlite("it has one writer") {
        return;
    }
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let late = payout_in_an_open_transaction(&app, &merchant).await;
    let first = first_list(&app, &merchant).await;
    assert_eq!(types_of_page(first.await.unwrap()), ["payout.pending"]);
    let followed = merchant.shop.get("/v1/events?after=").await;
    assert_eq!(types_of_page(followed), [""; 0], "an earlier event may come");
    late.commit_when_waited_for(&app, 0).await;
    let types: Vec<Value> = types(&recorded(&merchant.shop).await);
    assert_eq!(types, ["payout.pending", "payout.successful"]);
}

#[tokio::test]
async fn a_record_that_a_crash_left_incomplete_is_completed_by_the_next_request() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let body = json!({ "amount": 5, "phoneNumber": "0241230007", "network": "MTN" });
    merchant.shop.post("/v1/payout", &body).await.is(202);
    merchant.shop.get("/v1/events").await.is(200);
    for crash in [
        "DELETE FROM webhook_deliveries",
        "UPDATE webhook_endpoints SET incomplete_since = created_at",
    ] {
        test_database::execute(app.folder.path(), crash);
    }
    let page = merchant.shop.get("/v1/events").await.is(200).json();
    assert_eq!(types(page["data"].as_array().unwrap()), ["payout.pending"]);
    // On PostgreSQL, transactions of other tests may run longer than a request waits.
    eventually("the record is complete", async || {
        merchant.shop.get("/v1/events").await.is(200);
        let complete = "SELECT count(*) FROM webhook_endpoints WHERE incomplete_since IS NULL";
        app.query_number(complete) == 1
    })
    .await;
    assert_eq!(merchant.shop.get("/v1/events").await.is(200).json(), page);
}
