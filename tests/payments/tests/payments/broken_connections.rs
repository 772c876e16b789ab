//! Connections that break: a charge continues, and is executed once (docs/reference/lifecycle.md).

use reqwest::Method;
use serde_json::json;
use std::sync::Arc;
use tokio::{io::AsyncWriteExt, net::TcpStream, sync::Notify};
use tua_contract::lifecycle::Observation;
use tua_test_support::{ApiClient, TestApp, eventually, scripted_operator::ScriptedOperator};

/// Sends a charge with a token, and returns the connection with the response unread.
async fn send_charge(app: &TestApp, payer: &ApiClient, body: &str) -> TcpStream {
    let request = format!(
        "POST /v1/charge HTTP/1.1\r\nHost: tua\r\nAuthorization: Bearer {}\r\n\
         Idempotency-Key: once\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        payer.credential,
        body.len()
    );
    let mut connection = TcpStream::connect(app.running().local_addr()).await.unwrap();
    connection.write_all(request.as_bytes()).await.unwrap();
    connection
}

fn body() -> String {
    json!({ "phoneNumber": "0241234567", "network": "MTN" }).to_string()
}

#[tokio::test]
async fn a_charge_continues_after_its_connection_breaks() {
    let gate = Arc::new(Notify::new());
    let operator = Arc::new(
        ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)).gated(gate.clone()),
    );
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = app.payer(&app.shop().await).await;
    let body = body();
    let connection = send_charge(&app, &payer, &body).await;
    operator.called("send", 1).await;
    drop(connection);
    gate.notify_one();
    eventually("paid", async || payer.get("/v1/checkout").await.json()["status"] == "PAID").await;
    // The unread response is stored too.
    app.wait_for_tasks().await;
    let again = payer
        .send(Method::POST, "/v1/charge", &[("idempotency-key", "once")], Some(&body))
        .await
        .is(202);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(operator.each("send"), [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charge_is_sent_once_whenever_the_connection_breaks() {
    let operator = Arc::new(ScriptedOperator::new().sends(|_| Some(Observation::Succeeded)));
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let shop = app.shop().await;
    for number in 0..40 {
        let payer = app.payer(&shop).await;
        let connection = send_charge(&app, &payer, &body()).await;
        for _ in 0..number {
            tokio::task::yield_now().await;
        }
        drop(connection);
        // The payer retries and gets the same charge, whether or not it existed before.
        let key = [("idempotency-key", "once")];
        let again = async || payer.send(Method::POST, "/v1/charge", &key, Some(&body())).await;
        eventually("the first request has finished", async || again().await.status == 202).await;
        assert_eq!(again().await.json()["status"], "SUCCESSFUL");
        assert_eq!(payer.get("/v1/checkout").await.json()["attemptsLeft"], 4);
    }
    assert_eq!(operator.each("send"), [1; 40]);
}
