//! Leases of due status queries.

use super::{
    db::Db,
    error::Result,
    nodes,
    record::{at, maybe_at},
    transactions::columns,
};
use crate::{
    domain::{TransactionId, ports::Due},
    store::{columns::maybe_time, rows},
};
use jiff::Timestamp;

/// Leases due transactions and skips rows that another node is leasing. If all are locked, it waits for the first: the
/// lock may be held for another reason, and the transaction is due.
pub(super) async fn lease_due(db: &Db, now: Timestamp, until: Timestamp, most: u32) -> Result<Vec<Due>> {
    let leased = lease_unlocked(db, now, until, most).await?;
    if !leased.is_empty() {
        return Ok(leased);
    }
    let first = "SELECT 1 FROM transactions WHERE ask_at <= $1 ORDER BY ask_at LIMIT 1 FOR NO KEY UPDATE";
    match db.query_opt(first, &[&at(now)]).await? {
        Some(_) => lease_unlocked(db, now, until, most).await,
        None => Ok(Vec::new()),
    }
}

async fn lease_unlocked(db: &Db, now: Timestamp, until: Timestamp, most: u32) -> Result<Vec<Due>> {
    let sql = concat!(
        "WITH due AS (SELECT id FROM transactions WHERE ask_at <= $1 ORDER BY ask_at LIMIT $3
                      FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE transactions SET ask_at = $2 FROM due WHERE transactions.id = due.id RETURNING ",
        columns!()
    );
    let leased = db.query(sql, &[&at(now), &at(until), &i64::from(most)]).await?;
    leased.iter().map(rows::due).collect()
}

/// Ends leases of a node that crashed. Does nothing while another node is connected, since the leases may be its own.
pub(super) async fn end_leases(db: &Db, now: Timestamp, latest: Timestamp) -> Result<()> {
    if nodes::are_others_alive(db).await? {
        return Ok(());
    }
    db.execute("UPDATE transactions SET ask_at = $1 WHERE ask_at > $1 AND ask_at <= $2", &[&at(now), &at(latest)])
        .await
        .map(drop)
}

/// When the next transaction is due.
pub(super) async fn next_due(db: &Db) -> Result<Option<Timestamp>> {
    let sql = "SELECT ask_at FROM transactions WHERE ask_at IS NOT NULL ORDER BY ask_at LIMIT 1";
    match db.query_opt(sql, &[]).await? {
        Some(row) => maybe_time(&row, "ask_at"),
        None => Ok(None),
    }
}

/// Schedules the next status query; returns `false` if the transaction has become final.
pub(super) async fn plan_ask(
    db: &Db,
    id: &TransactionId,
    asks: u32,
    next: Option<Timestamp>,
    now: Timestamp,
) -> Result<bool> {
    let planned = db
        .execute(
            "UPDATE transactions SET asks = $2, ask_at = $3,
                 review_at = CASE WHEN $3::bigint IS NULL THEN $4 ELSE review_at END
             WHERE id = $1 AND status = 'PENDING'",
            &[&id.as_str(), &i64::from(asks), &maybe_at(next), &at(now)],
        )
        .await?;
    Ok(planned > 0)
}
