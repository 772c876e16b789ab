//! A request whose body ends only after its credential was checked.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tua_test_support::{TestApp, eventually, failing_plan::Plan};

/// Sends a request; between the two halves of its body, once its credential was checked,
/// `meanwhile` happens. `head` has what comes before the header `host`. Returns the response as
/// text.
pub async fn send_slowly(
    app: &TestApp,
    plan: &Plan,
    head: &str,
    body: &str,
    meanwhile: impl Future<Output = ()>,
) -> String {
    let mut connection = TcpStream::connect(app.running().local_addr()).await.unwrap();
    let (first, rest) = body.split_at(body.len() / 2);
    plan.begin(None);
    let begin = format!(
        "POST {head}\r\nhost: tua\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{first}",
        body.len()
    );
    connection.write_all(begin.as_bytes()).await.unwrap();
    eventually("the credential is checked", async || plan.called().contains("caller")).await;
    meanwhile.await;
    connection.write_all(rest.as_bytes()).await.unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).await.unwrap();
    response
}
