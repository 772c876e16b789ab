//! Accounts and API keys.

use super::{
    PostgresStore,
    batch_ops::{BatchRead, Lookup, by_ordinality, column, without_nul},
    checkouts,
    db::Db,
    error::Result,
};
use crate::{
    queries::accounts::{self, account_columns, key_columns},
    rows,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashSet;
use tua_domain::{
    Account, AccountId, Caller, Checkout, KeyId, SecretKey, ports::StoreError, secret::SecretDigest,
};

impl PostgresStore {
    /// Finds an account, together with those that others look for.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub(crate) async fn find_account(
        &self,
        id: &AccountId,
    ) -> std::result::Result<Option<Account>, StoreError> {
        self.accounts.submit(BatchRead(id.clone())).await
    }

    /// Finds the caller of a credential, valid or not, together with those of others.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub(crate) async fn find_caller(
        &self,
        digest: SecretDigest,
    ) -> std::result::Result<Option<Caller>, StoreError> {
        self.callers.submit(BatchRead(digest)).await
    }

    /// Stores when a key was last used, without waiting until that is durable.
    ///
    /// # Errors
    /// Those of [`super::tx_runner::TxRunner::write`].
    pub(crate) async fn store_key_use(
        &self,
        id: &KeyId,
        used_at: Timestamp,
    ) -> std::result::Result<(), StoreError> {
        self.tx
            .write_async_commit(|db| async move { accounts::note_key_use(&db, id, used_at).await })
            .await
            .map(drop)
    }
}

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
