//! Accounts and API keys.

use super::{
    batch_ops::{Lookup, by_ordinality, column, without_nul},
    checkouts,
    db::Db,
    error::Result,
    record::at,
};
use crate::queries::{
    accounts::{add_key, key_columns},
    audit,
};
use crate::{audit_values, rows};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashSet;
use tua_domain::{
    Account, AccountId, Caller, Checkout, KeyId, SecretKey, audit::AuditContext,
    secret::SecretDigest,
};

#[async_trait]
impl Lookup for AccountId {
    type Found = Account;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Account>>> {
        let ids = column(ops, |id| without_nul(id.as_str()));
        let sql = "SELECT n, id, name, accent, logo, receipts, created_at, suspended_at
                   FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked, n) JOIN accounts ON id \
            = asked";
        by_ordinality(ops.len(), db.query(sql, &[&ids]).await?, |row| rows::account(&row))
    }
}

/// Which of these accounts are suspended. Read after a row that references the account was
/// inserted: its foreign key locks the account's row, so a suspension has been committed before, or
/// waits.
pub(super) async fn suspended(db: &Db, ids: &[&AccountId]) -> Result<HashSet<AccountId>> {
    let sql = "SELECT id FROM accounts WHERE id = ANY($1) AND suspended_at IS NOT NULL";
    let found = db.query(sql, &[&column(ids, |id| id.as_str())]).await?;
    found.iter().map(|row| Ok(AccountId::new(row.try_get::<_, String>(0)?))).collect()
}

/// Whether an account is suspended. A suspension that has not been committed waits for this
/// transaction.
pub(super) async fn lock_suspended(db: &Db, id: &AccountId) -> Result<bool> {
    let sql = "SELECT suspended_at IS NOT NULL FROM accounts WHERE id = $1 FOR KEY SHARE";
    let found = db.query_opt(sql, &[&id.as_str()]).await?;
    Ok(found.map(|row| row.try_get(0)).transpose()?.unwrap_or(false))
}

/// Which of these keys are revoked. A revocation that has not been committed waits for this
/// transaction, or this one for it: a payment has no foreign key to its key that would lock it.
pub(super) async fn lock_revoked(db: &Db, ids: &[&KeyId]) -> Result<HashSet<KeyId>> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = "SELECT id, revoked_at IS NOT NULL FROM api_keys WHERE id = ANY($1) ORDER BY id FOR \
        KEY SHARE";
    let mut revoked = HashSet::new();
    for row in db.query(sql, &[&column(ids, |id| id.as_str())]).await? {
        if row.try_get(1)? {
            revoked.insert(KeyId::new(row.try_get::<_, String>(0)?));
        }
    }
    Ok(revoked)
}

/// Which of these keys are revoked. Read as [`suspended`], or after a row was locked that the
/// revocation changes.
pub(super) async fn revoked(db: &Db, ids: &[&KeyId]) -> Result<HashSet<KeyId>> {
    let sql = "SELECT id FROM api_keys WHERE id = ANY($1) AND revoked_at IS NOT NULL";
    let found = db.query(sql, &[&column(ids, |id| id.as_str())]).await?;
    found.iter().map(|row| Ok(KeyId::new(row.try_get::<_, String>(0)?))).collect()
}

/// Finds secret keys by the digests of credentials.
pub(super) async fn keys_by_digest(db: &Db, digests: &[&[u8]]) -> Result<Vec<Option<SecretKey>>> {
    let sql = concat!(
        "SELECT n, ",
        key_columns!(),
        " FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (asked, n) JOIN api_keys ON digest = \
         asked"
    );
    by_ordinality(digests.len(), db.query(sql, &[&digests]).await?, |row| rows::key(&row))
}

/// Finds the caller of a credential, valid or not.
#[async_trait]
impl Lookup for SecretDigest {
    type Found = Caller;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Caller>>> {
        let digests = column(ops, |digest| &digest.0[..]);
        let (keys, checkouts) = tokio::try_join!(
            biased;
            keys_by_digest(db, &digests),
            checkouts::by_tokens(db, &digests)
        )?;
        let caller = |(key, checkout): (Option<SecretKey>, Option<Checkout>)| {
            key.map(Caller::Key)
                .or_else(|| checkout.map(|checkout| Caller::Token(Box::new(checkout))))
        };
        Ok(keys.into_iter().zip(checkouts).map(caller).collect())
    }
}

/// Locks a key. `FOR UPDATE` waits for the sessions that are being inserted, whose foreign keys
/// lock the row.
pub(super) async fn lock_key(db: &Db, id: &KeyId) -> Result<Option<SecretKey>> {
    let sql = concat!("SELECT ", key_columns!(), " FROM api_keys WHERE id = $1 FOR UPDATE");
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(rows::key).transpose()
}

/// Rotates a key that is neither revoked nor expired.
pub(super) async fn rotate_key(
    db: &Db,
    id: &KeyId,
    successor: &SecretKey,
    expires_at: Timestamp,
    by: &AuditContext,
) -> Result<Option<SecretKey>> {
    let Some(before) = lock_key(db, id).await? else { return Ok(None) };
    let sql = concat!(
        "UPDATE api_keys SET expires_at = least(expires_at, $2)
         WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) \
         RETURNING ",
        key_columns!()
    );
    let Some(row) = db.query_opt(sql, &[&id.as_str(), &at(expires_at), &at(by.at)]).await? else {
        return Ok(None);
    };
    let after = rows::key(&row)?;
    audit::append(db, by, &audit_values::keys::key_rotated(&before, &after, &successor.id)).await?;
    add_key(db, successor, by).await?;
    Ok(Some(after))
}

/// Stores when a key was last used. The latest time wins, in whichever order nodes write.
pub(super) async fn note_key_use(db: &Db, id: &KeyId, used_at: Timestamp) -> Result<u64> {
    db.execute(
        "UPDATE api_keys SET last_used_at = greatest(last_used_at, $2) WHERE id = $1",
        &[&id.as_str(), &at(used_at)],
    )
    .await
}
