//! A database file that is full, locked, torn or gone: 503 or 500, nothing half done, and recovery
//! without a restart.

use rlimit::Resource;
use rusqlite::Connection;
use std::{
    fs,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tua_domain::{Transaction, TransactionId, ports::Transactions};
use tua_store::sqlite::SqliteStore;
use tua_test_support::{
    ApiClient, Response,
    binary::{RunningService, account},
    eventually,
    idempotency::send_with_key,
    test_database,
};

const PAYMENT: &str = r#"{"amount":10.5,"phoneNumber":"0241234567","network":"MTN"}"#;

/// `tua serve` in a folder of its own, and a shop.
fn start() -> (TempDir, RunningService, ApiClient) {
    let folder = tempfile::tempdir().unwrap();
    let (_, _, key) = account(folder.path());
    let serving = RunningService::start(folder.path(), fast);
    let shop = serving.actor(&key);
    (folder, serving, shop)
}

fn fast(command: &mut Command) {
    command.args(["--limits", "off", "--sandbox-speed", "200"]);
}

fn database(folder: &Path) -> PathBuf {
    folder.join("tua.db")
}

/// Asserts a problem document without internal details.
#[track_caller]
fn assert_problem_without_details(answer: Response, status: u16, code: &str) {
    for word in
        ["sqlite", "tua.db", "disk", "SELECT", "INSERT", "I/O", "malformed", "locked", "moved"]
    {
        assert!(!answer.text.contains(word), "{word}: {}", answer.text);
    }
    let answer = answer.is_problem(status, code);
    assert_eq!(status == 503, !answer.header("retry-after").is_empty());
}

async fn pay(shop: &ApiClient, key: &str) -> Response {
    send_with_key(shop, "/v1/charge", key, PAYMENT).await
}

/// Asserts that this number of transactions are paid, each with its events and one order.
async fn assert_paid(folder: &Path, serving: RunningService, shop: &ApiClient, many: usize) {
    let listed = shop.get("/v1/transactions?limit=100").await.is(200).json();
    let listed = listed["data"].as_array().unwrap();
    assert_eq!(listed.len(), many);
    for one in listed {
        shop.until(one["transactionId"].as_str().unwrap(), |status| {
            status["status"] == "SUCCESSFUL"
        })
        .await;
    }
    assert_eq!(serving.terminate(), Some(0));
    let store = SqliteStore::open(&database(folder)).unwrap();
    let connection = Connection::open(database(folder)).unwrap();
    let count = |table: &str| -> usize {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get::<_, u32>(0)).unwrap() as usize
    };
    assert_eq!(
        (count("transactions"), count("attempts"), count("sandbox_orders")),
        (many, many, many)
    );
    let mut ids = connection.prepare("SELECT id FROM transactions").unwrap();
    let ids: Vec<String> =
        ids.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    for id in ids.iter().map(TransactionId::new) {
        let rebuilt = Transaction::replay(store.events(&id).await.unwrap());
        assert_eq!(rebuilt, store.transaction(&id).await.unwrap());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_rejects_writes_until_there_is_space() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let (folder, serving, shop) = start();
    pay(&shop, "before").await.is(202);
    // The system rejects every write beyond this size, as with a full disk or a quota.
    let room = |bytes| {
        rlimit::prlimit(serving.process_id(), Resource::FSIZE, Some((bytes, u64::MAX)), None)
            .unwrap()
    };
    let log = fs::metadata(folder.path().join("tua.db-wal")).unwrap().len();
    room(log + 30_000);
    let mut refused = Vec::new();
    for attempt in 0..60 {
        let key = format!("during-{attempt}");
        let answer = pay(&shop, &key).await;
        if !answer.status.is_success() {
            assert_problem_without_details(answer, 503, "service_unavailable");
            refused.push(key);
        }
        if refused.len() == 5 {
            break;
        }
    }
    assert_eq!(refused.len(), 5, "the disk never filled");
    // The readiness probe has no space either, although it is smaller than a payment; nor has the
    // log.
    room(1);
    let unready = async || shop.get("/readyz").await.status == 503;
    eventually("it is not ready", unready).await;
    assert_problem_without_details(shop.get("/readyz").await, 503, "service_unavailable");
    shop.get("/healthz").await.is(200);
    shop.get("/v1/transactions").await.is(200);
    room(u64::MAX);
    shop.get("/readyz").await.is(200);
    for key in &refused {
        let id = pay(&shop, key).await.is(202).id();
        assert_eq!(pay(&shop, key).await.is(202).id(), id);
    }
    let listed = shop.get("/v1/transactions?limit=100").await.is(200).json()["data"]
        .as_array()
        .unwrap()
        .len();
    assert_paid(folder.path(), serving, &shop, listed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_file_times_out_once_for_all_waiting_writes() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let (folder, serving, shop) = start();
    let stranger = Connection::open(database(folder.path())).unwrap();
    stranger.execute_batch("BEGIN IMMEDIATE").unwrap();
    let waiting: Vec<_> = (0..20)
        .map(|key| {
            let shop = shop.clone();
            tokio::spawn(async move { pay(&shop, &key.to_string()).await })
        })
        .collect();
    for one in waiting {
        assert_problem_without_details(one.await.unwrap(), 503, "service_unavailable");
    }
    shop.get("/v1/transactions").await.is(200);
    stranger.execute_batch("ROLLBACK").unwrap();
    for key in 0..20 {
        pay(&shop, &key.to_string()).await.is(202);
    }
    assert_paid(folder.path(), serving, &shop, 20).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_rolls_back_its_shared_transaction_leaves_nothing() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let (folder, serving, shop) = start();
    let stranger = Connection::open(database(folder.path())).unwrap();
    stranger.busy_timeout(Duration::from_secs(5)).unwrap();
    // As SQLite does after an I/O error.
    let poison =
        "CREATE TRIGGER poison BEFORE INSERT ON transaction_events WHEN NEW.event LIKE '%poison%'
                  BEGIN SELECT RAISE(ROLLBACK, 'undone'); END";
    stranger.execute_batch(poison).unwrap();
    let body = |key: usize| {
        let note = if key.is_multiple_of(8) { "poison" } else { "note" };
        PAYMENT.replace('}', &format!(r#","payeeNote":"{note}"}}"#))
    };
    let send = |key: usize| {
        let shop = shop.clone();
        let body = body(key);
        tokio::spawn(
            async move { send_with_key(&shop, "/v1/payout", &key.to_string(), &body).await },
        )
    };
    let all: Vec<_> = (0..64).map(send).collect();
    let mut accepted = 0;
    for one in all {
        accepted += usize::from(one.await.unwrap().status == 202);
    }
    let begun = || {
        stranger.query_row("SELECT count(*) FROM attempts", [], |row| row.get::<_, u32>(0)).unwrap()
    };
    assert_eq!(begun() as usize, accepted, "rejected, but created");
    stranger.execute_batch("DROP TRIGGER poison").unwrap();
    for key in 0..64 {
        send(key).await.unwrap().is(202);
    }
    assert_paid(folder.path(), serving, &shop, 64).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_the_sandbox_could_not_store_is_stored_later() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let (folder, serving, shop) = start();
    let stranger = Connection::open(database(folder.path())).unwrap();
    stranger.busy_timeout(Duration::from_secs(5)).unwrap();
    let fault = "CREATE TRIGGER fault BEFORE INSERT ON sandbox_orders BEGIN SELECT RAISE(ABORT, \
        'fault'); END";
    stranger.execute_batch(fault).unwrap();
    pay(&shop, "one").await.is(202);
    stranger.execute_batch("DROP TRIGGER fault").unwrap();
    assert_paid(folder.path(), serving, &shop, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_torn_page_is_a_500_and_affects_no_other_rows() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let (folder, serving, shop) = start();
    let id = pay(&shop, "before").await.is(202).id();
    let connection = Connection::open(database(folder.path())).unwrap();
    let page = |table: &str| -> u64 {
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        u64::from(connection.query_row(sql, [table], |row| row.get::<_, u32>(0)).unwrap())
    };
    // Move everything into the database file, where the page is then damaged. SQLite does not wait
    // for a checkpoint of the service.
    let is_busy = || -> bool {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get("busy")).unwrap()
    };
    let end = Instant::now() + Duration::from_secs(30);
    while is_busy() {
        assert!(Instant::now() < end, "the service never lets a checkpoint end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let torn = page("api_keys");
    let length = 4096;
    let file = fs::File::options().write(true).open(database(folder.path())).unwrap();
    file.write_all_at(&[0xa5; 4096], (torn - 1) * length).unwrap();
    drop(connection);
    for _ in 0..3 {
        // A connection that has the page in its cache still reads it.
        let answer = shop.get(&format!("/v1/status/{id}")).await;
        if !answer.status.is_success() {
            assert_problem_without_details(answer, 500, "internal_error");
        }
        let answer = pay(&shop, "during").await;
        if !answer.status.is_success() {
            assert_problem_without_details(answer, 500, "internal_error");
        }
    }
    shop.get("/healthz").await.is(200);
    serving.kill();
    let said =
        tua_test_support::binary::refused(tua_test_support::binary::tua(folder.path()).args([
            "serve",
            "--listen",
            "127.0.0.1:0",
        ]));
    assert!(said.contains("damaged"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_database_file_rejects_payments_until_it_is_back() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let (folder, serving, shop) = start();
    pay(&shop, "before").await.is(202);
    let path = database(folder.path());
    let elsewhere = folder.path().join("elsewhere.db");
    fs::rename(&path, &elsewhere).unwrap();
    for _ in 0..3 {
        assert_problem_without_details(pay(&shop, "during").await, 503, "service_unavailable");
        assert_problem_without_details(shop.get("/readyz").await, 503, "service_unavailable");
    }
    fs::rename(&elsewhere, &path).unwrap();
    shop.get("/readyz").await.is(200);
    pay(&shop, "during").await.is(202);
    assert_paid(folder.path(), serving, &shop, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_or_replaced_database_file_rejects_payments() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    for replaced in [false, true] {
        let (folder, serving, shop) = start();
        pay(&shop, "before").await.is(202);
        fs::remove_file(database(folder.path())).unwrap();
        if replaced {
            fs::write(database(folder.path()), "").unwrap();
        }
        for _ in 0..3 {
            assert_problem_without_details(pay(&shop, "during").await, 503, "service_unavailable");
        }
        assert_problem_without_details(shop.get("/readyz").await, 503, "service_unavailable");
        assert!(serving.log().contains("deleted or replaced"), "{}", serving.log());
        serving.kill();
    }
}
