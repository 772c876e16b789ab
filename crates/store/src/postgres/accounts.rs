//! Accounts and API keys.

use super::batch_ops::{Lookup, by_ordinality, column, without_nul};
use async_trait::async_trait;
use std::collections::HashSet;
use tua_domain::{Account, AccountId, KeyId};
use tua_sql::{
    postgres::{db::Db, error::Result},
    queries::accounts::account_columns,
    rows,
};

#[async_trait]
impl Lookup for AccountId {
    type Found = Account;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Account>>> {
        let ids = column(ops, |id| without_nul(id.as_str()));
        let sql = concat!(
            "SELECT n, ",
            account_columns!(),
            " FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked, n) JOIN accounts ON id = \
             asked"
        );
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
