//! `tua listen` with a service that no longer has the last event, and that does not let it wait.

use axum::{
    Json, Router,
    extract::RawQuery,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};
use tokio::net::TcpListener;
use tua_test_support::{binary::tua, webhook_receiver::WebhookReceiver};

const TIME: &str = "2026-11-21T10:00:00.000Z";

fn event(id: &str, data: Value) -> Value {
    json!({ "eventId": id, "type": "charge.successful", "timestamp": TIME, "data": data })
}

fn page(events: &[Value]) -> Response {
    Json(json!({ "data": events, "nextCursor": null })).into_response()
}

/// The newest event was deleted since; two older ones are left, and one cannot be read.
async fn respond(RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let after = query.split('&').find_map(|parameter| parameter.strip_prefix("after="));
    match after {
        None => page(&[event("msg_gone", json!({}))]),
        Some("msg_gone") => {
            let problem = json!({ "code": "invalid_parameter", "detail": "after names no event." });
            (StatusCode::UNPROCESSABLE_ENTITY, Json(problem)).into_response()
        }
        Some("") => page(&[event("msg_1", Value::Null), event("msg_2", json!({ "amount": 5 }))]),
        // At once, as for an address that has its share of waiting requests.
        Some(_) => page(&[]),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn listen_continues_after_a_lost_event_and_asks_less_often_where_it_cannot_wait() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/v1/events", get(respond));
    let service = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let receiver = WebhookReceiver::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mut listen = tua(folder.path())
        .env("TUA_SECRET_KEY", "tua_test_v2_example")
        .args(["listen", "--forward-to", &receiver.url, "--api-url", &origin])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(listen.stderr.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    let missed = next();
    assert!(missed.contains("msg_gone") && missed.contains(TIME), "{missed}");
    let unreadable = next();
    assert!(unreadable.contains("msg_1") && unreadable.contains("cannot read"), "{unreadable}");
    let slower = next();
    assert!(slower.contains("too many requests of this address are waiting"), "{slower}");
    let received = receiver.wait_for_webhooks(1).await;
    assert_eq!(received[0].header("webhook-id"), "msg_2");
    listen.kill().unwrap();
    listen.wait().unwrap();
    service.abort();
}
