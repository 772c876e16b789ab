//! Deletes rows after their retention period, in small batches.

use crate::subject_end::subject_end;
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::retention::{Horizon, Pruned};
use tua_sql::{queries::prune::old_rows, sqlite::sql::ready};

/// Deletes at most `limit` rows of each kind.
pub(super) fn prune(db: &Connection, horizon: Horizon, limit: u32) -> Result<Pruned> {
    let (attempts, attempts_kept) = attempts(db, horizon, limit)?;
    let checkouts = unused_checkouts(db, horizon.checkouts, limit)?;
    let others = ready(old_rows(db, horizon, limit))?;
    Ok(Pruned { attempts, attempts_kept, checkouts, ..others })
}

/// Deletes the records of what has ended, and postpones the others. Returns how many of each there
/// were.
fn attempts(db: &Connection, horizon: Horizon, limit: u32) -> Result<(u64, u64)> {
    const OLD: &str = concat!(
        "SELECT rowid, ",
        subject_end!("subject", "?3"),
        " FROM attempts WHERE retained_from <= ?1 ORDER BY retained_from LIMIT ?2"
    );
    let (before, again) =
        (horizon.attempts.as_millisecond(), horizon.attempts_again.as_millisecond());
    let old: Vec<(i64, i64)> = db
        .prepare_cached(OLD)?
        .query_map((before, limit, again), |row| Ok((row.get(0)?, row.get(1)?)))?
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
fn unused_checkouts(db: &Connection, before: Timestamp, limit: u32) -> Result<u64> {
    let old: Vec<String> = db
        .prepare_cached(
            "SELECT id FROM checkouts WHERE unused_since <= ?1 ORDER BY unused_since LIMIT ?2",
        )?
        .query_map((before.as_millisecond(), limit), |row| row.get(0))?
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
