//! Requests that a proxy and the service may understand differently (RFC 9112, sections 3.2 and
//! 6.3).

use super::connection_limits::{connect, read_to_end};
use tokio::io::AsyncWriteExt;
use tua_test_support::TestApp;

/// A request that follows on the same connection. Its response shows whether it was read.
const NEXT: &str = "GET /healthz HTTP/1.1\r\nHost: tua\r\nConnection: close\r\n\r\n";

/// Sends this and a request after it, and reads until the connection is closed.
async fn send(app: &TestApp, request: &str) -> String {
    let mut connection = connect(app).await;
    connection.write_all(format!("{request}{NEXT}").as_bytes()).await.unwrap();
    read_to_end(&mut connection).await
}

fn count_responses(read: &str) -> usize {
    read.matches("HTTP/1.1 ").count()
}

#[tokio::test]
async fn two_host_headers_are_refused_and_the_connection_is_closed() {
    let app = TestApp::start().await;
    for path in ["/v1/transactions", "/healthz", "/pay", "/dashboard", "/nowhere", "/sdk/"] {
        for second in ["tua", "other.example"] {
            let request = format!("GET {path} HTTP/1.1\r\nHost: tua\r\nHost: {second}\r\n\r\n");
            let read = send(&app, &request).await;
            assert!(read.starts_with("HTTP/1.1 400"), "{path}: {read}");
            assert!(read.contains("\"code\":\"invalid_request\""), "{path}: {read}");
            assert!(read.to_lowercase().contains("\r\nconnection: close\r\n"), "{path}: {read}");
            let is_api = path.starts_with("/v1/");
            assert_eq!(read.contains("access-control-allow-origin: *"), is_api, "{path}: {read}");
            assert_eq!(count_responses(&read), 1, "{path}: {read}");
        }
    }
    assert!(send(&app, "GET /healthz HTTP/1.1\r\nHost: tua\r\n\r\n").await.contains("200 OK"));
}

#[tokio::test]
async fn nothing_follows_a_body_whose_length_is_ambiguous() {
    let app = TestApp::start().await;
    let chunked = "Transfer-Encoding: chunked\r\n";
    for (lengths, body, status) in [
        // The transfer coding decides, and the connection is closed (RFC 9112, section 6.3).
        (format!("Content-Length: 4\r\n{chunked}"), "0\r\n\r\n", 401),
        (format!("{chunked}Content-Length: 4\r\n"), "0\r\n\r\n", 401),
        ("Content-Length: 4\r\nContent-Length: 5\r\n".to_owned(), "abcde", 400),
        ("Content-Length: 4, 5\r\n".to_owned(), "abcde", 400),
        ("Content-Length: +4\r\n".to_owned(), "abcd", 400),
        ("Transfer-Encoding: gzip\r\n".to_owned(), "abcd", 400),
        ("Transfer-Encoding: xchunked\r\n".to_owned(), "abcd", 400),
        ("Transfer-Encoding: chunked, gzip\r\n".to_owned(), "abcd", 400),
        ("Transfer-Encoding : chunked\r\n".to_owned(), "0\r\n\r\n", 400),
    ] {
        let request = format!("POST /v1/charge HTTP/1.1\r\nHost: tua\r\n{lengths}\r\n{body}");
        let read = send(&app, &request).await;
        assert!(read.starts_with(&format!("HTTP/1.1 {status}")), "{lengths}: {read}");
        assert!(read.to_lowercase().contains("\r\nconnection: close\r\n"), "{lengths}: {read}");
        assert_eq!(count_responses(&read), 1, "{lengths}: {read}");
    }
    let old = format!("POST /v1/charge HTTP/1.0\r\nHost: tua\r\n{chunked}\r\n0\r\n\r\n");
    let read = send(&app, &old).await;
    assert!(read.contains(" 400 ") && count_responses(&read) == 1, "{read}");
}
