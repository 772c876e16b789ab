//! Token buckets that survive a restart.

use crate::domain::{
    persistent_bucket::{PersistentBucket, TokenCost},
    rate_limit::Exceeded,
};
use jiff::Timestamp;
use rusqlite::{Connection, Result};

/// Takes one token; an empty bucket stays unchanged.
pub(super) fn take(
    db: &Connection,
    bucket: Option<&PersistentBucket>,
    now: Timestamp,
) -> Result<std::result::Result<(), Exceeded>> {
    let Some(bucket) = bucket else { return Ok(Ok(())) };
    let taking = bucket.taking(now);
    let TokenCost { now, cost, latest } = taking;
    let taken = db
        .prepare_cached(
            "INSERT INTO buckets (name, full_at) VALUES (?1, ?2 + ?3)
             ON CONFLICT (name) DO UPDATE SET full_at = max(min(full_at, ?4), ?2) + ?3
             WHERE max(min(full_at, ?4), ?2) + ?3 <= ?4",
        )?
        .execute((bucket.name(), now, cost, latest))?;
    if taken > 0 {
        return Ok(Ok(()));
    }
    let full_at = db
        .prepare_cached("SELECT full_at FROM buckets WHERE name = ?1")?
        .query_row([bucket.name()], |row| row.get(0))?;
    Ok(Err(bucket.exceeded(taking, full_at)))
}
