//! Token buckets that survive a restart.

use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    persistent_bucket::{PersistentBucket, TokenCost},
    rate_limit::Exceeded,
};

/// Takes one token from each bucket. If one of them is empty, all stay unchanged, and that is
/// returned.
pub(super) fn take_tokens(
    db: &Connection,
    buckets: &[PersistentBucket],
    now: Timestamp,
) -> Result<Option<Exceeded>> {
    for (index, bucket) in buckets.iter().enumerate() {
        if let Some(exceeded) = take_one(db, bucket, now)? {
            buckets[..index].iter().try_for_each(|taken| return_token(db, taken))?;
            return Ok(Some(exceeded));
        }
    }
    Ok(None)
}

/// Returns a token that was taken.
pub(super) fn return_token(db: &Connection, bucket: &PersistentBucket) -> Result<()> {
    db.prepare_cached("UPDATE buckets SET full_at = full_at - ?2 WHERE name = ?1")?
        .execute((bucket.name(), bucket.cost()))
        .map(drop)
}

/// Takes one token; an empty bucket stays unchanged.
fn take_one(
    db: &Connection,
    bucket: &PersistentBucket,
    now: Timestamp,
) -> Result<Option<Exceeded>> {
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
        return Ok(None);
    }
    let full_at = db
        .prepare_cached("SELECT full_at FROM buckets WHERE name = ?1")?
        .query_row([bucket.name()], |row| row.get(0))?;
    Ok(Some(bucket.exceeded(taking, full_at)))
}
