//! An upgrade beside nodes that run: their payments lock the same tables, in another order.

use std::time::Duration;
use tokio_postgres::NoTls;
use tua_test_support::{binary::tua, eventually, test_database};

/// The lock that an upgrade has from its beginning to its end.
const LOCK_OF_UPGRADES: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('tua: migrations of ' || current_schema(), 0))";

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_that_the_server_ends_because_of_a_deadlock_is_run_again() {
    if test_database::skip_on_sqlite("it has one writer") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    assert!(tua(folder.path()).arg("migrate").status().unwrap().success());
    let url = test_database::url_with(folder.path(), |url| url);
    let (payment, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    // The server ends the upgrade: it looks for a deadlock first.
    let begin = "SET deadlock_timeout = '1min'; BEGIN; LOCK TABLE tua_migrations";
    payment.batch_execute(begin).await.unwrap();
    let mut upgrade = tua(folder.path());
    upgrade.arg("migrate").env(
        "TUA_DATABASE",
        test_database::url_with(folder.path(), |mut url| {
            let options = format!("{}%20-c%20deadlock_timeout%3D3s", url.query().unwrap());
            url.set_query(Some(&options));
            url
        }),
    );
    let upgrade = tokio::task::spawn_blocking(move || upgrade.output().unwrap());
    let waiting = "SELECT count(*) FROM pg_locks
                   WHERE NOT granted AND relation = 'tua_migrations'::regclass";
    eventually("the upgrade waits for the table", async || {
        test_database::query_number(folder.path(), waiting) == 1
    })
    .await;
    payment.query_one(LOCK_OF_UPGRADES, &[]).await.expect("the upgrade gives way");
    payment.batch_execute("COMMIT").await.unwrap();
    let upgraded = tokio::time::timeout(Duration::from_secs(60), upgrade).await.unwrap().unwrap();
    assert!(upgraded.status.success(), "{upgraded:?}");
}
