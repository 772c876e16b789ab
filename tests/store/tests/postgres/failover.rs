//! A server that is lost while a standby takes its place: a node whose URL names both goes on.

use super::tcp_proxy::TcpProxy;
use std::sync::Arc;
use tua_contract::lifecycle::Observation;
use tua_domain::ports::StatusResponse;
use tua_store::database::Database;
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp, eventually,
    idempotency::{PAYMENT, send_with_key},
    scripted_operator::ScriptedOperator,
    test_database,
};

/// The database of this folder on two servers, which both are proxies.
fn database(folder: &std::path::Path, first: &TcpProxy, second: &TcpProxy) -> Database {
    let both = format!("{},{}", first.address(), second.address());
    let url = test_database::url_with(folder, |mut url| {
        url.set_ip_host(first.address().ip()).unwrap();
        url.set_port(Some(first.address().port())).unwrap();
        url
    });
    url.replacen(&first.address().to_string(), &both, 1).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_finds_the_server_that_accepts_writes_after_a_failover() {
    if test_database::skip_on_sqlite("nothing takes the place of a file") {
        return;
    }
    let paid = |_| Some(StatusResponse::known(Observation::Succeeded));
    let operator = Arc::new(ScriptedOperator::new().asks(paid));
    let folder = tempfile::tempdir().unwrap();
    let primary = TcpProxy::start(folder.path()).await;
    let standby = TcpProxy::start(folder.path()).await;
    standby.break_connections();
    let settings = |config: &mut tua_config::Config| {
        config.database = database(folder.path(), &primary, &standby);
    };
    let app = TestApp::with_clock(OffsetClock::stopped(), settings, operator.behind_test()).await;
    app.test_clock.wait_for_workers().await;
    let shop = app.shop().await;
    let pending = send_with_key(&shop, "/v1/charge", "before", PAYMENT).await.is(202).id();

    primary.break_connections();
    send_with_key(&shop, "/v1/charge", "during", PAYMENT)
        .await
        .is_problem(503, "service_unavailable");
    standby.restore();
    let begun = send_with_key(&shop, "/v1/charge", "during", PAYMENT).await.is(202).id();
    eventually("the due work is done again", async || {
        app.advance(10);
        shop.status(&pending).await["status"] == "SUCCESSFUL"
            && shop.status(&begun).await["status"] == "SUCCESSFUL"
    })
    .await;
    // Not through the database of the settings, whose first server is lost.
    let begun = test_database::query_number(folder.path(), "SELECT count(*) FROM transactions");
    assert_eq!((operator.each("send"), begun), (vec![1, 1], 2));
}
