//! An ACME server that is away, refuses, or lies. What is served stays as it is.

use super::{
    DAY, advance_and_wait, orders,
    pebble::{Pebble, Ports, free_port},
    served, start, wait_for_certificate, with_acme,
};
use rustls::{ServerConfig, crypto::aws_lc_rs, pki_types::PrivateKeyDer};
use std::{fs, sync::Arc};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;
use tua_domain::ports::Clock;
use tua_net::acme::AcmeSettings;
use tua_test_support::{TestApp, eventually};

/// A service that orders from an ACME server at this directory, whose certificate is in the file.
async fn start_at(directory: String, root: std::path::PathBuf) -> TestApp {
    start(|config| {
        let mut settings = AcmeSettings::new(super::NAME).unwrap();
        settings.directory = directory;
        settings.root = Some(root);
        config.acme = Some(settings);
        config.metrics_listen = Some("127.0.0.1:0".to_owned());
    })
    .await
}

#[tokio::test]
async fn the_service_starts_without_a_certificate_and_orders_again() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root.pem");
    fs::write(
        &root,
        rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap().cert.pem(),
    )
    .unwrap();
    let app = start_at(format!("https://127.0.0.1:{}/dir", free_port()), root).await;
    eventually("the first order fails", async || orders(&app, "failed").await == 1).await;
    assert!(served(&app, None).await.is_none(), "there is no certificate");
    assert!(app.running().store.is_ready(app.clock.now()).await.is_ok());
    // Two minutes after the first failure, four after the second.
    advance_and_wait(&app, 120, "failed").await;
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(10), 1).await;
    app.advance(239);
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(10), 1).await;
    assert_eq!(orders(&app, "failed").await, 2);
    advance_and_wait(&app, 10, "failed").await;
    assert_eq!(orders(&app, "failed").await, 3);
}

#[tokio::test]
async fn a_lying_acme_server_changes_nothing() {
    for response in [
        "HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n<html>hi</html>",
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n",
        "nonsense\r\n\r\n",
        "",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root.pem");
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        fs::write(&root, made.cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            let acceptor = TlsAcceptor::from(Arc::new(config));
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(response.as_bytes()).await;
                let _ = stream.shutdown().await;
            }
        });
        let app = start_at(format!("https://{address}/dir"), root).await;
        eventually("the order fails", async || orders(&app, "failed").await == 1).await;
        assert!(served(&app, None).await.is_none(), "{response}");
        server.abort();
    }
}

#[tokio::test]
#[ignore = "needs Pebble: cargo xtask test --only acme"]
async fn a_certificate_is_served_while_the_acme_server_is_away_for_a_week() {
    let ports = Ports::choose();
    let pebble = Pebble::start(ports).await;
    let app = start(|config| {
        with_acme(config, ports, Some(&pebble));
        config.metrics_listen = Some("127.0.0.1:0".to_owned());
    })
    .await;
    let root = pebble.issuer().await;
    let first = wait_for_certificate(&app, &root).await;
    let path = pebble.root.clone();
    drop(pebble);
    advance_and_wait(&app, 61 * DAY, "failed").await;
    for _ in 0..7 {
        advance_and_wait(&app, DAY, "failed").await;
        assert_eq!(served(&app, Some(&root)).await.as_ref(), Some(&first));
    }
    // It is back, with another certificate at the same path, and has lost its accounts: the first
    // order fails because of that, the second one creates an account.
    let pebble = Pebble::start(ports).await;
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::copy(&pebble.root, &path).unwrap();
    advance_and_wait(&app, DAY, "failed").await;
    advance_and_wait(&app, DAY, "issued").await;
    let second = wait_for_certificate(&app, &pebble.issuer().await).await;
    assert_ne!(second, first);
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

#[tokio::test]
#[ignore = "needs Pebble: cargo xtask test --only acme"]
async fn a_refused_name_keeps_the_certificate_of_the_old_names() {
    let ports = Ports::choose();
    let pebble =
        Pebble::start_with(ports, serde_json::json!({ "domainBlocklist": ["blocked.example"] }))
            .await;
    let mut app = start(|config| {
        with_acme(config, ports, Some(&pebble));
        config.metrics_listen = Some("127.0.0.1:0".to_owned());
    })
    .await;
    let root = pebble.issuer().await;
    let first = wait_for_certificate(&app, &root).await;
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(10), 1).await;
    app.advance(3600);
    app.config.acme.as_mut().unwrap().names.push("blocked.example".to_owned());
    app.restart().await;
    eventually("the order is refused", async || orders(&app, "failed").await == 1).await;
    assert_eq!(served(&app, Some(&root)).await, Some(first));
}

#[tokio::test]
#[ignore = "needs Pebble: cargo xtask test --only acme"]
async fn a_name_that_leads_elsewhere_is_not_certified() {
    let ports = Ports::choose();
    let pebble = Pebble::start(ports).await;
    let app = start(|config| {
        with_acme(config, ports, Some(&pebble));
        // Pebble connects to the other port, where nothing listens.
        config.listen = "127.0.0.1:0".to_owned();
        config.metrics_listen = Some("127.0.0.1:0".to_owned());
    })
    .await;
    eventually("the order fails", async || orders(&app, "failed").await == 1).await;
    assert!(served(&app, None).await.is_none());
    assert_eq!(app.query_number("SELECT count(*) FROM acme WHERE name LIKE 'tls-alpn-01/%'"), 0);
}
