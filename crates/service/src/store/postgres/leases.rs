//! Due questions, and whose they are.

use super::{
    db::Db,
    error::Result,
    nodes,
    record::{at, maybe_at},
    transactions::columns,
};
use crate::{
    domain::TransactionId,
    store::{Due, columns::maybe_time, rows},
};
use jiff::Timestamp;

/// Rows that another node is just taking are passed over. Where there is nothing else, the first of them
/// is waited for, since it may be held for another reason, and is due all the same.
pub(super) async fn lease_due(db: &Db, now: Timestamp, until: Timestamp, most: u32) -> Result<Vec<Due>> {
    let leased = lease_unlocked(db, now, until, most).await?;
    if !leased.is_empty() {
        return Ok(leased);
    }
    let first = "SELECT 1 FROM transactions WHERE ask_at <= $1 ORDER BY ask_at LIMIT 1 FOR NO KEY UPDATE";
    match db.one(first, &[&at(now)]).await? {
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
    let leased = db.all(sql, &[&at(now), &at(until), &i64::from(most)]).await?;
    leased.iter().map(rows::due).collect()
}

/// Nothing while another node lives: what it put off, it attends to.
pub(super) async fn end_leases(db: &Db, now: Timestamp, latest: Timestamp) -> Result<()> {
    if nodes::are_others_alive(db).await? {
        return Ok(());
    }
    db.run("UPDATE transactions SET ask_at = $1 WHERE ask_at > $1 AND ask_at <= $2", &[&at(now), &at(latest)])
        .await
        .map(drop)
}

pub(super) async fn next_due(db: &Db) -> Result<Option<Timestamp>> {
    let sql = "SELECT ask_at FROM transactions WHERE ask_at IS NOT NULL ORDER BY ask_at LIMIT 1";
    match db.one(sql, &[]).await? {
        Some(row) => maybe_time(&row, "ask_at"),
        None => Ok(None),
    }
}

/// A transaction that was decided meanwhile is left alone.
pub(super) async fn plan_ask(
    db: &Db,
    id: &TransactionId,
    asks: u32,
    next: Option<Timestamp>,
    now: Timestamp,
) -> Result<bool> {
    let planned = db
        .run(
            "UPDATE transactions SET asks = $2, ask_at = $3,
                 review_at = CASE WHEN $3::bigint IS NULL THEN $4 ELSE review_at END
             WHERE id = $1 AND status = 'PENDING'",
            &[&id.as_str(), &i64::from(asks), &maybe_at(next), &at(now)],
        )
        .await?;
    Ok(planned > 0)
}
