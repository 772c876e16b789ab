//! Responses that are decided before the request's body has come.

use super::connection_limits::{ASK, ask, connect, read_to_end, within_ten_seconds};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tua_test_support::TestApp;

/// Requests that are refused whatever their body is, and the status of the response.
const REFUSED: [(&str, &str); 4] = [
    ("POST /v1/charge", "401"),
    ("DELETE /v1/charge", "405"),
    ("POST /v1/nothing", "404"),
    ("POST /assets/nothing.js", "405"),
];

fn head(line: &str, length: usize) -> String {
    format!("{line} HTTP/1.1\r\nHost: tua\r\nContent-Length: {length}\r\n\r\n")
}

#[tokio::test]
async fn a_body_that_comes_after_the_response_was_decided_keeps_the_connection() {
    let app = TestApp::start().await;
    for (line, status) in REFUSED {
        let mut connection = connect(&app).await;
        connection.write_all(head(line, 2).as_bytes()).await.unwrap();
        // The service has most likely read the head when it responds on a later connection.
        ask(&mut connect(&app).await).await;
        connection.write_all(b"{}").await.unwrap();
        connection.write_all(ASK.as_bytes()).await.unwrap();
        let mut read = Vec::new();
        while !read.ends_with(b"ok\n") {
            let count = within_ten_seconds("a response", connection.read_buf(&mut read)).await;
            let read = String::from_utf8_lossy(&read);
            assert!(count.is_ok_and(|count| count > 0), "{line}: closed after {read}");
        }
        let read = String::from_utf8_lossy(&read);
        assert!(read.starts_with(&format!("HTTP/1.1 {status}")), "{line}: {read}");
        assert!(!read.to_lowercase().contains("connection: close"), "{line}: {read}");
    }
}

#[tokio::test]
async fn a_large_body_that_no_response_waits_for_closes_the_connection_as_the_response_says() {
    let app = TestApp::start().await;
    let expecting = "PUT /v1/charge HTTP/1.1\r\nHost: tua\r\nContent-Length: 2\r\n\
                     Expect: 100-continue\r\n\r\n";
    let large = REFUSED.map(|(line, status)| (head(line, 1 << 20), status));
    for (head, status) in large.into_iter().chain([(expecting.to_owned(), "405")]) {
        let mut connection = connect(&app).await;
        connection.write_all(head.as_bytes()).await.unwrap();
        let read = read_to_end(&mut connection).await;
        assert!(read.starts_with(&format!("HTTP/1.1 {status}")), "{head}: {read}");
        assert!(read.to_lowercase().contains("\r\nconnection: close\r\n"), "{head}: {read}");
    }
}
