use super::{account_log::MAX_ENTRIES, *};
use crate::{DeliveryId, EndpointId, webhook::EventType};
use async_trait::async_trait;
use jiff::Timestamp;
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
        resource: None,
    })
}

async fn read(log: &TestLog, account: &str, after: Option<u64>) -> LogPage {
    log.follow(&AccountId::new(account), after, 100, Duration::ZERO).await.unwrap()
}

#[tokio::test]
async fn test_mode_of_an_account_is_recorded_from_its_first_request_on() {
    let (_, log) = log();
    let [test, live, other] =
        [scope("acc_1", Mode::Test), scope("acc_1", Mode::Live), scope("acc_2", Mode::Test)];
    log.record(&test, request(200));
    let begun = read(&log, "acc_1", None).await;
    let next = LogPage { last: BEGIN + 1, ..LogPage::default() };
    assert_eq!(begun, next, "it begins with the next entry");
    assert!(TestLog::records(&test) && !TestLog::records(&live));
    for scope in [&live, &other, &test] {
        log.record(scope, request(404));
    }
    let page = read(&log, "acc_1", Some(begun.last)).await;
    assert_eq!((page.entries.len(), page.last, page.missed), (1, BEGIN + 2, 0));
    assert_eq!(page.entries[0].kind, request(404));
    assert_eq!(read(&log, "acc_1", Some(page.last)).await.entries, []);
    let all = read(&log, "acc_1", Some(0)).await;
    let kinds: Vec<_> = all.entries.into_iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [request(200), request(404)]);
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
async fn the_log_that_was_not_used_for_the_longest_time_makes_room() {
    let (clock, log) = log();
    let fill = |account: usize| {
        clock.0.fetch_add(1, Ordering::Relaxed);
        for _ in 0..MAX_ENTRIES {
            log.record(&scope(&format!("acc_{account}"), Mode::Test), request(200));
        }
    };
    let accounts = MAX_ENTRIES_OF_ALL / MAX_ENTRIES;
    (0..accounts).for_each(fill);
    clock.0.fetch_add(1, Ordering::Relaxed);
    let before = read(&log, "acc_0", Some(0)).await;
    assert_eq!(before.missed, 0);
    fill(accounts);
    let after = async |account: &str| read(&log, account, Some(0)).await;
    assert_eq!(after("acc_0").await, before, "it was read last");
    assert_eq!(after("acc_1").await.entries, [], "it was used least");
    assert_eq!(after(&format!("acc_{accounts}")).await.entries.len(), 100);
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

fn created(id: &str, resource: &str) -> LogEntryKind {
    let LogEntryKind::Request(request) = request(202) else { unreachable!() };
    let id = id.to_owned();
    LogEntryKind::Request(LoggedRequest { id, resource: Some(resource.to_owned()), ..request })
}

fn delivery(resource: &str) -> LogEntryKind {
    LogEntryKind::Delivery(LoggedDelivery {
        id: DeliveryId::new("whd_1"),
        endpoint: EndpointId::new("whe_1"),
        webhook_id: "msg_1".to_owned(),
        event_type: EventType::ChargePending,
        resource: resource.to_owned(),
        attempt: 1,
        http_status: Some(200),
        fault: None,
        response: None,
    })
}

#[test]
fn a_request_is_found_with_the_deliveries_about_what_it_created() {
    let (_, log) = log();
    let test = scope("acc_1", Mode::Test);
    let entries = [
        created("req_a", "txn_a"),
        created("req_b", "txn_b"),
        delivery("txn_b"),
        delivery("txn_a"),
    ];
    for entry in &entries {
        log.record(&test, entry.clone());
    }
    let found = |account: &str, id: &str| {
        let page = log.of_request(&AccountId::new(account), id, 10);
        page.entries.into_iter().map(|entry| entry.kind).collect::<Vec<_>>()
    };
    assert_eq!(found("acc_1", "req_a"), [entries[0].clone(), entries[3].clone()]);
    assert_eq!(found("acc_1", "req_c"), []);
    assert_eq!(found("acc_2", "req_a"), [], "another account's");
}
