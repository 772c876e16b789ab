//! Accounts and API keys.

use super::{audit, security_notices};
use crate::{
    audit_values, rows,
    sql::{RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{Account, AccountId, KeyId, SecretKey, audit::AuditContext};

/// The columns of an account, as [`crate::rows::account`] reads them.
#[macro_export]
macro_rules! account_columns {
    () => {
        "id, name, accent, logo, receipts, created_at, suspended_at"
    };
}
pub use account_columns;

/// Columns are listed: a prepared `SELECT *` fails in older nodes once a newer node has added a
/// column.
#[macro_export]
macro_rules! key_columns {
    () => {
        "id, account_id, mode, name, generation, scopes, allowed_addresses, digest, last_four, \
         created_at, last_used_at,
         expires_at, revoked_at"
    };
}
pub use key_columns;

/// Creates an account with keys, and audits both.
pub async fn create_account<S: Sql>(
    db: &S,
    account: &Account,
    keys: &[SecretKey],
    by: &AuditContext,
) -> Result<(), S::Error> {
    db.execute(
        "INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3)",
        &[&account.id.as_str(), &account.name, &account.created_at],
    )
    .await?;
    audit::append(db, by, &audit_values::accounts::account_created(account)).await?;
    for key in keys {
        add_key(db, key, by).await?;
    }
    Ok(())
}

/// All accounts, the oldest first.
pub async fn accounts<S: Sql>(db: &S) -> Result<Vec<Account>, S::Error> {
    let sql = concat!("SELECT ", account_columns!(), " FROM accounts ORDER BY id");
    db.query(sql, &[]).await?.iter().map(rows::account).collect()
}

/// The account with this id.
pub async fn account<S: Sql>(db: &S, id: &AccountId) -> Result<Option<Account>, S::Error> {
    let sql = concat!("SELECT ", account_columns!(), " FROM accounts WHERE id = $1");
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(rows::account).transpose()
}

/// Adds a key, notifies the owners, and audits it.
pub async fn add_key<S: Sql>(db: &S, key: &SecretKey, by: &AuditContext) -> Result<(), S::Error> {
    insert_key(db, key).await?;
    security_notices::notify_of_key(db, key, by).await?;
    audit::append(db, by, &audit_values::keys::key_created(key)).await
}

async fn insert_key<S: Sql>(db: &S, key: &SecretKey) -> Result<(), S::Error> {
    db.execute(
        "INSERT INTO api_keys (id, account_id, mode, name, generation, scopes, allowed_addresses, \
         digest, last_four,
             created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        &[
            &key.id.as_str(),
            &key.scope.account.as_str(),
            &key.scope.mode.as_str(),
            &key.name,
            &key.generation.as_str(),
            &key.scopes.to_string(),
            &key.allowed_addresses.as_ref().map(ToString::to_string),
            &key.digest,
            &key.last_four,
            &key.created_at,
            &key.expires_at,
        ],
    )
    .await
    .map(drop)
}

/// The keys of an account or of all, the oldest first, also those that were revoked.
pub async fn keys<S: Sql>(db: &S, account: Option<&AccountId>) -> Result<Vec<SecretKey>, S::Error> {
    let sql = concat!(
        "SELECT ",
        key_columns!(),
        " FROM api_keys WHERE CAST($1 AS TEXT) IS NULL OR account_id = $1 ORDER BY id"
    );
    db.query(sql, &[&account.map(AccountId::as_str)]).await?.iter().map(rows::key).collect()
}

/// Locks a key. [`RowLock::Update`] waits for the sessions that are being inserted, whose foreign
/// keys lock the row.
pub async fn lock_key<S: Sql>(db: &S, id: &KeyId) -> Result<Option<SecretKey>, S::Error> {
    let sql = concat!("SELECT ", key_columns!(), " FROM api_keys WHERE id = $1");
    let found = db.query_locked(sql, RowLock::Update, &[&id.as_str()]).await?;
    found.first().map(rows::key).transpose()
}

/// Rotates a key that is neither revoked nor expired.
pub async fn rotate_key<S: Sql>(
    db: &S,
    id: &KeyId,
    successor: &SecretKey,
    expires_at: Timestamp,
    by: &AuditContext,
) -> Result<Option<SecretKey>, S::Error> {
    let Some(before) = lock_key(db, id).await? else { return Ok(None) };
    let sql = concat!(
        "UPDATE api_keys SET expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END
         WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) \
         RETURNING ",
        key_columns!()
    );
    let Some(row) = db.query_opt(sql, &[&id.as_str(), &expires_at, &by.at]).await? else {
        return Ok(None);
    };
    let after = rows::key(&row)?;
    audit::append(db, by, &audit_values::keys::key_rotated(&before, &after, &successor.id)).await?;
    add_key(db, successor, by).await?;
    Ok(Some(after))
}

/// Stores when a key was last used. The latest time wins, in whichever order nodes write.
pub async fn note_key_use<S: Sql>(db: &S, id: &KeyId, used_at: Timestamp) -> Result<u64, S::Error> {
    let sql = "UPDATE api_keys
               SET last_used_at = CASE WHEN last_used_at > $2 THEN last_used_at ELSE $2 END
               WHERE id = $1";
    db.execute(sql, &[&id.as_str(), &used_at]).await
}
