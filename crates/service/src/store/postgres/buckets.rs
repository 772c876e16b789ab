//! Token buckets that all nodes share.

use super::{
    error::{Error, Result},
    session::Db,
};
use crate::limits::{Exceeded, KeptBucket, Taking};
use jiff::Timestamp;

/// Takes one; nothing is written where there is none left.
pub(super) async fn take(
    db: &Db,
    bucket: Option<&KeptBucket>,
    now: Timestamp,
) -> Result<std::result::Result<(), Exceeded>> {
    let Some(bucket) = bucket else { return Ok(Ok(())) };
    let taking = bucket.taking(now);
    let Taking { now, cost, latest } = taking;
    let taken = db
        .run(
            "INSERT INTO buckets AS kept (name, full_at) VALUES ($1, $2::bigint + $3::bigint)
             ON CONFLICT (name) DO UPDATE SET full_at = greatest(least(kept.full_at, $4::bigint), $2) + $3
             WHERE greatest(least(kept.full_at, $4), $2) + $3 <= $4",
            &[&bucket.name(), &now, &cost, &latest],
        )
        .await?;
    if taken > 0 {
        return Ok(Ok(()));
    }
    let row = db.one("SELECT full_at FROM buckets WHERE name = $1", &[&bucket.name()]).await?.ok_or(Error::Missing)?;
    Ok(Err(bucket.exceeded(taking, row.try_get(0)?)))
}
