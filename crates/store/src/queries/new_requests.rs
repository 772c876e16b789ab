//! What refuses a request for something new, whatever it is for.

use crate::payment_sql::{NewRecord, PaymentSql};
use tua_domain::{AccountId, KeyId, refusal_order::NewRequest};
use tua_sql::{
    columns::maybe_time,
    sql::{RowLock, Sql},
};

/// Claims the idempotency key of a request, and finds what refuses it. That stays so until the
/// commit.
pub(crate) async fn claim<S: PaymentSql>(
    db: &S,
    record: Option<&NewRecord<'_>>,
    key: Option<&KeyId>,
    account: &AccountId,
) -> Result<NewRequest, S::Error> {
    Ok(NewRequest {
        is_repeated: db.claim(record).await?,
        is_key_revoked: lock_revoked(db, key).await?,
        is_account_suspended: lock_suspended(db, account).await?,
    })
}

/// Whether an account is suspended. A suspension that has not been committed waits for this
/// transaction.
pub(crate) async fn lock_suspended<S: Sql>(db: &S, id: &AccountId) -> Result<bool, S::Error> {
    is_set(db, "SELECT suspended_at AS at FROM accounts WHERE id = $1", id.as_str()).await
}

/// Whether a key is revoked. A revocation that has not been committed waits for this transaction,
/// or this one for it.
pub(crate) async fn lock_revoked<S: Sql>(db: &S, id: Option<&KeyId>) -> Result<bool, S::Error> {
    let Some(id) = id else { return Ok(false) };
    is_set(db, "SELECT revoked_at AS at FROM api_keys WHERE id = $1", id.as_str()).await
}

async fn is_set<S: Sql>(db: &S, sql: &str, id: &str) -> Result<bool, S::Error> {
    let found = db.query_locked(sql, RowLock::KeyShare, &[&id]).await?;
    Ok(found.first().map(|row| maybe_time(row, "at")).transpose()?.flatten().is_some())
}

/// As [`lock_revoked`], for a transaction that has locked a row which the revocation changes too,
/// so that this need not wait for it.
pub(crate) async fn is_revoked<S: Sql>(db: &S, id: Option<&KeyId>) -> Result<bool, S::Error> {
    let Some(id) = id else { return Ok(false) };
    let sql = "SELECT 1 FROM api_keys WHERE id = $1 AND revoked_at IS NOT NULL";
    Ok(db.query_opt(sql, &[&id.as_str()]).await?.is_some())
}
