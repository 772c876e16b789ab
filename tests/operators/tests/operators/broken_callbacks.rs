//! A callback whose connection breaks before, during or after its body changes nothing that polling
//! would not.

use super::live::OPERATORS;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tua_domain::TransactionId;
use tua_emulator::State;
use tua_test_support::{
    eventually,
    live_operators::{LiveOperators, callback_url},
    operator_callbacks::failures,
};

/// Sends this much of a callback's request, and closes the connection. `reads`: after the first
/// byte of the response.
async fn send_part(live: &LiveOperators, name: &str, body: &str, sent: usize, reads: bool) {
    let url = callback_url(&live.app, name);
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let head =
        format!("POST /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n", body.len());
    let mut connection = TcpStream::connect(host).await.unwrap();
    connection.write_all(format!("{head}{}", &body[..sent]).as_bytes()).await.unwrap();
    if reads {
        let mut first = [0];
        connection.read_exact(&mut first).await.unwrap();
    }
}

#[tokio::test]
async fn a_callback_that_breaks_off_is_none_and_the_payment_is_found_by_polling() {
    for (name, ..) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        // The operator's own callback is lost.
        let id = live.charge("0241230008", "MTN").await.is(202).id();
        let reference = TransactionId::new(&id).operator_reference();
        let (_, failure) =
            failures(&reference).into_iter().find(|(operator, _)| *operator == name).unwrap();
        // Without its last byte it is a whole JSON text, and no whole body.
        let body = format!("{failure}  ");
        for sent in [0, body.len() / 2, body.len() - 1] {
            send_part(&live, name, &body, sent, false).await;
        }
        let is_paid = async || {
            live.emulator.orders().pop().is_some_and(|order| order.state == State::Successful)
        };
        eventually("it is paid", is_paid).await;
        live.app.advance(11);
        let paid = live.end_of(&id).await;
        assert_eq!(paid["status"], "SUCCESSFUL", "{name}: {paid}");
        let store = live.app.running().store.clone();
        let path = format!("/callbacks/{name}");
        let is_kept = async || {
            let kept = store.exchanges(&TransactionId::new(&id)).await.unwrap();
            kept.iter().any(|exchange| exchange.path == path)
        };
        assert!(!is_kept().await, "{name}");
        // A whole one, whose sender does not wait for the whole response. Paystack and pawaPay sign
        // theirs, so that this one is none of theirs.
        send_part(&live, name, &body, body.len(), true).await;
        assert_eq!(is_kept().await, matches!(name, "mtn" | "hubtel"), "{name}");
        live.app.wait_for_tasks().await;
        let shown = live.shop.status(&id).await;
        assert_eq!(
            (&shown["status"], &shown["conflict"]),
            (&json!("SUCCESSFUL"), &json!(null)),
            "{name}"
        );
    }
}
