//! The present time on a sandbox clock, as the API shows it
//! (docs/reference/test-mode.md#the-present-time).

use jiff::{SignedDuration, Timestamp, fmt::rfc2822};
use serde_json::{Value, json};
use tua_domain::{Generation, Mode};
use tua_test_support::{ApiClient, Response, TestApp, binary, webhook_receiver::Subscriber};

const MINUTES: i64 = 31;

async fn advance(key: &ApiClient) -> Response {
    let by = json!({ "seconds": MINUTES * 60 });
    key.post("/v1/sandbox/clock/advance", &by).await.is(200)
}

async fn open(shop: &ApiClient) -> Value {
    let body = json!({ "amount": 10.5, "email": "ama@example.com" });
    shop.post("/v1/checkout", &body).await.is(201).json()
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{error}: {text:?}"))
}

fn expires_at(session: &Value) -> Timestamp {
    time(session["expiresAt"].as_str().unwrap())
}

/// The time that a response shows, which is in `Date` too.
#[track_caller]
fn shown(response: &Response) -> Timestamp {
    let shown = time(response.header("tua-test-clock"));
    let date = rfc2822::parse(response.header("date")).unwrap().timestamp();
    assert_eq!(date, shown, "{response:?}");
    shown
}

fn is_ahead(response: &Response) -> bool {
    !response.header("tua-test-clock").is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_have_the_time_of_the_sandbox_clock_and_sessions_end_by_it() {
    let mut app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let shop = &merchant.shop;
    let early = open(shop).await;
    let before = shop.get("/v1/checkouts").await.is(200);
    assert!(!is_ahead(&before), "{before:?}");
    assert!(before.header("access-control-expose-headers").contains("tua-test-clock"));

    let advanced = advance(shop).await;
    let ahead = app.test_clock.now_plus(MINUTES * 60);
    let now = Timestamp::from_second(ahead.as_second()).unwrap();
    assert_eq!(shown(&advanced), now);
    let listed = shop.get("/v1/checkouts").await.is(200);
    assert_eq!(shown(&listed), now);
    // The end of a session that has ended is not after the present time.
    assert!(expires_at(&listed.json()["data"][0]) <= ahead);
    let id = early["checkoutId"].as_str().unwrap();
    let ended = shop.get(&format!("/v1/checkout/{id}")).await.is(200);
    assert_eq!((&ended.json()["status"], shown(&ended)), (&json!("EXPIRED"), now));

    let late = open(shop).await;
    assert_eq!(expires_at(&late), ahead + SignedDuration::from_mins(30));
    let payer = app.actor(late["checkoutToken"].as_str().unwrap());
    let read = payer.get("/v1/checkout").await.is(200);
    assert_eq!((expires_at(&read.json()), shown(&read)), (expires_at(&late), now));
    let refused = payer.post("/v1/charge", &json!({})).await.is(422);
    assert_eq!(shown(&refused), now, "errors too");
    let expired = app.actor(early["checkoutToken"].as_str().unwrap());
    let expired = expired.get("/v1/checkout").await.is(401);
    assert_eq!(shown(&expired), now, "an expired token too");
    let quote = payer.post("/v1/quote", &json!({ "network": "MTN" })).await.is(200);
    assert_eq!(shown(&quote), now);
    assert_eq!(expires_at(&quote.json()), ahead + SignedDuration::from_mins(5));
    let id = late["checkoutId"].as_str().unwrap();
    let closed = shop.post(&format!("/v1/checkout/{id}/close"), &json!({})).await.is(200).json();
    assert_eq!(expires_at(&closed), expires_at(&late));

    // Another account and live mode have the time of the service.
    let other = app.shop().await;
    let twice = advance(&merchant.shop).await;
    assert_eq!(shown(&twice), now + SignedDuration::from_mins(MINUTES));
    assert!(!is_ahead(&other.get("/v1/checkouts").await.is(200)));
    // An advance is added to those before, and a restart keeps them.
    app.restart().await;
    let twice = shop.get("/v1/checkouts").await.is(200);
    assert_eq!(shown(&twice), now + SignedDuration::from_mins(MINUTES));
    let live = app.key(&merchant.scope.account, Mode::Live, Generation::V2).await;
    assert!(!is_ahead(&live.get("/v1/checkouts").await));
}

/// A session of which nothing has ended keeps the time of its end, as people know it.
#[tokio::test]
async fn an_advance_leaves_the_end_of_an_open_session_where_it_was() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let session = open(&shop).await;
    let payer = app.actor(session["checkoutToken"].as_str().unwrap());
    let by = json!({ "seconds": 20 * 60 });
    shop.post("/v1/sandbox/clock/advance", &by).await.is(200);
    let read = payer.get("/v1/checkout").await.is(200);
    assert_eq!(expires_at(&read.json()), expires_at(&session));
    assert!(expires_at(&session).duration_since(shown(&read)) > SignedDuration::from_mins(9));
}

/// The interval at which the service loads the clocks of all accounts is much longer than that
/// between the command and the requests after it.
#[tokio::test(flavor = "multi_thread")]
async fn an_advance_by_another_process_is_in_effect_from_the_next_request_on() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let session = open(&shop).await;
    let payer = app.actor(session["checkoutToken"].as_str().unwrap());
    let account = app.running().store.keys(None).await.unwrap()[0].scope.account.clone();
    for minutes in [7, 14] {
        let arguments = ["sandbox", "clock", "advance", "7m", "--account", account.as_str()];
        binary::json(app.folder.path(), &arguments);
        let read = payer.get("/v1/checkout").await.is(200);
        assert_eq!(expires_at(&read.json()), expires_at(&session));
        let left = expires_at(&session).duration_since(shown(&read));
        let elapsed = SignedDuration::from_mins(30 - minutes) - left;
        assert!(elapsed < SignedDuration::from_mins(1), "{left} left after {minutes} minutes");
    }
    let arguments = ["sandbox", "clock", "advance", "31m", "--account", account.as_str()];
    binary::json(app.folder.path(), &arguments);
    let listed = shop.get("/v1/checkouts").await.is(200);
    assert!(expires_at(&listed.json()["data"][0]) <= shown(&listed) + SignedDuration::from_secs(1));
}
