//! Migrates the schema, also when several nodes start at the same time.
//!
//! Migrations only expand the schema, because older nodes keep running during a rolling upgrade. A
//! migration may add a table, an index, or a column that is NULL or has a default. A later version
//! removes what no running version uses any more. A node refuses to start on a newer schema than
//! its own.

use super::{connect::Connector, pooler, retry::backoff};
use crate::{migrations::migrations, open_error::OpenError};
use backon::Retryable;
use std::{convert::identity, time::Duration};
use tokio_postgres::Client;
use tua_domain::ports::Clock;
use tua_sql::postgres::error::{Error, Result};
use tua_system::clock::SystemClock;

const MIGRATIONS: &[&str] = migrations!("postgres", identity);

/// The oldest supported server, as `server_version_num`: the oldest that receives fixes.
const MIN_SERVER_VERSION: i32 = 140_000;

/// The largest difference between a node's clock and the server's that is not logged. Nodes lease
/// work by their clocks: a node that is minutes ahead takes over other nodes' leases. Payments stay
/// correct, but work is done twice.
const MAX_CLOCK_SKEW: Duration = Duration::from_secs(5);

/// How long a node waits for another node's migration.
const TIMEOUTS: &str = "SET lock_timeout = '60s'; SET statement_timeout = '10min'";

/// How often an upgrade is run again that met a deadlock, which undid all of it. Payments of nodes
/// that run lock the same tables, in the order of their own work.
const MAX_RETRIES: usize = 10;

/// Migrates the schema to this version.
///
/// # Errors
/// The server cannot be reached or used, or its schema is newer than this version.
pub(super) async fn migrate(connector: &Connector) -> std::result::Result<(), OpenError> {
    let describe = |error: Error| {
        let fault = error.to_string();
        if error.is_broken() { OpenError::Unreachable(fault) } else { OpenError::Unusable(fault) }
    };
    let (client, _) = connector.connect().await.map_err(describe)?;
    check_server(connector, &client).await?;
    let upgrade = async || apply(&mut connector.connect().await?.0).await;
    let attempts = backoff().with_max_times(MAX_RETRIES);
    upgrade.retry(attempts).when(Error::is_deadlock).await.map_err(describe)??;
    Ok(())
}

/// Checks that the server can be used.
///
/// # Errors
/// One line that says why it cannot.
pub(super) async fn check_server(
    connector: &Connector,
    client: &Client,
) -> std::result::Result<(), String> {
    // First, because the next statements are prepared.
    pooler::refuse(connector, client).await?;
    let row = client
        .query_one(
            "SELECT current_setting('server_version_num')::int, current_setting('server_version'),
                    pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool,
                    current_schema() IS NULL, current_setting('fsync')::bool,
                    (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
            &[],
        )
        .await
        .map_err(|error| Error::from(error).to_string())?;
    let number: i32 = row.get(0);
    let name: &str = row.get(1);
    if number < MIN_SERVER_VERSION {
        return Err(format!(
            "the server is PostgreSQL {name}, which is too old; it must be 14 or newer"
        ));
    }
    if row.get(2) {
        return Err(
            "the server is read-only; is this a standby? Payments are written to the primary"
                .to_owned(),
        );
    }
    if row.get(3) {
        return Err("there is no schema to work in; check the user's search_path".to_owned());
    }
    if !row.get::<_, bool>(4) {
        tracing::warn!("fsync is off on the database server: a power failure can lose payments");
    }
    let skew =
        Duration::from_millis(row.get::<_, i64>(5).abs_diff(SystemClock.now().as_millisecond()));
    if skew > MAX_CLOCK_SKEW {
        tracing::warn!(
            seconds = skew.as_secs(),
            "this machine's clock differs from the database server's; synchronize both (NTP)"
        );
    }
    Ok(())
}

async fn apply(client: &mut Client) -> Result<std::result::Result<(), String>> {
    client.batch_execute(TIMEOUTS).await?;
    let transaction = client.transaction().await?;
    // One node migrates. The others wait for this lock, and then find the schema up to date.
    transaction
        .batch_execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('tua: migrations of ' || \
             current_schema(), 0));
             CREATE TABLE IF NOT EXISTS tua_migrations (number BIGINT PRIMARY KEY, applied_at \
             TIMESTAMPTZ NOT NULL)",
        )
        .await?;
    let applied = applied(transaction.client()).await?;
    if applied > known() {
        return Ok(Err("made by a newer version of tua; run that version".to_owned()));
    }
    for (number, sql) in
        (1_i64..).zip(MIGRATIONS).skip(usize::try_from(applied).unwrap_or(usize::MAX))
    {
        transaction.batch_execute(sql).await?;
        transaction.execute("INSERT INTO tua_migrations VALUES ($1, now())", &[&number]).await?;
    }
    transaction.commit().await?;
    Ok(Ok(()))
}

/// The number of migrations in this version.
pub(super) fn known() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}

/// The number of applied migrations; 0 if there are no tables.
pub(super) async fn applied(client: &Client) -> Result<u32> {
    let there = client.query_one("SELECT to_regclass('tua_migrations') IS NOT NULL", &[]).await?;
    if !there.try_get(0)? {
        return Ok(0);
    }
    let row = client.query_one("SELECT coalesce(max(number), 0) FROM tua_migrations", &[]).await?;
    Ok(u32::try_from(row.try_get::<_, i64>(0)?).unwrap_or(u32::MAX))
}
