//! Accounts and API keys.

use super::{
    batch_ops::{Lookup, by_ordinality, column, without_nul},
    checkouts,
    db::Db,
    error::Result,
    record::{at, maybe_at},
};
use crate::{
    domain::{Account, AccountId, Caller, Checkout, KeyId, SecretKey, secret::SecretDigest},
    store::rows,
};
use async_trait::async_trait;
use jiff::Timestamp;

/// Columns are listed: a prepared `SELECT *` fails in older nodes once a newer node has added a column.
macro_rules! columns {
    () => {
        "id, account_id, mode, name, generation, scopes, allowed_addresses, digest, last_four, created_at, last_used_at,
         expires_at, revoked_at"
    };
}

pub(super) async fn insert_account(db: &Db, account: &Account, keys: &[SecretKey]) -> Result<()> {
    db.execute(
        "INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3)",
        &[&account.id.as_str(), &account.name, &at(account.created_at)],
    )
    .await?;
    for key in keys {
        insert_key(db, key).await?;
    }
    Ok(())
}

#[async_trait]
impl Lookup for AccountId {
    type Found = Account;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Account>>> {
        let ids = column(ops, |id| without_nul(id.as_str()));
        let sql = "SELECT n, id, name, created_at
                   FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked, n) JOIN accounts ON id = asked";
        by_ordinality(ops.len(), db.query(sql, &[&ids]).await?, |row| rows::account(&row))
    }
}

pub(super) async fn insert_key(db: &Db, key: &SecretKey) -> Result<()> {
    db.execute(
        "INSERT INTO api_keys (id, account_id, mode, name, generation, scopes, allowed_addresses, digest, last_four,
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
            &&key.digest.0[..],
            &key.last_four,
            &at(key.created_at),
            &maybe_at(key.expires_at),
        ],
    )
    .await
    .map(drop)
}

pub(super) async fn keys(db: &Db, account: Option<&AccountId>) -> Result<Vec<SecretKey>> {
    let sql = concat!("SELECT ", columns!(), " FROM api_keys WHERE $1::text IS NULL OR account_id = $1 ORDER BY id");
    db.query(sql, &[&account.map(AccountId::as_str)]).await?.iter().map(rows::key).collect()
}

/// Finds secret keys by the digests of credentials.
pub(super) async fn keys_by_digest(db: &Db, digests: &[&[u8]]) -> Result<Vec<Option<SecretKey>>> {
    let sql = concat!(
        "SELECT n, ",
        columns!(),
        " FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (asked, n) JOIN api_keys ON digest = asked"
    );
    by_ordinality(digests.len(), db.query(sql, &[&digests]).await?, |row| rows::key(&row))
}

/// Finds the caller of a credential, valid or not.
#[async_trait]
impl Lookup for SecretDigest {
    type Found = Caller;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Caller>>> {
        let digests = column(ops, |digest| &digest.0[..]);
        let (keys, checkouts) =
            tokio::try_join!(biased; keys_by_digest(db, &digests), checkouts::by_tokens(db, &digests))?;
        let caller = |(key, checkout): (Option<SecretKey>, Option<Checkout>)| {
            key.map(Caller::Key).or_else(|| checkout.map(|checkout| Caller::Token(Box::new(checkout))))
        };
        Ok(keys.into_iter().zip(checkouts).map(caller).collect())
    }
}

pub(super) async fn revoke_key(db: &Db, id: &KeyId, now: Timestamp) -> Result<Option<SecretKey>> {
    let sql = concat!("UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING ", columns!());
    db.query_opt(sql, &[&id.as_str(), &at(now)]).await?.as_ref().map(rows::key).transpose()
}

/// Rotates a key that is neither revoked nor expired.
pub(super) async fn rotate_key(
    db: &Db,
    id: &KeyId,
    successor: &SecretKey,
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<Option<SecretKey>> {
    let sql = concat!(
        "UPDATE api_keys SET expires_at = least(expires_at, $2)
         WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) RETURNING ",
        columns!()
    );
    let Some(row) = db.query_opt(sql, &[&id.as_str(), &at(expires_at), &at(now)]).await? else { return Ok(None) };
    insert_key(db, successor).await?;
    rows::key(&row).map(Some)
}

/// Stores when a key was last used. The latest time wins, in whichever order nodes write.
pub(super) async fn note_key_use(db: &Db, id: &KeyId, used_at: Timestamp) -> Result<u64> {
    db.execute(
        "UPDATE api_keys SET last_used_at = greatest(last_used_at, $2) WHERE id = $1",
        &[&id.as_str(), &at(used_at)],
    )
    .await
}
