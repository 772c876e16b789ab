//! `/readyz` reports whether payments can be served; `/healthz` only that the process responds.

use async_trait::async_trait;
use jiff::Timestamp;
use std::{future::pending, sync::Arc, time::Duration};
use tokio::sync::Semaphore;
use tua_domain::ports::Clock;
use tua_service::start;
use tua_system::clock::OffsetClock;
use tua_test_support::{TestApp, test_database};
use tua_use_cases::readiness::NotReady;

#[tokio::test]
async fn a_working_service_is_ready() {
    let app = TestApp::start().await;
    for _ in 0..3 {
        assert_eq!(app.actor("").get("/readyz").await.is(200).text, "ready\n");
    }
    assert_eq!(app.actor("").get("/healthz").await.is(200).text, "ok\n");
}

#[tokio::test]
async fn a_blocked_store_is_reported_within_two_seconds() {
    if test_database::skip_on_postgres("a stranger holds the lock of the whole file") {
        return;
    }
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let stranger = rusqlite::Connection::open(app.folder.path().join("tua.db")).unwrap();
    stranger.execute_batch("BEGIN IMMEDIATE").unwrap();
    let asking = [(); 3].map(|()| {
        let actor = app.actor("");
        tokio::spawn(async move { actor.get("/readyz").await })
    });
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(2), 3).await;
    app.actor("").get("/healthz").await.is(200);
    app.advance(2);
    for answer in asking {
        let answer = answer.await.unwrap().is_problem(503, "service_unavailable");
        assert!(
            answer.text.contains("too long") && !answer.header("retry-after").is_empty(),
            "{answer:?}"
        );
    }
    stranger.execute_batch("ROLLBACK").unwrap();
    app.actor("").get("/readyz").await.is(200);
}

#[tokio::test]
async fn a_read_only_store_is_not_ready() {
    if test_database::skip_on_postgres("the file's trigger is of SQLite's kind") {
        return;
    }
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let stranger = rusqlite::Connection::open(app.folder.path().join("tua.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON readiness BEGIN SELECT RAISE(ABORT, 'database \
        is full'); END";
    stranger.execute_batch(full).unwrap();
    let answer = app.actor("").get("/readyz").await.is_problem(503, "service_unavailable");
    assert!(!answer.text.contains("full"), "{}", answer.text);
    stranger.execute_batch("DROP TRIGGER full").unwrap();
    app.actor("").get("/readyz").await.is(200);
    // A successful write is cached for a second, for any number of requests.
    stranger.execute_batch(full).unwrap();
    app.actor("").get("/readyz").await.is(200);
    app.advance(1);
    app.actor("").get("/readyz").await.is(503);
}

/// A clock that moves but never ends a sleep.
#[derive(Debug)]
struct SleepsForever {
    clock: OffsetClock,
    asleep: Arc<Semaphore>,
}

#[async_trait]
impl Clock for SleepsForever {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn uptime(&self) -> Duration {
        self.clock.uptime()
    }

    async fn sleep_until_uptime(&self, _: Duration) {
        self.asleep.add_permits(1);
        pending().await
    }
}

#[tokio::test]
async fn a_stopped_worker_is_reported() {
    let clock = OffsetClock::stopped();
    let asleep = Arc::new(Semaphore::new(0));
    let folder = tempfile::tempdir().unwrap();
    let mut config = tua_config::Config::new(test_database::database(folder.path()));
    config.server_keys = test_database::server_keys();
    config.listen = "127.0.0.1:0".to_owned();
    let running =
        start(config, Arc::new(SleepsForever { clock: clock.clone(), asleep: asleep.clone() }))
            .await
            .unwrap();
    // Both workers have polled once and are stuck now.
    drop(asleep.acquire_many(2).await.unwrap());
    clock.advance(Duration::from_secs(30));
    running.readiness.check().await.unwrap();
    clock.advance(Duration::from_secs(1));
    let answer = reqwest::get(format!("http://{}/readyz", running.local_addr())).await.unwrap();
    assert_eq!(answer.status().as_u16(), 503);
    assert!(answer.text().await.unwrap().contains("due work"));
}

#[tokio::test]
async fn a_polling_worker_keeps_the_service_ready() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    for _ in 0..3 {
        app.advance(31);
        app.test_clock.wait_for_workers().await;
        app.actor("").get("/readyz").await.is(200);
    }
}

#[tokio::test]
async fn a_stopping_service_is_not_ready() {
    let app = TestApp::start().await;
    let running = app.running();
    running.readiness.check().await.unwrap();
    running.stopping.cancel();
    assert!(matches!(running.readiness.check().await, Err(NotReady::Stopping)));
}
