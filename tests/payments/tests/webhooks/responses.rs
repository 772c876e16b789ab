//! Responses of endpoints that are no plain success (docs/reference/webhooks.md).

use super::delivery::{ping, wait_for_delivery};
use tua_domain::webhook::delivery::DeliveryStatus;
use tua_test_support::{
    TestApp,
    webhook_receiver::{ResponseMode, Subscriber, WebhookReceiver},
};

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let inner = WebhookReceiver::start().await;
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    receiver.respond_with(ResponseMode::Redirect(inner.url.clone()));
    ping(&app, &endpoint).await;
    let refused =
        wait_for_delivery(&app, &endpoint, |delivery| delivery.attempts == 1).await.last.unwrap();
    assert_eq!(refused.http_status, Some(302));
    assert!(refused.fault.unwrap().contains("redirect"));
    assert!(inner.received().is_empty());
}

#[tokio::test]
async fn a_response_that_is_not_modified_is_called_so_and_no_redirect() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    receiver.respond_with(ResponseMode::Status(304));
    ping(&app, &endpoint).await;
    let refused =
        wait_for_delivery(&app, &endpoint, |delivery| delivery.attempts == 1).await.last.unwrap();
    let fault = refused.fault.unwrap();
    assert!(fault.contains("304 Not Modified") && !fault.contains("redirect"), "{fault}");
}

#[tokio::test]
async fn an_endless_response_is_truncated_and_its_status_counts() {
    let app = TestApp::start().await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    receiver.respond_with(ResponseMode::Endless);
    ping(&app, &endpoint).await;
    wait_for_delivery(&app, &endpoint, |delivery| delivery.status == DeliveryStatus::Delivered)
        .await;
}

#[tokio::test]
async fn a_status_counts_although_its_body_never_ends() {
    // The clock does not move, so no request ever times out.
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, _) = merchant.add_endpoint(&app, &receiver.url).await;
    receiver.respond_with(ResponseMode::WithoutBody(200));
    ping(&app, &endpoint).await;
    let delivered =
        wait_for_delivery(&app, &endpoint, |delivery| delivery.status == DeliveryStatus::Delivered)
            .await;
    assert_eq!(delivered.last.unwrap().http_status, Some(200));
    receiver.respond_with(ResponseMode::WithoutBody(500));
    ping(&app, &endpoint).await;
    let failed = wait_for_delivery(&app, &endpoint, |one| {
        one.last.as_ref().is_some_and(|last| last.http_status == Some(500))
    });
    assert_eq!(failed.await.attempts, 1);
}
