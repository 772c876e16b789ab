//! Limits of addresses, sessions and connections.

use std::time::Duration;

use axum_client_ip::ClientIpSource;
use tua_companion::server::ConnectionLimits;

use super::shop::*;

#[tokio::test]
async fn a_cart_that_never_arrives_is_given_up() {
    let shop = Shop::start(Duration::from_millis(100)).await;
    let response = half_a_request(&shop.url).await;
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
}

/// Announces a body that does not come, and reads the response.
async fn half_a_request(url: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let host = url.trim_start_matches("http://").trim_end_matches("/checkout");
    let mut stream = tokio::net::TcpStream::connect(host).await.expect("a connection");
    let head = format!(
        "POST /checkout HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         content-length: 99\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).await.expect("to write");
    let mut response = [0; 512];
    let length = stream.read(&mut response).await.expect("to read");
    String::from_utf8_lossy(&response[..length]).into_owned()
}

#[tokio::test]
async fn an_address_that_sends_too_many_carts_has_to_wait() {
    let shop =
        Shop::start_with_limits(ClientIpSource::ConnectInfo, 1000, ConnectionLimits::default())
            .await;
    let mut sent = 0;
    let refused = loop {
        let response = shop.send(shop.post("{")).await;
        sent += 1;
        assert!(sent < 200, "never refused");
        if response.status != 400 {
            break response;
        }
    };
    assert!(sent > 60 && refused.status == 429, "{sent} {}", refused.body);
    assert_eq!(refused.code(), "rate_limited");
    assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    let other = shop.with_client_address([127, 0, 0, 2]);
    assert_eq!(other.send(other.post(CART)).await.status, 201);
}

#[tokio::test]
async fn an_address_has_a_limited_number_of_open_sessions() {
    let shop =
        Shop::start_with_limits(ClientIpSource::ConnectInfo, 4, ConnectionLimits::default()).await;
    // Half of them at once. A header of the client's own does not make it another client.
    let statuses = [
        shop.post_cart_forwarded_for("192.0.2.1").await,
        shop.post_cart_forwarded_for("192.0.2.2").await,
        shop.post_cart_forwarded_for("192.0.2.3").await,
    ];
    assert_eq!(statuses, [201, 201, 429]);
    assert_eq!(
        shop.service.requests.lock().await.len(),
        2,
        "no request is sent for a refused session"
    );
    let other = shop.with_client_address([127, 0, 0, 2]);
    assert_eq!(other.send(other.post(CART)).await.status, 201);
}

#[tokio::test]
async fn clients_behind_a_proxy_have_limits_of_their_own() {
    let shop = Shop::start_with_limits(
        ClientIpSource::RightmostXForwardedFor,
        2,
        ConnectionLimits::default(),
    )
    .await;
    assert_eq!(
        [
            shop.post_cart_forwarded_for("192.0.2.1").await,
            shop.post_cart_forwarded_for("spoofed, 192.0.2.1").await
        ],
        [201, 429]
    );
    assert_eq!(
        [
            shop.post_cart_forwarded_for("2001:db8::1").await,
            shop.post_cart_forwarded_for("2001:db8::2").await
        ],
        [201, 429]
    );
    assert_eq!(
        [
            shop.post_cart_forwarded_for("192.0.2.2").await,
            shop.post_cart_forwarded_for("2001:db8:0:1::1").await
        ],
        [201, 201]
    );
}

#[tokio::test]
async fn slow_and_excess_connections_are_closed() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let limits = ConnectionLimits {
        per_address: 2,
        header_read_timeout: Duration::from_millis(200),
        ..Default::default()
    };
    let shop = Shop::start_with_limits(ClientIpSource::ConnectInfo, 1000, limits).await;
    let host = shop.url.trim_start_matches("http://").trim_end_matches("/checkout").to_owned();
    let mut held = Vec::new();
    for sent in ["GET /healthz HTTP/1.1\r\nx-slow: ", "G"] {
        let mut stream = tokio::net::TcpStream::connect(&host).await.expect("a connection");
        stream.write_all(sent.as_bytes()).await.expect("to write");
        held.push(stream);
    }
    let mut excess = tokio::net::TcpStream::connect(&host).await.expect("a connection");
    assert!(!matches!(excess.read(&mut [0]).await, Ok(1..)), "closed without a response");
    let other = shop.with_client_address([127, 0, 0, 2]);
    assert_eq!(other.send(other.post(CART)).await.status, 201);
    for mut stream in held {
        let mut response = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(9), stream.read_to_end(&mut response))
            .await
            .expect("the end");
        assert!(!String::from_utf8_lossy(&response).contains("200 OK"));
    }
    // The companion may notice a moment after the client that a connection has ended.
    let mut status = None;
    for _ in 0..1000 {
        status = shop.post(CART).send().await.ok().map(|response| response.status().as_u16());
        if status.is_some() {
            break;
        }
    }
    assert_eq!(status, Some(201), "the share of the address is free again");
}
