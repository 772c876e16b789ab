//! Brings the tables up to date, however many nodes start at once.
//!
//! Expand only: while nodes are replaced one by one, older ones go on working on the newer tables. A
//! migration may add a table, an index, or a column that is NULL or has a default, and nothing else;
//! what is no longer used is removed by a later version, once no node reads it any more. A node that
//! starts on tables that are newer than itself refuses them.

use super::{
    connect::Connector,
    error::{Error, Result},
};
use crate::clock::{Clock, SystemClock};
use std::time::Duration;
use tokio_postgres::Client;

/// Never edited once released; a change is a new one at the end.
const MIGRATIONS: &[&str] = &[include_str!("../../../migrations/postgres/01-init.sql")];

/// The oldest server that is taken, as it numbers itself: the oldest that its makers still mend.
const OLDEST: i32 = 140_000;

/// How far a node's clock may be from the server's. Nodes lease work by the clock: one that is minutes ahead
/// takes work that others attend to, which does no harm but to their peace.
const APART: Duration = Duration::from_secs(5);

/// How long a node waits for another one that migrates.
const PATIENCE: &str = "SET lock_timeout = '60s'; SET statement_timeout = '10min'";

/// The tables are up to date when this returns.
///
/// # Errors
/// One line: the server cannot be used, or the tables are of a newer version.
pub(super) async fn migrate(connector: &Connector) -> std::result::Result<(), String> {
    let said = |error: Error| error.to_string();
    let (mut client, _) = connector.listen().await.map_err(said)?;
    check_server(&client).await?;
    apply(&mut client).await.map_err(said)?
}

pub(super) async fn check_server(client: &Client) -> std::result::Result<(), String> {
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
    let (number, name): (i32, &str) = (row.get(0), row.get(1));
    if number < OLDEST {
        return Err(format!("the server is PostgreSQL {name}, which is too old; it must be 14 or newer"));
    }
    if row.get(2) {
        return Err("the server is read-only; is this a standby? Payments are written to the primary".to_owned());
    }
    if row.get(3) {
        return Err("there is no schema to work in; check the user's search_path".to_owned());
    }
    if !row.get::<_, bool>(4) {
        tracing::warn!("fsync is off on the database server: a power cut would lose payments");
    }
    let apart = Duration::from_millis(row.get::<_, i64>(5).abs_diff(SystemClock.now().as_millisecond()));
    if apart > APART {
        tracing::warn!(
            seconds = apart.as_secs(),
            "this clock is not the database server's: let both keep the time (NTP)"
        );
    }
    Ok(())
}

async fn apply(client: &mut Client) -> Result<std::result::Result<(), String>> {
    client.batch_execute(PATIENCE).await?;
    let transaction = client.transaction().await?;
    // One node migrates, the others wait for it here and find nothing left to do.
    transaction
        .batch_execute("SELECT pg_advisory_xact_lock(hashtextextended('tua: migrations of ' || current_schema(), 0))")
        .await?;
    transaction
        .batch_execute(
            "CREATE TABLE IF NOT EXISTS tua_migrations (number BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)",
        )
        .await?;
    let applied = applied(transaction.client()).await?;
    if applied > known() {
        return Ok(Err("made by a newer version of tua; run that version".to_owned()));
    }
    for (number, sql) in (1_i64..).zip(MIGRATIONS).skip(usize::try_from(applied).unwrap_or(usize::MAX)) {
        transaction.batch_execute(sql).await?;
        transaction.execute("INSERT INTO tua_migrations VALUES ($1, now())", &[&number]).await?;
    }
    transaction.commit().await?;
    Ok(Ok(()))
}

/// How many migrations this version knows.
pub(super) fn known() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}

/// How many were applied; none where there are no tables.
pub(super) async fn applied(client: &Client) -> Result<u32> {
    let there = client.query_one("SELECT to_regclass('tua_migrations') IS NOT NULL", &[]).await?;
    if !there.try_get(0)? {
        return Ok(0);
    }
    let row = client.query_one("SELECT coalesce(max(number), 0) FROM tua_migrations", &[]).await?;
    Ok(u32::try_from(row.try_get::<_, i64>(0)?).unwrap_or(u32::MAX))
}
