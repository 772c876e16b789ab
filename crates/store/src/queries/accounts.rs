//! Accounts and API keys.

use super::{audit, security_notices};
use crate::{audit_values, rows, sql::Sql};
use tua_domain::{Account, AccountId, SecretKey, audit::AuditContext};

/// Columns are listed: a prepared `SELECT *` fails in older nodes once a newer node has added a
/// column.
macro_rules! columns {
    () => {
        "id, account_id, mode, name, generation, scopes, allowed_addresses, digest, last_four, \
         created_at, last_used_at,
         expires_at, revoked_at"
    };
}
pub(crate) use columns as key_columns;

pub(crate) async fn create_account<S: Sql>(
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

pub(crate) async fn accounts<S: Sql>(db: &S) -> Result<Vec<Account>, S::Error> {
    let sql = "SELECT id, name, accent, logo, receipts, created_at, suspended_at FROM accounts \
        ORDER BY id";
    db.query(sql, &[]).await?.iter().map(rows::account).collect()
}

pub(crate) async fn add_key<S: Sql>(
    db: &S,
    key: &SecretKey,
    by: &AuditContext,
) -> Result<(), S::Error> {
    insert_key(db, key).await?;
    security_notices::tell_key(db, key, by).await?;
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

pub(crate) async fn keys<S: Sql>(
    db: &S,
    account: Option<&AccountId>,
) -> Result<Vec<SecretKey>, S::Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM api_keys WHERE CAST($1 AS TEXT) IS NULL OR account_id = $1 ORDER BY id"
    );
    db.query(sql, &[&account.map(AccountId::as_str)]).await?.iter().map(rows::key).collect()
}
