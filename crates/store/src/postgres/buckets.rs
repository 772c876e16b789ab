//! Token buckets that all nodes share.

use super::batch_ops::column;
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap, HashSet};
use tua_domain::{
    persistent_bucket::{PersistentBucket, TokenCost},
    rate_limit::Exceeded,
};
use tua_sql::postgres::{
    db::Db,
    error::{Error, Result},
};

/// Takes one token from each bucket. Returns the empty buckets by name; those are left unchanged.
pub(super) async fn take_tokens<'a>(
    db: &Db,
    buckets: impl Iterator<Item = (&'a PersistentBucket, Timestamp)>,
) -> Result<HashMap<&'a str, Exceeded>> {
    let mut by_rate: BTreeMap<(i64, i64), Vec<(&PersistentBucket, TokenCost)>> = BTreeMap::new();
    for (bucket, now) in buckets {
        let taking = bucket.taking(now);
        by_rate
            .entry((taking.cost, taking.latest - taking.now))
            .or_default()
            .push((bucket, taking));
    }
    let mut exceeded = HashMap::new();
    for ((cost, window), takings) in by_rate {
        exceeded.extend(take_alike(db, cost, window, &takings).await?);
    }
    Ok(exceeded)
}

/// Returns a token that was taken.
pub(super) async fn return_token(db: &Db, bucket: &PersistentBucket) -> Result<()> {
    let sql = "UPDATE buckets SET full_at = full_at - $2 WHERE name = $1";
    db.execute(sql, &[&bucket.name(), &bucket.cost()]).await.map(drop)
}

async fn take_alike<'a>(
    db: &Db,
    cost: i64,
    window: i64,
    takings: &[(&'a PersistentBucket, TokenCost)],
) -> Result<HashMap<&'a str, Exceeded>> {
    let names = column(takings, |(bucket, _)| bucket.name());
    let taken = db
        .query(
            "INSERT INTO buckets AS kept (name, full_at)
             SELECT name, now + $3 FROM unnest($1::text[], $2::bigint[]) AS taking (name, now) \
             ORDER BY name
             ON CONFLICT (name) DO UPDATE SET full_at = greatest(kept.full_at + $3, \
             excluded.full_at)
             WHERE kept.full_at + $3 <= excluded.full_at - $3 + $4
             RETURNING name",
            &[&names, &column(takings, |(_, taking)| taking.now), &cost, &window],
        )
        .await?;
    if taken.len() == takings.len() {
        return Ok(HashMap::new());
    }
    let taken = taken.iter().map(|row| Ok(row.try_get(0)?)).collect::<Result<HashSet<&str>>>()?;
    let mut empty = HashMap::new();
    for (bucket, taking) in takings.iter().filter(|(bucket, _)| !taken.contains(bucket.name())) {
        let row =
            db.query_opt("SELECT full_at FROM buckets WHERE name = $1", &[&bucket.name()]).await?;
        empty.insert(
            bucket.name(),
            bucket.exceeded(*taking, row.ok_or(Error::MissingRow)?.try_get(0)?),
        );
    }
    Ok(empty)
}
