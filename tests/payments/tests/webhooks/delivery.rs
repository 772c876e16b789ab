//! Webhook delivery: retries, signatures, and isolation of endpoints (docs/reference/webhooks.md).

use jiff::SignedDuration;
use serde_json::{Value, json};
use std::time::Duration;
use tua_domain::{
    EndpointId,
    ports::{Clock, DeliveryFilter, EndpointChange},
    webhook::{Delivery, DeliveryOutcome, delivery::DeliveryStatus, endpoint::new_secret},
};
use tua_test_support::{
    TestApp,
    binary::{json as json_of, run},
    eventually,
    webhook_receiver::{ResponseMode, Subscriber, WebhookReceiver},
};

/// The deliveries of an endpoint, newest first.
async fn deliveries(app: &TestApp, endpoint: &EndpointId) -> Vec<Delivery> {
    let filter = DeliveryFilter {
        endpoint: Some(endpoint.clone()),
        limit: 1000,
        ..DeliveryFilter::default()
    };
    app.running().store.deliveries(filter).await.unwrap()
}

pub(super) async fn ping(app: &TestApp, endpoint: &EndpointId) {
    app.running().store.ping_endpoint(endpoint, app.clock.now()).await.unwrap().unwrap();
    app.running().gateway.changes.notify_outbox();
}

/// Waits until the newest delivery is as wanted, and returns it.
pub(super) async fn wait_for_delivery(
    app: &TestApp,
    endpoint: &EndpointId,
    wanted: impl Fn(&Delivery) -> bool,
) -> Delivery {
    eventually("the delivery is as wanted", async || {
        deliveries(app, endpoint).await.first().is_some_and(&wanted)
    })
    .await;
    deliveries(app, endpoint).await.remove(0)
}

#[tokio::test]
async fn failed_deliveries_are_retried_on_schedule_with_the_same_id() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, secret) = merchant.add_endpoint(&app, &receiver.url).await;
    receiver.respond_with(ResponseMode::Status(500));
    ping(&app, &endpoint).await;
    for (attempt, gap) in (1..).zip([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
        let failed =
            wait_for_delivery(&app, &endpoint, |delivery| delivery.attempts == attempt).await;
        assert_eq!(
            (failed.status, failed.last.unwrap().http_status),
            (DeliveryStatus::Pending, Some(500))
        );
        let wait = failed.due_at.unwrap().duration_since(app.clock.now());
        assert!((gap..=gap + gap / 10 + 1).contains(&wait.as_secs()), "{wait} for {gap}");
        app.wait_for_due_work().await;
        app.clock.advance(Duration::try_from(wait).unwrap());
    }
    let given_up =
        wait_for_delivery(&app, &endpoint, |delivery| delivery.status == DeliveryStatus::Failed)
            .await;
    assert_eq!((given_up.attempts, given_up.due_at), (10, None));
    let heard = receiver.wait_for_webhooks(10).await;
    assert!(heard.iter().all(|one| one.header("webhook-id") == heard[0].header("webhook-id")));
    assert_ne!(
        heard[0].header("webhook-timestamp"),
        heard[9].header("webhook-timestamp"),
        "signed anew each time"
    );
    assert!(heard[0].is_signed_with(&secret));

    receiver.respond_with(ResponseMode::Status(200));
    app.running().store.replay_delivery(&given_up.id, &app.audit()).await.unwrap().unwrap();
    app.advance(1);
    let replayed =
        wait_for_delivery(&app, &endpoint, |delivery| delivery.status == DeliveryStatus::Delivered)
            .await;
    assert_eq!((replayed.attempts, replayed.last.unwrap().fault), (1, None));
    assert_eq!(receiver.received()[10].text, heard[0].text);
}

/// What `tua doctor` reports about webhooks.
fn doctor_webhooks(app: &TestApp) -> Vec<(String, String)> {
    let report = run(app.folder.path(), &["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let checks =
        report["checks"].as_array().unwrap().iter().filter(|check| check["check"] == "webhooks");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    checks.map(|check| (text(&check["severity"]), text(&check["message"]))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_what_a_shop_did_not_get_and_in_live_mode_as_a_fault() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    let found = |severity: &str, message: &str| (severity.to_owned(), message.to_owned());
    assert_eq!(
        doctor_webhooks(&app),
        [found("ok", "no endpoint is disabled, and no delivery fails")]
    );

    receiver.respond_with(ResponseMode::Status(500));
    let body = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    merchant.shop.post("/v1/payout", &body).await.is(202);
    let failing = wait_for_delivery(&app, &endpoint, |delivery| delivery.attempts == 1).await;
    assert_eq!(
        doctor_webhooks(&app),
        [found("warning", "test: 1 deliveries failed, and are sent again later")]
    );

    let store = &app.running().store;
    let mut last = failing;
    while last.status == DeliveryStatus::Pending {
        store
            .record_attempt(
                &last,
                DeliveryOutcome::Failed(Some(500), "no".to_owned()).into(),
                &app.audit(),
            )
            .await
            .unwrap();
        last = deliveries(&app, &endpoint).await.remove(0);
    }
    let abandoned = "1 deliveries abandoned after all attempts; the shop did not get these events";
    assert_eq!(doctor_webhooks(&app), [found("warning", &format!("test: {abandoned}"))]);
    store.change_endpoint(&endpoint, EndpointChange::Disable, &app.audit()).await.unwrap();
    assert_eq!(doctor_webhooks(&app).len(), 2, "both are reported");

    let live = ["webhook", "add", "--account", merchant.scope.account.as_str(), "--mode", "live"];
    let added =
        json_of(app.folder.path(), &[&live[..], &["--url", "https://shop.example/"]].concat());
    let id = EndpointId::new(added["endpointId"].as_str().unwrap());
    store.change_endpoint(&id, EndpointChange::Disable, &app.audit()).await.unwrap();
    let reported = doctor_webhooks(&app);
    let disabled = "1 disabled endpoints; their events are recorded for 30 days and not sent";
    assert_eq!(reported[0], found("fault", &format!("live: {disabled}")));
    assert_eq!(run(app.folder.path(), &["doctor"]).status.code(), Some(1));
    for removed in [&id, &endpoint] {
        store.remove_endpoint(removed, &app.audit()).await.unwrap();
    }
    assert_eq!(doctor_webhooks(&app).len(), 1, "removed endpoints do not count");
}

#[tokio::test]
async fn a_410_disables_an_endpoint_until_it_is_enabled() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    receiver.respond_with(ResponseMode::Status(410));
    ping(&app, &endpoint).await;
    wait_for_delivery(&app, &endpoint, |delivery| delivery.status == DeliveryStatus::Failed).await;
    let store = &app.running().store;
    assert!(store.endpoint(&endpoint).await.unwrap().unwrap().disabled_at.is_some());
    let logged = store.audit_entries(0, 100).await.unwrap().pop().unwrap();
    assert_eq!(
        (&*logged.action, &*logged.source, &*logged.subject),
        ("webhook.disabled", "service", endpoint.as_str())
    );
    assert!(
        logged.before.unwrap().contains("\"disabledAt\":null")
            && !logged.after.unwrap().contains("null}")
    );
    let body = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    merchant.shop.post("/v1/payout", &body).await.is(202);
    let recorded = deliveries(&app, &endpoint).await.remove(0);
    assert_eq!(
        (recorded.status, recorded.due_at),
        (DeliveryStatus::Held, None),
        "it is recorded and not sent"
    );
    receiver.respond_with(ResponseMode::Status(200));
    let enable = async |resend| {
        let change = EndpointChange::Enable { resend };
        store
            .change_endpoint(&endpoint, change, &app.audit())
            .await
            .unwrap()
            .unwrap()
            .recorded_deliveries
    };
    assert_eq!(enable(false).await, 1);
    merchant.shop.post("/v1/payout", &body).await.is(202);
    wait_for_delivery(&app, &endpoint, |delivery| delivery.status == DeliveryStatus::Delivered)
        .await;
    assert_eq!(
        receiver.types(),
        ["ping", "payout.pending"],
        "what was recorded is not sent by itself"
    );
    let listed = |status| DeliveryFilter {
        endpoint: Some(endpoint.clone()),
        status: Some(status),
        limit: 10,
        ..DeliveryFilter::default()
    };
    let held = store.deliveries(listed(DeliveryStatus::Held)).await.unwrap();
    assert_eq!(held.iter().map(|one| &one.id).collect::<Vec<_>>(), [&recorded.id]);
    assert!(store.deliveries(listed(DeliveryStatus::Pending)).await.unwrap().is_empty());
    assert_eq!(enable(true).await, 1);
    ping(&app, &endpoint).await;
    receiver.wait_for_webhooks(4).await;
    let resent = receiver.types().into_iter().filter(|sent| sent == "payout.pending").count();
    assert_eq!((resent, enable(true).await), (2, 0));
}

#[tokio::test]
async fn deliveries_are_signed_with_both_secrets_during_rotation() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, old) = merchant.add_endpoint(&app, &receiver.url).await;
    let (encrypted, new) = new_secret(&app.running().idempotency.keys.current());
    let until = app.clock.now() + SignedDuration::from_secs(60);
    let change = EndpointChange::RotateSecret(encrypted, until);
    app.running().store.change_endpoint(&endpoint, change, &app.audit()).await.unwrap().unwrap();
    ping(&app, &endpoint).await;
    let heard = receiver.wait_for_webhooks(1).await;
    assert!(heard[0].is_signed_with(&old) && heard[0].is_signed_with(&new));
    app.wait_for_tasks().await;
    app.advance(60);
    ping(&app, &endpoint).await;
    let heard = receiver.wait_for_webhooks(2).await;
    assert!(!heard[1].is_signed_with(&old) && heard[1].is_signed_with(&new));
}

#[tokio::test]
async fn an_endpoint_that_never_responds_delays_only_its_own_deliveries() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let stuck = WebhookReceiver::start().await;
    let prompt = WebhookReceiver::start().await;
    stuck.respond_with(ResponseMode::Never);
    let (stuck_endpoint, _) = merchant.add_endpoint(&app, &stuck.url).await;
    for _ in 0..100 {
        ping(&app, &stuck_endpoint).await;
    }
    stuck.wait_for_webhooks(16).await;
    let (endpoint, _) = merchant.add_endpoint(&app, &prompt.url).await;
    ping(&app, &endpoint).await;
    wait_for_delivery(&app, &endpoint, |delivery| delivery.status == DeliveryStatus::Delivered)
        .await;
    assert_eq!(stuck.received().len(), 16, "deliveries are limited");
    app.advance(15);
    let given_up = async || {
        let all = deliveries(&app, &stuck_endpoint).await;
        all.iter().filter(|delivery| delivery.attempts == 1).count() == 16
    };
    eventually("the hanging deliveries time out", given_up).await;
    stuck.wait_for_webhooks(17).await;
    ping(&app, &endpoint).await;
    prompt.wait_for_webhooks(2).await;
    assert_eq!(stuck.received().len(), 17, "one at a time, once it has failed");
}

#[tokio::test]
async fn a_refused_connection_is_recorded_as_the_failure() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let url = WebhookReceiver::start().await.url.clone();
    let (endpoint, _) = merchant.add_endpoint(&app, &url).await;
    ping(&app, &endpoint).await;
    let refused =
        wait_for_delivery(&app, &endpoint, |delivery| delivery.attempts == 1).await.last.unwrap();
    assert_eq!(refused.http_status, None);
    let cause = "nothing accepts connections";
    assert!(refused.fault.as_ref().unwrap().contains(cause), "{refused:?}");
}

#[tokio::test]
async fn pending_deliveries_are_sent_after_a_restart() {
    let mut app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    receiver.respond_with(ResponseMode::Status(503));
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    ping(&app, &endpoint).await;
    wait_for_delivery(&app, &endpoint, |delivery| delivery.attempts == 1).await;
    app.restart().await;
    receiver.respond_with(ResponseMode::Status(200));
    app.wait_for_tasks().await;
    app.advance(6);
    wait_for_delivery(&app, &endpoint, |delivery| delivery.status == DeliveryStatus::Delivered)
        .await;
    assert_eq!(receiver.received().len(), 2);
}
