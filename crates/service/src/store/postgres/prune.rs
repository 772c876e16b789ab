//! Deletes rows after their retention period, in small batches. Rows that another node is deleting are skipped.

use super::{db::Db, error::Result, record::at};
use crate::domain::retention::{Horizon, Pruned};

const ATTEMPTS: &str = "
    DELETE FROM attempts USING
        (SELECT scope, key FROM attempts WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    WHERE attempts.scope = old.scope AND attempts.key = old.key";

const DELIVERIES: &str = "
    DELETE FROM webhook_deliveries USING
        (SELECT id FROM webhook_deliveries WHERE due_at IS NULL AND attempted_at <= $1
         ORDER BY attempted_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    WHERE webhook_deliveries.id = old.id";

/// A session whose charge began just before it expired is kept for good.
const CHECKOUTS: &str = "
    WITH old AS
        (SELECT id, EXISTS (SELECT 1 FROM transactions WHERE checkout_id = checkouts.id) AS used FROM checkouts
         WHERE unused_since <= $1 ORDER BY unused_since LIMIT $2 FOR UPDATE SKIP LOCKED),
    kept AS
        (UPDATE checkouts SET unused_since = NULL FROM old WHERE checkouts.id = old.id AND old.used)
    DELETE FROM checkouts USING old WHERE checkouts.id = old.id AND NOT old.used";

const BUCKETS: &str = "
    DELETE FROM buckets USING
        (SELECT name FROM buckets WHERE full_at <= $1 ORDER BY full_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    WHERE buckets.name = old.name";

/// Deletes at most `most` rows of each kind.
pub(super) async fn prune(db: &Db, horizon: Horizon, most: u32) -> Result<Pruned> {
    let delete = async |sql, before: i64| db.execute(sql, &[&before, &i64::from(most)]).await;
    let (attempts, deliveries, checkouts, buckets) = tokio::try_join!(
        biased;
        delete(ATTEMPTS, at(horizon.attempts)),
        delete(DELIVERIES, at(horizon.deliveries)),
        delete(CHECKOUTS, at(horizon.checkouts)),
        delete(BUCKETS, horizon.buckets.as_microsecond()),
    )?;
    Ok(Pruned { attempts, deliveries, checkouts, buckets })
}
