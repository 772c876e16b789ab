use super::*;
use async_trait::async_trait;
use std::{
    future::pending,
    sync::atomic::{AtomicU64, Ordering},
};

/// A clock that a test moves.
#[derive(Default, Debug)]
struct ManualClock(AtomicU64);

#[async_trait]
impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    fn uptime(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::Relaxed))
    }

    async fn sleep_until_uptime(&self, at: Duration) {
        if self.uptime() < at {
            pending::<()>().await;
        }
    }
}

fn log() -> (Arc<ManualClock>, TestLog) {
    let clock = Arc::new(ManualClock::default());
    (clock.clone(), TestLog::new(clock, CancellationToken::new()))
}

fn scope(account: &str, mode: Mode) -> Scope {
    Scope { account: AccountId::new(account), mode }
}

fn request(status: u16) -> LogEntryKind {
    LogEntryKind::Request(LoggedRequest {
        id: "req_1".to_owned(),
        method: "GET".to_owned(),
        route: "/v1/events".to_owned(),
        status,
        code: None,
        key: None,
        duration: Duration::ZERO,
    })
}

async fn read(log: &TestLog, account: &str, after: Option<u64>) -> LogPage {
    log.follow(&AccountId::new(account), after, 100, Duration::ZERO).await
}

#[tokio::test]
async fn only_test_mode_of_an_account_that_is_followed_is_recorded() {
    let (_, log) = log();
    let [test, live, other] =
        [scope("acc_1", Mode::Test), scope("acc_1", Mode::Live), scope("acc_2", Mode::Test)];
    log.record(&test, request(200));
    let begun = read(&log, "acc_1", None).await;
    assert_eq!(begun, LogPage::default(), "it begins with the next entry");
    assert!(log.is_followed(&test) && !log.is_followed(&live) && !log.is_followed(&other));
    for scope in [&live, &other, &test] {
        log.record(scope, request(404));
    }
    let page = read(&log, "acc_1", Some(begun.last)).await;
    assert_eq!((page.entries.len(), page.last, page.missed), (1, 1, 0));
    assert_eq!(page.entries[0].kind, request(404));
    assert_eq!(read(&log, "acc_1", Some(page.last)).await.entries, []);
    let beyond = read(&log, "acc_1", Some(99)).await;
    assert_eq!((beyond.entries.len(), beyond.last, beyond.missed), (0, 1, 0));
}

#[tokio::test]
async fn what_is_no_longer_read_is_removed() {
    let (clock, log) = log();
    let test = scope("acc_1", Mode::Test);
    read(&log, "acc_1", None).await;
    log.record(&test, request(200));
    clock.0.store(FOLLOW_TIMEOUT.as_secs() + 1, Ordering::Relaxed);
    log.record(&test, request(200));
    assert!(!log.is_followed(&test));
    assert_eq!(read(&log, "acc_1", Some(0)).await, LogPage::default());
}

#[tokio::test]
async fn a_page_has_the_number_of_entries_that_are_gone() {
    let (_, log) = log();
    let test = scope("acc_1", Mode::Test);
    read(&log, "acc_1", None).await;
    for _ in 0..MAX_ENTRIES + 7 {
        log.record(&test, request(200));
    }
    let page = read(&log, "acc_1", Some(2)).await;
    assert_eq!((page.missed, page.entries[0].number, page.entries.len()), (5, 8, 100));
    assert_eq!(page.last, 107);
}

#[tokio::test]
async fn a_client_that_waits_gets_the_next_entry() {
    let (_, log) = log();
    let account = AccountId::new("acc_1");
    log.follow(&account, None, 10, Duration::ZERO).await;
    let waiting = log.follow(&account, Some(0), 10, Duration::from_secs(30));
    let record = async { log.record(&scope("acc_1", Mode::Test), request(202)) };
    let (page, ()) = tokio::join!(waiting, record);
    assert_eq!(page.entries.len(), 1);
}
