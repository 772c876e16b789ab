//! Which addresses webhooks are delivered to (docs/reference/webhooks.md).

use super::delivery::{ping, wait_for_delivery};
use tua_domain::{Mode, Scope, ports::Clock, public_url::PublicUrl, webhook::Endpoint};
use tua_test_support::{
    TestApp,
    webhook_receiver::{Subscriber, WebhookReceiver},
};

#[tokio::test]
async fn a_public_service_never_connects_to_private_addresses() {
    let app = TestApp::with(
        |config| config.public_url = PublicUrl::parse("https://pay.example"),
        |all| all,
    )
    .await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let port = receiver.url.rsplit(':').next().unwrap().to_owned();
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0x7f000001",
        "169.254.169.254",
        "0.0.0.0",
    ] {
        let (endpoint, _) = merchant.add_endpoint(&app, &format!("http://{host}:{port}")).await;
        ping(&app, &endpoint).await;
        let refused = wait_for_delivery(&app, &endpoint, |delivery| delivery.attempts == 1)
            .await
            .last
            .unwrap();
        assert!(
            refused.fault.as_ref().unwrap().contains("private, link-local or reserved"),
            "{host}: {refused:?}"
        );
    }
    assert!(receiver.received().is_empty());
}

#[tokio::test]
async fn a_live_endpoint_needs_https_and_a_public_address_even_locally() {
    let app = TestApp::start().await;
    let receiver = WebhookReceiver::start().await;
    let scope = Scope { account: app.account("Adom Stores").await, mode: Mode::Live };
    for (url, why) in
        [(receiver.url.clone(), "https"), (receiver.url.replace("http:", "https:"), "private")]
    {
        let running = app.running();
        let url = url::Url::parse(&url).unwrap();
        let (endpoint, _) = Endpoint::new(
            scope.clone(),
            &url,
            &running.idempotency.keys.current(),
            app.clock.now(),
        );
        running.store.add_endpoint(endpoint.clone(), &app.audit()).await.unwrap();
        ping(&app, &endpoint.id).await;
        let refused = wait_for_delivery(&app, &endpoint.id, |delivery| delivery.attempts == 1)
            .await
            .last
            .unwrap();
        assert!(refused.fault.as_ref().unwrap().contains(why), "{refused:?}");
    }
    assert!(receiver.received().is_empty());
}

#[tokio::test]
async fn private_addresses_are_allowed_by_configuration() {
    let settings = |config: &mut tua_config::Config| {
        config.public_url = PublicUrl::parse("https://pay.example");
        config.allow_private_webhooks = true;
    };
    let app = TestApp::with(settings, |all| all).await;
    let merchant = Subscriber::new(&app).await;
    let receiver = WebhookReceiver::start().await;
    let (endpoint, _) =
        merchant.add_endpoint(&app, &receiver.url.replace("127.0.0.1", "localhost")).await;
    ping(&app, &endpoint).await;
    receiver.wait_for_webhooks(1).await;
}
