//! Orders of certificates that succeed.

use super::{
    DAY, NAME, advance_and_wait, client, orders,
    pebble::{Pebble, Ports},
    served, start, wait_for_certificate, with_acme,
};
use std::{fs, sync::Arc};
use tua_net::acme::settings::Challenge;
use tua_service::start_with;
use tua_system::clock::OffsetClock;
use tua_test_support::{TestApp, eventually, failing_plan::Plan, test_database};

#[tokio::test]
#[ignore = "needs Pebble: cargo xtask test --only acme"]
async fn a_certificate_is_ordered_stored_and_renewed() {
    let ports = Ports::choose();
    let pebble = Pebble::start(ports).await;
    let mut app = start(|config| {
        with_acme(config, ports, Some(&pebble));
        config.metrics_listen = Some("127.0.0.1:0".to_owned());
    })
    .await;
    assert_eq!(app.running().public_url(), format!("https://{NAME}"));
    let root = pebble.issuer().await;
    let first = wait_for_certificate(&app, &root).await;

    // A restart serves the stored certificate, and orders none.
    app.restart().await;
    assert_eq!(wait_for_certificate(&app, &root).await, first);
    assert_eq!(orders(&app, "issued").await, 0);

    // No order before two thirds of the 90 days have passed.
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(10), 1).await;
    app.advance(59 * DAY);
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(10), 1).await;
    assert_eq!(orders(&app, "issued").await, 0);
    advance_and_wait(&app, 2 * DAY, "issued").await;
    let second = wait_for_certificate(&app, &root).await;
    assert_ne!(second, first, "the certificate was renewed");

    // The private key is stored encrypted; the answer to the validation is not kept.
    let stored = test_database::query_number(app.folder.path(), "SELECT count(*) FROM acme");
    assert_eq!(stored, 3, "account, certificate, order");
    for name in ["account", "certificate"] {
        let record = app.running().store.acme_record(name).await.unwrap().unwrap();
        let contents = String::from_utf8_lossy(&record.contents);
        let is_clear = contents.starts_with(name) || contents.contains("PRIVATE KEY");
        assert!(!is_clear, "{name}");
    }
    let metrics = format!("http://{}/metrics", app.running().metrics_addr().unwrap());
    let metrics = app.http.get(metrics).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("tua_tls_certificate_not_after_seconds "), "{metrics}");
}

#[tokio::test]
#[ignore = "needs Pebble: cargo xtask test --only acme"]
async fn a_name_is_validated_by_http_01_on_the_redirecting_listener() {
    let ports = Ports::choose();
    let pebble = Pebble::start(ports).await;
    let app = start(|config| {
        with_acme(config, ports, Some(&pebble));
        config.http_listen = Some(format!("127.0.0.1:{}", ports.http));
        config.acme.as_mut().unwrap().challenge = Challenge::Http01;
    })
    .await;
    wait_for_certificate(&app, &pebble.issuer().await).await;
}

#[tokio::test]
#[ignore = "needs Pebble: cargo xtask test --only acme"]
async fn an_external_account_binding_is_sent_when_the_account_is_created() {
    let ports = Ports::choose();
    let required = serde_json::json!({
        "externalAccountBindingRequired": true,
        "externalAccountMACKeys": {
            "kid-1": "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W",
        },
    });
    let pebble = Pebble::start_with(ports, required).await;
    let folder = tempfile::tempdir().unwrap();
    let eab = folder.path().join("eab");
    fs::write(&eab, "kid-1 zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W\n")
        .unwrap();
    let app = start(|config| {
        with_acme(config, ports, Some(&pebble));
        config.acme.as_mut().unwrap().eab = Some(eab);
    })
    .await;
    wait_for_certificate(&app, &pebble.issuer().await).await;
}

#[tokio::test]
#[ignore = "needs Pebble: cargo xtask test --only acme"]
async fn a_node_answers_the_validation_of_another_nodes_order() {
    if test_database::skip_on_sqlite("one file serves one node") {
        return;
    }
    let ports = Ports::choose();
    let pebble = Pebble::start(ports).await;
    let plan = Plan::default();
    // This node receives the validations, and never places an order.
    plan.hold(Some("swap_acme_record"));
    let settings = |config: &mut tua_config::Config| with_acme(config, ports, Some(&pebble));
    let app =
        TestApp::with_store(OffsetClock::stopped(), settings, |operators| operators, &plan).await;
    eventually("the first node waits", async || plan.waiting() > 0).await;
    let mut config = app.config.clone();
    config.listen = "127.0.0.1:0".to_owned();
    let other =
        start_with(config, Arc::new(app.test_clock.clone()), |operators| operators).await.unwrap();
    let root = pebble.issuer().await;
    let url = format!("https://{NAME}:{}/healthz", other.local_addr().port());
    let reached = async || client(other.local_addr(), Some(&root)).get(&url).send().await.is_ok();
    eventually("the node that ordered serves the certificate", reached).await;
    assert!(served(&app, Some(&root)).await.is_none(), "the first node has not looked again");
    other.stop().await;
}

#[tokio::test]
#[ignore = "needs Pebble: cargo xtask test --only acme"]
async fn all_nodes_serve_the_certificate_that_one_has_ordered() {
    if test_database::skip_on_sqlite("one file serves one node") {
        return;
    }
    let ports = Ports::choose();
    let pebble = Pebble::start(ports).await;
    let app = start(|config| with_acme(config, ports, Some(&pebble))).await;
    let mut config = app.config.clone();
    config.listen = "127.0.0.1:0".to_owned();
    let root = pebble.issuer().await;
    wait_for_certificate(&app, &root).await;
    let other =
        start_with(config, Arc::new(app.test_clock.clone()), |operators| operators).await.unwrap();
    let url = format!("https://{NAME}:{}/healthz", other.local_addr().port());
    let reached = async || client(other.local_addr(), Some(&root)).get(&url).send().await.is_ok();
    eventually("the second node serves it", reached).await;
    other.stop().await;
}
