//! Deletes rows after their retention period, in small batches.

use crate::{privacy::old_orders, subject_end::subject_end};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::retention::{Horizon, Pruned};

/// Deletes at most `most` rows of each kind.
pub(super) fn prune(db: &Connection, horizon: Horizon, most: u32) -> Result<Pruned> {
    let delete = |sql, before: i64| -> Result<u64> {
        let deleted = db.prepare_cached(sql)?.execute((before, most))?;
        Ok(deleted as u64)
    };
    let (attempts, attempts_kept) = attempts(db, horizon, most)?;
    Ok(Pruned {
        attempts,
        attempts_kept,
        deliveries: delete(
            "DELETE FROM webhook_deliveries WHERE id IN
                 (SELECT id FROM webhook_deliveries WHERE due_at IS NULL AND \
             coalesce(attempted_at, occurred_at) <= ?1
                  ORDER BY coalesce(attempted_at, occurred_at) LIMIT ?2)",
            horizon.deliveries.as_millisecond(),
        )?,
        checkouts: unused_checkouts(db, horizon.checkouts, most)?,
        buckets: delete(
            "DELETE FROM buckets WHERE name IN
                 (SELECT name FROM buckets WHERE full_at <= ?1 ORDER BY full_at LIMIT ?2)",
            horizon.buckets.as_microsecond(),
        )?,
        sandbox_orders: delete(
            concat!(
                "DELETE FROM sandbox_orders WHERE reference IN \
                 (",
                old_orders!("?1", "?2"),
                ")"
            ),
            horizon.sandbox_orders.as_millisecond(),
        )?,
        exchanges: delete(
            "DELETE FROM operator_exchanges WHERE id IN
                 (SELECT id FROM operator_exchanges WHERE at <= ?1 ORDER BY at LIMIT ?2)",
            horizon.exchanges.as_millisecond(),
        )?,
        alerts: delete(
            "DELETE FROM mail_alerts WHERE id IN
                 (SELECT id FROM mail_alerts WHERE occurred_at <= ?1 ORDER BY occurred_at LIMIT \
             ?2)",
            horizon.mail.as_millisecond(),
        )?,
        mail: delete(
            "DELETE FROM mail_messages WHERE id IN
                 (SELECT id FROM mail_messages WHERE occurred_at <= ?1 ORDER BY occurred_at LIMIT \
             ?2)",
            horizon.mail.as_millisecond(),
        )?,
    })
}

/// Deletes the records of what has ended, and postpones the others. Returns how many of each there
/// were.
fn attempts(db: &Connection, horizon: Horizon, most: u32) -> Result<(u64, u64)> {
    const OLD: &str = concat!(
        "SELECT rowid, ",
        subject_end!("subject", "?3"),
        " FROM attempts WHERE retained_from <= ?1 ORDER BY retained_from LIMIT ?2"
    );
    let (before, again) =
        (horizon.attempts.as_millisecond(), horizon.attempts_again.as_millisecond());
    let old: Vec<(i64, i64)> = db
        .prepare_cached(OLD)?
        .query_map((before, most, again), |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_>>()?;
    let mut delete = db.prepare_cached("DELETE FROM attempts WHERE rowid = ?1")?;
    let mut keep = db.prepare_cached("UPDATE attempts SET retained_from = ?2 WHERE rowid = ?1")?;
    let mut deleted = 0;
    let mut kept = 0;
    for (row, end) in old {
        if end <= before {
            delete.execute([row])?;
            deleted += 1;
        } else {
            keep.execute((row, end))?;
            kept += 1;
        }
    }
    Ok((deleted, kept))
}

/// A session whose charge began just before it expired is kept for good.
fn unused_checkouts(db: &Connection, before: Timestamp, most: u32) -> Result<u64> {
    let old: Vec<String> = db
        .prepare_cached(
            "SELECT id FROM checkouts WHERE unused_since <= ?1 ORDER BY unused_since LIMIT ?2",
        )?
        .query_map((before.as_millisecond(), most), |row| row.get(0))?
        .collect::<Result<_>>()?;
    let mut delete = db.prepare_cached(
        "DELETE FROM checkouts WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM transactions WHERE \
         checkout_id = ?1)",
    )?;
    let mut keep = db.prepare_cached("UPDATE checkouts SET unused_since = NULL WHERE id = ?1")?;
    let mut deleted = 0;
    for id in old {
        match delete.execute([&id])? {
            0 => drop(keep.execute([&id])?),
            _ => deleted += 1,
        }
    }
    Ok(deleted)
}
