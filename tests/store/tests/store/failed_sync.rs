//! A sync of SQLite's log that fails: what a 503 says about a payment stays true after `kill -9`.

use rusqlite::Connection;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use tua_test_support::{
    ApiClient, Response,
    binary::{RunningService, account},
    idempotency::send_with_key,
    test_database,
};

const PAYMENT: &str = r#"{"amount":10.5,"phoneNumber":"0241234567","network":"MTN"}"#;

struct World {
    folder: TempDir,
    key: String,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (_, _, key) = account(folder.path());
        Self { folder, key }
    }

    fn faults(&self) -> PathBuf {
        self.folder.path().join("faults")
    }

    /// Starts the service; the file `faults` says which of its calls fail.
    fn start(&self) -> (RunningService, ApiClient) {
        let library = compile(self.folder.path());
        fs::write(self.faults(), "").unwrap();
        let serving = RunningService::start(self.folder.path(), |command| {
            command.args(["--limits", "off", "--sandbox-speed", "200"]);
            command.env("LD_PRELOAD", library).env("TUA_FAULTS", self.faults());
        });
        let shop = serving.actor(&self.key);
        (serving, shop)
    }

    /// The 503 of a payment whose commit fails like this, on a service that was killed right after
    /// it.
    async fn refused(&self, fault: &str) -> Response {
        let (serving, shop) = self.start();
        // Whatever the first request writes besides the payment is on disk before the fault.
        let before = pay(&shop, "before").await.is(202).id();
        shop.until(&before, |status| status["status"] == "SUCCESSFUL").await;
        fs::write(self.faults(), fault).unwrap();
        let refused = pay(&shop, "during").await;
        assert_ne!(
            fs::read_to_string(self.faults()).unwrap(),
            fault,
            "no sync failed: {}",
            serving.log()
        );
        serving.kill();
        refused.is_problem(503, "service_unavailable")
    }

    /// The number of rows, in a service that is not running.
    fn count(&self, table: &str) -> u32 {
        let connection = Connection::open(self.folder.path().join("tua.db")).unwrap();
        connection
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
            .unwrap()
    }

    /// Starts again without faults, lets all due work be done, and repeats the payment with its
    /// key.
    async fn restart_and_repeat(&self) -> Response {
        let (serving, shop) = self.start();
        let listed = shop.get("/v1/transactions").await.is(200).json();
        for one in listed["data"].as_array().unwrap() {
            shop.until(one["transactionId"].as_str().unwrap(), |status| {
                status["status"] == "SUCCESSFUL"
            })
            .await;
        }
        let repeated = pay(&shop, "during").await.is(202);
        shop.until(&repeated.id(), |status| status["status"] == "SUCCESSFUL").await;
        assert_eq!(serving.terminate(), Some(0));
        assert_eq!((self.count("transactions"), self.count("sandbox_orders")), (2, 2), "never two");
        repeated
    }
}

/// Compiles the library in which calls of the system fail.
fn compile(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/disk_faults.c");
    let library = folder.join("disk_faults.so");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let compiled = Command::new(compiler)
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .status()
        .unwrap();
    assert!(compiled.success());
    library
}

async fn pay(shop: &ApiClient, key: &str) -> Response {
    send_with_key(shop, "/v1/charge", key, PAYMENT).await
}

fn says_unknown(refused: &Response) -> bool {
    refused.json()["detail"].as_str().unwrap().contains("not known whether")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_whose_sync_failed_once_does_not_come_back() {
    if cfg!(not(target_os = "linux")) || test_database::skip_on_postgres("it is about files") {
        return;
    }
    let world = World::new();
    let refused = world.refused("once").await;
    assert!(!says_unknown(&refused), "{refused:?}");
    assert_eq!(
        (world.count("transactions"), world.count("attempts"), world.count("sandbox_orders")),
        (1, 1, 1)
    );
    let repeated = world.restart_and_repeat().await;
    assert_eq!(repeated.header("idempotency-replayed"), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_may_come_back_is_reported_as_unknown_and_found_by_its_key() {
    if cfg!(not(target_os = "linux")) || test_database::skip_on_postgres("it is about files") {
        return;
    }
    let world = World::new();
    // The sync fails, and so does every later write, so the commit cannot be erased.
    let refused = world.refused("all").await;
    assert!(says_unknown(&refused), "{refused:?}");
    assert_eq!(
        (world.count("transactions"), world.count("sandbox_orders")),
        (2, 1),
        "it comes back, and was not sent"
    );
    let repeated = world.restart_and_repeat().await;
    assert_eq!(repeated.header("idempotency-replayed"), "true");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_never_syncs_is_never_reported_as_certain() {
    if cfg!(not(target_os = "linux")) || test_database::skip_on_postgres("it is about files") {
        return;
    }
    let world = World::new();
    let (serving, shop) = world.start();
    let before = pay(&shop, "before").await.is(202).id();
    shop.until(&before, |status| status["status"] == "SUCCESSFUL").await;
    fs::write(world.faults(), "sync").unwrap();
    for _ in 0..3 {
        let refused = pay(&shop, "during").await.is_problem(503, "service_unavailable");
        assert!(says_unknown(&refused), "{refused:?}");
    }
    // The disk recovers, and the next commit erases the failed ones.
    fs::write(world.faults(), "").unwrap();
    pay(&shop, "during").await.is(202);
    serving.kill();
    world.restart_and_repeat().await;
}
