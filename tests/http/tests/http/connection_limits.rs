//! Connections that are slow, silent or too many.

use reqwest::Method;
use std::{future::Future, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};
use tua_config::Config;
use tua_net::{
    ConnectionLimits,
    client::parse_trusted,
    limits::{Limits, Rates},
};
use tua_system::clock::OffsetClock;
use tua_test_support::{Response, TestApp, eventually, payment_bodies::payment_with};

pub(super) const ASK: &str = "GET /healthz HTTP/1.1\r\nHost: tua\r\n\r\n";

/// Limits that are short enough for a test.
const SHORT: Duration = Duration::from_millis(150);

async fn with_connection_limits(limits: impl FnOnce(&mut ConnectionLimits)) -> TestApp {
    TestApp::with(|config| limits(&mut config.connection_limits), |operators| operators).await
}

pub(super) async fn connect(app: &TestApp) -> TcpStream {
    TcpStream::connect(app.running().local_addr()).await.unwrap()
}

/// What is received within ten seconds, which is far less than the default limits.
pub(super) async fn within_ten_seconds<T>(what: &str, work: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(9), work)
        .await
        .unwrap_or_else(|_| panic!("{what}: not within nine seconds"))
}

/// Everything until the service closes or resets the connection.
pub(super) async fn read_to_end(connection: &mut TcpStream) -> String {
    let mut read = Vec::new();
    let _ =
        within_ten_seconds("the end of the connection", connection.read_to_end(&mut read)).await;
    String::from_utf8(read).unwrap()
}

/// One request on a connection that stays open.
pub(super) async fn ask(connection: &mut TcpStream) {
    connection.write_all(ASK.as_bytes()).await.unwrap();
    let mut read = Vec::new();
    while !read.ends_with(b"ok\n") {
        assert_ne!(
            within_ten_seconds("an answer", connection.read_buf(&mut read)).await.unwrap(),
            0,
            "closed"
        );
    }
}

#[tokio::test]
async fn a_slow_request_head_times_out() {
    let app = with_connection_limits(|limits| limits.head_timeout = SHORT).await;
    for asked_before in [false, true] {
        let mut connection = connect(&app).await;
        if asked_before {
            ask(&mut connection).await;
        }
        connection.write_all(b"GET /healthz HTTP/1.1\r\nX-Slow: ").await.unwrap();
        let (mut reader, mut writer) = connection.into_split();
        let drops = async {
            while writer.write_all(b"a").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let mut read = Vec::new();
        tokio::select! {
            _ = within_ten_seconds("the end", reader.read_to_end(&mut read)) => {}
            () = within_ten_seconds("the end", drops) => {}
        }
        assert!(!String::from_utf8_lossy(&read).contains("200 OK"));
    }
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let app = with_connection_limits(|limits| limits.head_timeout = SHORT).await;
    assert_eq!(read_to_end(&mut connect(&app).await).await, "");
}

#[tokio::test]
async fn a_connection_may_be_idle_between_requests() {
    let app = with_connection_limits(|limits| limits.head_timeout = SHORT).await;
    let mut connection = connect(&app).await;
    ask(&mut connection).await;
    let closed = timeout(4 * SHORT, connection.read_u8()).await;
    assert!(
        closed.is_err(),
        "the timeout applies only to a request head that has begun: {closed:?}"
    );
    ask(&mut connection).await;

    let app = with_connection_limits(|limits| limits.idle_timeout = SHORT).await;
    let mut connection = connect(&app).await;
    ask(&mut connection).await;
    assert_eq!(read_to_end(&mut connection).await, "");
}

#[tokio::test]
async fn a_slow_response_does_not_count_as_an_idle_connection() {
    let app = with_connection_limits(|limits| {
        (limits.idle_timeout, limits.head_timeout) = (SHORT, SHORT)
    })
    .await;
    let shop = app.shop().await;
    let charge = shop
        .post_text("/v1/charge", &payment_with("phoneNumber", Some("\"0241230007\"")))
        .await
        .is(202);
    let poll = format!(
        "GET /v1/status/{} HTTP/1.1\r\nHost: tua\r\nx-api-key: {}\r\nPrefer: wait=1\r\n\
         If-None-Match: {}\r\n\r\n",
        charge.id(),
        shop.credential,
        shop.get(&format!("/v1/status/{}", charge.id())).await.header("etag"),
    );
    let mut connection = connect(&app).await;
    connection.write_all(poll.as_bytes()).await.unwrap();
    let read = read_to_end(&mut connection).await;
    assert!(read.starts_with("HTTP/1.1 304") || read.starts_with("HTTP/1.1 200"), "{read}");
}

#[tokio::test]
async fn oversized_request_heads_are_rejected() {
    let app = TestApp::start().await;
    let long = format!("X-Long: {}\r\n", "a".repeat(20_000));
    let many: String = (0..200).map(|number| format!("X-{number}: a\r\n")).collect();
    let endless = "a".repeat(1 << 20);
    for headers in [&long, &many, &endless] {
        let (mut reader, mut writer) = connect(&app).await.into_split();
        let request = format!("GET /healthz HTTP/1.1\r\nHost: tua\r\n{headers}\r\n\r\n");
        // The response is not read to its end.
        let writing = tokio::spawn(async move { writer.write_all(request.as_bytes()).await });
        let mut start = [0; 12];
        within_ten_seconds("an answer", reader.read_exact(&mut start)).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&start), "HTTP/1.1 431");
        let _ = within_ten_seconds("the end", writing).await;
    }
    app.actor("").get("/healthz").await.is(200);
}

#[tokio::test]
async fn a_missing_body_is_a_408() {
    let app = with_connection_limits(|limits| limits.body_timeout = SHORT).await;
    let shop = app.shop().await;
    for framing in ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"]
    {
        let mut connection = connect(&app).await;
        let head =
            format!("POST /v1/charge HTTP/1.1\r\nHost: tua\r\nx-api-key: {}\r\n", shop.credential);
        let request = format!("{head}Content-Type: application/json\r\n{framing}");
        connection.write_all(request.as_bytes()).await.unwrap();
        let read = read_to_end(&mut connection).await.to_ascii_lowercase();
        assert!(
            read.starts_with("http/1.1 408") && read.contains("\r\nconnection: close\r\n"),
            "{read}"
        );
        assert!(
            read.contains("application/problem+json") && read.contains("\"request_timeout\""),
            "{read}"
        );
    }
    assert_eq!(shop.get("/v1/transactions").await.json()["data"].as_array().map(Vec::len), Some(0));
}

#[tokio::test]
async fn an_unread_response_times_out() {
    let app = with_connection_limits(|limits| limits.write_timeout = SHORT).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut connection = socket.connect(app.running().local_addr()).await.unwrap();
    // The responses are so long that a few of them fill every buffer.
    let many = "GET /openapi.json HTTP/1.1\r\nHost: tua\r\n\r\n".repeat(1000);
    // Write until the service closes the connection, because its responses are not read.
    let writing = async { while connection.write_all(many.as_bytes()).await.is_ok() {} };
    within_ten_seconds("the end of the connection", writing).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_idle_connections_do_not_delay_others() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut idle = Vec::new();
    for number in 0..2000 {
        let mut connection = connect(&app).await;
        match number % 3 {
            0 => ask(&mut connection).await,
            1 => connection.write_all(b"POST /v1/charge HTTP/1.1\r\nHost: t").await.unwrap(),
            _ => {}
        }
        idle.push(connection);
    }
    within_ten_seconds("a charge", shop.post_text("/v1/charge", &payment_with("", None)))
        .await
        .is(202);
    let answer = within_ten_seconds(
        "an answer on a new connection",
        reqwest::get(format!("{}/healthz", app.origin)),
    )
    .await;
    Response::read(answer.unwrap()).await.is(200);
}

#[tokio::test]
async fn a_connection_above_the_limit_waits_for_a_free_slot() {
    let app = with_connection_limits(|limits| limits.max_connections = 2).await;
    let mut one = connect(&app).await;
    let mut two = connect(&app).await;
    ask(&mut one).await;
    ask(&mut two).await;
    let mut third = connect(&app).await;
    third.write_all(ASK.as_bytes()).await.unwrap();
    let early = timeout(2 * SHORT, third.read_u8()).await;
    assert!(early.is_err(), "there is no free slot yet: {early:?}");
    drop(one);
    let mut start = [0; 15];
    within_ten_seconds("an answer", third.read_exact(&mut start)).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&start), "HTTP/1.1 200 OK");
}

/// Connects from this loopback address.
async fn connect_from(app: &TestApp, address: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{address}:0").parse().unwrap()).unwrap();
    socket.connect(app.running().local_addr()).await.unwrap()
}

async fn with_shares(connections: u32, polls: u32, settings: impl FnOnce(&mut Config)) -> TestApp {
    let rates = Rates {
        connections_per_address: connections,
        polls_per_address: polls,
        ..Rates::default()
    };
    let settings = |config: &mut Config| {
        config.limits = Limits::On(rates);
        settings(config);
    };
    TestApp::with_clock(OffsetClock::stopped(), settings, |operators| operators).await
}

#[tokio::test]
async fn one_address_has_a_share_of_the_connections() {
    let app = with_shares(2, 1, |_| {}).await;
    let mut held = [connect_from(&app, "127.0.0.2").await, connect_from(&app, "127.0.0.2").await];
    for connection in &mut held {
        ask(connection).await;
    }
    assert_eq!(read_to_end(&mut connect_from(&app, "127.0.0.2").await).await, "");
    ask(&mut connect_from(&app, "127.0.0.3").await).await;
    drop(held);
    let is_served = async || {
        let mut connection = connect_from(&app, "127.0.0.2").await;
        let _ = connection.write_all(ASK.as_bytes()).await;
        connection.read_u8().await.is_ok()
    };
    eventually("a share that was given back is free again", is_served).await;
}

#[tokio::test]
async fn one_address_cannot_take_more_than_half_of_few_connections() {
    let app = with_shares(2500, 1, |config| config.connection_limits.max_connections = 4).await;
    let mut held = [connect_from(&app, "127.0.0.2").await, connect_from(&app, "127.0.0.2").await];
    for connection in &mut held {
        ask(connection).await;
    }
    assert_eq!(read_to_end(&mut connect_from(&app, "127.0.0.2").await).await, "");
    ask(&mut connect_from(&app, "127.0.0.3").await).await;
}

#[tokio::test]
async fn a_trusted_proxy_has_no_share_and_its_clients_have_one_each_of_the_polls() {
    let trusted =
        |config: &mut Config| config.trusted_proxies = parse_trusted("127.0.0.0/8").unwrap();
    let app = with_shares(1, 1, trusted).await;
    let shop = app.shop().await;
    let charge = shop
        .post_text("/v1/charge", &payment_with("phoneNumber", Some("\"0241230007\"")))
        .await
        .is(202);
    let path = format!("/v1/status/{}", charge.id());
    let poll = |client: &'static str| {
        let shop = shop.clone();
        let path = path.clone();
        async move {
            let tag = shop.get(&path).await.header("etag").to_owned();
            let headers = [
                ("x-forwarded-for", client),
                ("prefer", "wait=30"),
                ("if-none-match", tag.as_str()),
            ];
            shop.send(Method::GET, &path, &headers, None).await
        }
    };
    let first = tokio::spawn(poll("192.0.2.1"));
    let until = app.test_clock.now_plus(30);
    app.test_clock.wait_for_sleepers(until, 1).await;
    for client in ["192.0.2.1", "192.0.2.1"] {
        let unparked = within_ten_seconds("an answer", poll(client)).await.is(304);
        assert_eq!(unparked.header("preference-applied"), "");
    }
    let second = tokio::spawn(poll("192.0.2.2"));
    app.test_clock.wait_for_sleepers(until, 2).await;
    app.advance(30);
    for parked in [first, second] {
        assert_eq!(parked.await.unwrap().header("preference-applied"), "wait=30");
    }
}

#[tokio::test]
async fn shutdown_closes_idle_connections() {
    let mut app = TestApp::start().await;
    let mut asked = connect(&app).await;
    let mut silent = connect(&app).await;
    ask(&mut asked).await;
    within_ten_seconds("the stop", app.running.take().unwrap().stop()).await;
    assert_eq!(read_to_end(&mut asked).await + &read_to_end(&mut silent).await, "");
}
