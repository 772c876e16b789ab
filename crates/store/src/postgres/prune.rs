//! Deletes rows after their retention period, in small batches. Rows that another node is deleting
//! are skipped.

use super::{
    db::{Db, Parameters},
    error::{Error, Result},
    record::at,
};
use crate::{privacy::old_orders, subject_end::subject_end};
use tua_domain::retention::{Horizon, Pruned};

/// Deletes the records of what has ended, and postpones the others. Returns how many of each there
/// were.
const ATTEMPTS: &str = concat!(
    "WITH old AS
        (SELECT scope, key, ",
    subject_end!("attempts.subject", "$3::bigint"),
    " AS ended_at FROM attempts
         WHERE retained_from <= $1 ORDER BY retained_from LIMIT $2 FOR UPDATE SKIP LOCKED),
    kept AS
        (UPDATE attempts SET retained_from = old.ended_at FROM old
         WHERE attempts.scope = old.scope AND attempts.key = old.key AND old.ended_at > $1 \
     RETURNING 1),
    deleted AS
        (DELETE FROM attempts USING old
         WHERE attempts.scope = old.scope AND attempts.key = old.key AND old.ended_at <= $1 \
     RETURNING 1)
    SELECT (SELECT count(*) FROM deleted), (SELECT count(*) FROM kept)"
);

const DELIVERIES: &str = "
    DELETE FROM webhook_deliveries USING
        (SELECT id FROM webhook_deliveries WHERE due_at IS NULL AND coalesce(attempted_at, \
    occurred_at) <= $1
         ORDER BY coalesce(attempted_at, occurred_at) LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    WHERE webhook_deliveries.id = old.id";

/// A session whose charge began just before it expired is kept for good.
const CHECKOUTS: &str = "
    WITH old AS
        (SELECT id, EXISTS (SELECT 1 FROM transactions WHERE checkout_id = checkouts.id) AS used \
    FROM checkouts
         WHERE unused_since <= $1 ORDER BY unused_since LIMIT $2 FOR UPDATE SKIP LOCKED),
    kept AS
        (UPDATE checkouts SET unused_since = NULL FROM old WHERE checkouts.id = old.id AND old.used)
    DELETE FROM checkouts USING old WHERE checkouts.id = old.id AND NOT old.used";

const BUCKETS: &str = "
    DELETE FROM buckets USING
        (SELECT name FROM buckets WHERE full_at <= $1 ORDER BY full_at LIMIT $2 FOR UPDATE SKIP \
    LOCKED) AS old
    WHERE buckets.name = old.name";

const SANDBOX_ORDERS: &str = concat!(
    "DELETE FROM sandbox_orders USING (",
    old_orders!("$1", "$2"),
    " FOR UPDATE SKIP LOCKED) AS old WHERE sandbox_orders.reference = old.reference"
);

const EXCHANGES: &str = "
    DELETE FROM operator_exchanges USING
        (SELECT id FROM operator_exchanges WHERE at <= $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP \
    LOCKED) AS old
    WHERE operator_exchanges.id = old.id";

const MAIL: &str = "
    DELETE FROM mail_messages USING
        (SELECT id FROM mail_messages WHERE occurred_at <= $1 ORDER BY occurred_at LIMIT $2 FOR \
    UPDATE SKIP LOCKED) AS old
    WHERE mail_messages.id = old.id";

const ALERTS: &str = "
    DELETE FROM mail_alerts USING
        (SELECT id FROM mail_alerts WHERE occurred_at <= $1 ORDER BY occurred_at LIMIT $2 FOR \
    UPDATE SKIP LOCKED) AS old
    WHERE mail_alerts.id = old.id";

/// Deletes at most `most` rows of each kind.
pub(super) async fn prune(db: &Db, horizon: Horizon, most: u32) -> Result<Pruned> {
    let delete = async |sql, before: i64| db.execute(sql, &[&before, &i64::from(most)]).await;
    let (
        (attempts, attempts_kept),
        deliveries,
        checkouts,
        buckets,
        sandbox_orders,
        exchanges,
        mail,
        alerts,
    ) = tokio::try_join!(
        biased;
        attempts(db, horizon, most),
        delete(DELIVERIES, at(horizon.deliveries)),
        delete(CHECKOUTS, at(horizon.checkouts)),
        delete(BUCKETS, horizon.buckets.as_microsecond()),
        delete(SANDBOX_ORDERS, at(horizon.sandbox_orders)),
        delete(EXCHANGES, at(horizon.exchanges)),
        delete(MAIL, at(horizon.mail)),
        delete(ALERTS, at(horizon.mail)),
    )?;
    Ok(Pruned {
        attempts,
        attempts_kept,
        deliveries,
        checkouts,
        buckets,
        sandbox_orders,
        exchanges,
        mail,
        alerts,
    })
}

async fn attempts(db: &Db, horizon: Horizon, most: u32) -> Result<(u64, u64)> {
    let parameters: Parameters<'_> =
        &[&at(horizon.attempts), &i64::from(most), &at(horizon.attempts_again)];
    let counted = db.query_opt(ATTEMPTS, parameters).await?.ok_or(Error::MissingRow)?;
    let count = |column| Ok::<_, Error>(counted.try_get::<_, i64>(column)?.unsigned_abs());
    Ok((count(0)?, count(1)?))
}
