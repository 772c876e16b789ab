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
        BEGUN + self.uptime()
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

/// The time of a clock at its start, 1 ms after 1970.
const BEGUN: Timestamp = Timestamp::constant(0, 1_000_000);

/// [`BEGUN`] in microseconds.
const BEGIN: u64 = 1000;

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
    log.follow(&AccountId::new(account), after, 100, Duration::ZERO).await.unwrap()
}

#[tokio::test]
async fn only_test_mode_of_an_account_that_is_followed_is_recorded() {
    let (_, log) = log();
    let [test, live, other] =
        [scope("acc_1", Mode::Test), scope("acc_1", Mode::Live), scope("acc_2", Mode::Test)];
    log.record(&test, request(200));
    let begun = read(&log, "acc_1", None).await;
    let empty = LogPage { last: BEGIN, ..LogPage::default() };
    assert_eq!(begun, empty, "it begins with the next entry");
    assert!(log.is_followed(&test) && !log.is_followed(&live) && !log.is_followed(&other));
    for scope in [&live, &other, &test] {
        log.record(scope, request(404));
    }
    let page = read(&log, "acc_1", Some(begun.last)).await;
    assert_eq!((page.entries.len(), page.last, page.missed), (1, BEGIN + 1, 0));
    assert_eq!(page.entries[0].kind, request(404));
    assert_eq!(read(&log, "acc_1", Some(page.last)).await.entries, []);
    assert_eq!(read(&log, "acc_1", Some(0)).await, page, "all that there are");
}

#[tokio::test]
async fn a_number_of_another_log_is_refused() {
    let (clock, log) = log();
    let account = AccountId::new("acc_1");
    let begun = read(&log, "acc_1", None).await;
    for unknown in [1, BEGIN - 1, BEGIN + 1] {
        let page = log.follow(&account, Some(unknown), 10, Duration::from_secs(30)).await;
        assert_eq!(page, None, "{unknown}");
    }
    clock.0.store(1, Ordering::Relaxed);
    let restarted = TestLog::new(clock, CancellationToken::new());
    assert_eq!(restarted.follow(&account, Some(begun.last), 10, Duration::ZERO).await, None);
    restarted.record(&scope("acc_1", Mode::Test), request(200));
    assert_eq!(restarted.follow(&account, Some(begun.last), 10, Duration::ZERO).await, None);
    assert_eq!(read(&restarted, "acc_1", Some(0)).await.entries.len(), 1);
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
    assert_eq!(read(&log, "acc_1", Some(0)).await.entries, []);
}

#[tokio::test]
async fn a_page_has_the_number_of_entries_that_are_gone() {
    let (_, log) = log();
    let test = scope("acc_1", Mode::Test);
    read(&log, "acc_1", None).await;
    for _ in 0..MAX_ENTRIES + 7 {
        log.record(&test, request(200));
    }
    let page = read(&log, "acc_1", Some(BEGIN + 2)).await;
    assert_eq!((page.missed, page.entries[0].number, page.entries.len()), (5, BEGIN + 8, 100));
    assert_eq!(page.last, BEGIN + 107);
    assert_eq!(read(&log, "acc_1", Some(0)).await.missed, 7);
}

#[tokio::test]
async fn a_client_that_waits_gets_the_next_entry() {
    let (_, log) = log();
    let account = AccountId::new("acc_1");
    let begun = read(&log, "acc_1", None).await;
    let waiting = log.follow(&account, Some(begun.last), 10, Duration::from_secs(30));
    let record = async { log.record(&scope("acc_1", Mode::Test), request(202)) };
    let (page, ()) = tokio::join!(waiting, record);
    assert_eq!(page.unwrap().entries.len(), 1);
}
