//! Deletes rows after their retention period, in small batches. Rows that another node is deleting
//! are skipped.

use super::record::at;
use crate::subject_end::subject_end;
use tua_domain::retention::{Horizon, Pruned};
use tua_sql::{
    postgres::{
        db::{Db, Parameters},
        error::{Error, Result},
    },
    queries::prune::old_rows,
    sql::{self, Sql},
};

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

/// A session whose charge began just before it expired is kept for good.
const CHECKOUTS: &str = "
    WITH old AS
        (SELECT id, EXISTS (SELECT 1 FROM transactions WHERE checkout_id = checkouts.id) AS used \
    FROM checkouts
         WHERE unused_since <= $1 ORDER BY unused_since LIMIT $2 FOR UPDATE SKIP LOCKED),
    kept AS
        (UPDATE checkouts SET unused_since = NULL FROM old WHERE checkouts.id = old.id AND old.used)
    DELETE FROM checkouts USING old WHERE checkouts.id = old.id AND NOT old.used";

/// Deletes at most `limit` rows of each kind.
pub(super) async fn prune(db: &Db, horizon: Horizon, limit: u32) -> Result<Pruned> {
    let unused: sql::Parameters<'_> = &[&horizon.checkouts, &limit];
    let ((attempts, attempts_kept), checkouts, others) = tokio::try_join!(
        biased;
        attempts(db, horizon, limit),
        Sql::execute(db, CHECKOUTS, unused),
        old_rows(db, horizon, limit),
    )?;
    Ok(Pruned { attempts, attempts_kept, checkouts, ..others })
}

async fn attempts(db: &Db, horizon: Horizon, limit: u32) -> Result<(u64, u64)> {
    let parameters: Parameters<'_> =
        &[&at(horizon.attempts), &i64::from(limit), &at(horizon.attempts_again)];
    let counted = db.query_opt(ATTEMPTS, parameters).await?.ok_or(Error::MissingRow)?;
    let count = |column| Ok::<_, Error>(counted.try_get::<_, i64>(column)?.unsigned_abs());
    Ok((count(0)?, count(1)?))
}
