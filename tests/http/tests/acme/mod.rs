//! The certificate that the service orders from an ACME server. The tests with Pebble are run by
//! `cargo xtask test --only acme`, which installs it.

mod issuance;
mod outages;
mod pebble;
mod redirect;

use self::pebble::{Pebble, Ports};
use reqwest::{Certificate, Client, tls::TlsInfo};
use std::{net::SocketAddr, time::Duration};
use tua_config::Config;
use tua_domain::routing::Operators;
use tua_net::acme::AcmeSettings;
use tua_system::clock::OffsetClock;
use tua_test_support::{TestApp, eventually};

const NAME: &str = "pay.example";
const DAY: u64 = 86_400;

/// Settings of a service that orders a certificate for [`NAME`] from the Pebble with these ports.
fn with_acme(config: &mut Config, ports: Ports, root: Option<&Pebble>) {
    config.listen = format!("127.0.0.1:{}", ports.tls);
    let mut settings = AcmeSettings::new(NAME).unwrap();
    settings.directory = ports.directory();
    settings.root = root.map(|pebble| pebble.root.clone());
    config.acme = Some(settings);
}

/// A service with a stopped clock.
async fn start(settings: impl FnOnce(&mut Config)) -> TestApp {
    TestApp::with_clock(OffsetClock::stopped(), settings, |operators: Operators| operators).await
}

/// A client that reaches [`NAME`] at this address and trusts only this root.
fn client(address: SocketAddr, root: Option<&Certificate>) -> Client {
    let builder =
        Client::builder().timeout(Duration::from_secs(10)).tls_info(true).resolve(NAME, address);
    let builder = builder.redirect(reqwest::redirect::Policy::none());
    match root {
        Some(root) => builder.tls_certs_only([root.clone()]),
        None => builder.tls_danger_accept_invalid_certs(true),
    }
    .build()
    .unwrap()
}

/// The certificate that the service serves, if a client that trusts this root accepts it. `None`
/// accepts any.
async fn served(app: &TestApp, root: Option<&Certificate>) -> Option<Vec<u8>> {
    let address = app.running().local_addr();
    let url = format!("https://{NAME}:{}/healthz", address.port());
    let response = client(address, root).get(url).send().await.ok()?;
    Some(response.extensions().get::<TlsInfo>()?.peer_certificate()?.to_vec())
}

/// Waits until the service serves a certificate of this root.
async fn wait_for_certificate(app: &TestApp, root: &Certificate) -> Vec<u8> {
    eventually("a certificate is served", async || served(app, Some(root)).await.is_some()).await;
    served(app, Some(root)).await.unwrap()
}

/// The number of orders with this outcome.
async fn orders(app: &TestApp, outcome: &str) -> u64 {
    let metrics = app
        .http
        .get(format!("http://{}/metrics", app.running().metrics_addr().unwrap()))
        .send()
        .await
        .unwrap();
    let metrics = metrics.text().await.unwrap();
    let line = format!("tua_acme_orders_total{{outcome=\"{outcome}\"}} ");
    metrics
        .lines()
        .find_map(|found| found.strip_prefix(&line))
        .map_or(0, |count| count.parse().unwrap())
}

/// Moves the clock, once the worker sleeps, until an order is placed; returns after that order has
/// ended.
async fn advance_and_wait(app: &TestApp, seconds: u64, outcome: &str) {
    let before = orders(app, outcome).await;
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(10), 1).await;
    app.advance(seconds);
    eventually("an order ends", async || orders(app, outcome).await > before).await;
}
