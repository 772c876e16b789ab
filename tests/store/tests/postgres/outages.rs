//! A server outage, a wrong clock, an old backup: payers get 503, retry, and pay once.

use super::tcp_proxy::TcpProxy;
use reqwest::Method;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tua_contract::lifecycle::Observation;
use tua_domain::ports::{Clock, StatusResponse};
use tua_service::{Running, start_with};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, TestApp, client, eventually,
    idempotency::{count, send_with_key},
    scripted_operator::ScriptedOperator,
    test_database,
};

const PAYMENT: &str = r#"{"amount": 10.5, "phoneNumber": "0241234567", "network": "MTN"}"#;

/// An operator that prompts the payer, and reports success when it is queried.
fn paid_when_queried() -> Arc<ScriptedOperator> {
    Arc::new(ScriptedOperator::new().asks(|_| Some(StatusResponse::known(Observation::Succeeded))))
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_during_a_server_outage_are_503_and_succeed_afterwards() {
    if test_database::skip_on_sqlite("nothing lies between a service and its file") {
        return;
    }
    let operator = paid_when_queried();
    let folder = tempfile::tempdir().unwrap();
    let cable = TcpProxy::start(folder.path()).await;
    let settings =
        |config: &mut tua_config::Config| config.database = cable.database(folder.path(), "");
    let app = TestApp::with_clock(OffsetClock::stopped(), settings, operator.behind_test()).await;
    app.test_clock.wait_for_workers().await;
    let shop = app.shop().await;
    let waiting = app.payer(&shop).await;
    let id = waiting.charge("0241234567", "MTN").await.is(202).id();
    let path = format!("/v1/status/{id}");
    let polling = tokio::spawn({
        let waiting = waiting.clone();
        let path = path.clone();
        async move { waiting.send(Method::GET, &path, &[("prefer", "wait=30")], None).await }
    });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;

    cable.break_connections();
    let since = Instant::now();
    let refused = send_with_key(&shop, "/v1/charge", "k", PAYMENT)
        .await
        .is_problem(503, "service_unavailable");
    assert!(refused.header("retry-after").parse::<u32>().unwrap() > 0);
    assert!(
        since.elapsed() < Duration::from_secs(20),
        "a request was not rejected quickly: {:?}",
        since.elapsed()
    );
    app.advance(60);
    // The page retries after this time.
    polling.await.unwrap().is_problem(503, "service_unavailable");
    app.actor("").get("/healthz").await.is(200);

    cable.restore();
    let taken = send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    eventually("the due work is done again", async || {
        app.advance(10);
        waiting.status(&id).await["status"] == "SUCCESSFUL"
            && shop.status(&taken.id()).await["status"] == "SUCCESSFUL"
    })
    .await;
    let begun = test_database::query_number(folder.path(), "SELECT count(*) FROM transactions");
    assert_eq!((operator.each("send"), begun), (vec![1, 1], 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_with_a_clock_five_minutes_ahead_duplicates_and_loses_nothing() {
    if test_database::skip_on_sqlite("one service serves a file") {
        return;
    }
    let operator = paid_when_queried();
    let app = TestApp::with(|_| {}, operator.behind_test()).await;
    let ahead = tua_config::Config { listen: "127.0.0.1:0".to_owned(), ..app.config.clone() };
    let clock = OffsetClock::default();
    clock.advance(Duration::from_secs(300));
    let ahead: Running =
        start_with(ahead, Arc::new(clock.clone()), operator.behind_test()).await.unwrap();
    let shop = app.shop().await;
    let there = ApiClient {
        origin: format!("http://{}", ahead.local_addr()),
        http: client(),
        ..shop.clone()
    };
    let mut begun = Vec::new();
    for number in 0..10 {
        let (one, other) = if number % 2 == 0 { (&shop, &there) } else { (&there, &shop) };
        let key = number.to_string();
        let first = send_with_key(one, "/v1/charge", &key, PAYMENT).await.is(202);
        tua_test_support::idempotency::assert_replay(
            send_with_key(other, "/v1/charge", &key, PAYMENT).await,
            &first,
        );
        begun.push(first.id());
    }
    for id in &begun {
        // The slower clock decides when the last of them is due.
        eventually("it is paid", async || {
            app.advance(1);
            clock.advance(Duration::from_secs(1));
            shop.status(id).await["status"] == "SUCCESSFUL"
                && there.status(id).await["status"] == "SUCCESSFUL"
        })
        .await;
    }
    assert_eq!((operator.each("send"), count(&app, "transactions")), (vec![1; 10], 10));
    assert!(ahead.clock.now() > app.clock.now());
    ahead.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn restoring_an_old_backup_settles_pending_payments_without_sending_again() {
    if test_database::skip_on_postgres(
        "what a server's backup holds is decided by rows as well, but is not a file to copy",
    ) {
        return;
    }
    let operator = paid_when_queried();
    let mut app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let shop = app.shop().await;
    let known = send_with_key(&shop, "/v1/charge", "known", PAYMENT).await.is(202).id();
    app.restart_with(operator.behind_test()).await;
    let file = app.folder.path().join("tua.db");
    let backup = app.folder.path().join("backup.db");
    let saved = format!("VACUUM INTO '{}'", backup.display());
    rusqlite::Connection::open(&file).unwrap().execute_batch(&saved).unwrap();
    let lost = send_with_key(&shop, "/v1/charge", "lost", PAYMENT).await.is(202).id();
    app.advance(10);
    app.wait_for_due_work().await;
    assert_eq!(shop.status(&known).await["status"], "SUCCESSFUL");

    app.running.take().unwrap().stop().await;
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(file.with_file_name(format!("tua.db{suffix}")));
    }
    std::fs::rename(&backup, &file).unwrap();
    let clock = Arc::new(app.test_clock.clone());
    app.running =
        Some(start_with(app.config.clone(), clock, operator.behind_test()).await.unwrap());
    app.advance(60);
    app.wait_for_due_work().await;
    assert_eq!(shop.status(&known).await["status"], "SUCCESSFUL");
    shop.get(&format!("/v1/status/{lost}")).await.is_problem(404, "transaction_not_found");
    assert_eq!(operator.each("send"), [1, 1], "the order that is in the backup was sent once");
}
