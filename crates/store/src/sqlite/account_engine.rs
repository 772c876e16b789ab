//! The [`Accounts`] port: each use case is one transaction.

use super::sql::ready;
use super::{SqliteStore, account_changes, accounts, checkouts, key_revocation};
use crate::queries;
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    Account, AccountId, Caller, KeyId, SecretKey,
    audit::AuditContext,
    branding::LogoName,
    ports::{AccountChange, Accounts, OpenSessions, StoreError},
    secret::SecretDigest,
};

#[async_trait]
impl Accounts for SqliteStore {
    async fn create_account(
        &self,
        account: Account,
        keys: Vec<SecretKey>,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let by = by.clone();
        self.writer
            .write(move |db| ready(queries::accounts::create_account(db, &account, &keys, &by)))
            .await
    }

    async fn account(&self, id: &AccountId) -> Result<Option<Account>, StoreError> {
        self.readers.read(|db| accounts::account(db, id))
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.readers.read_many(|db| ready(queries::accounts::accounts(db))).await
    }

    async fn change_account(
        &self,
        id: &AccountId,
        change: AccountChange,
        by: &AuditContext,
    ) -> Result<Option<Account>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| account_changes::change_account(db, &id, &change, &by)).await
    }

    async fn logo(&self, name: &LogoName) -> Result<Option<Vec<u8>>, StoreError> {
        let name = name.clone();
        self.readers.read_many(move |db| account_changes::logo(db, &name)).await
    }

    async fn add_key(&self, key: SecretKey, by: &AuditContext) -> Result<(), StoreError> {
        let by = by.clone();
        self.writer.write(move |db| ready(queries::accounts::add_key(db, &key, &by))).await
    }

    async fn keys(&self, account: Option<&AccountId>) -> Result<Vec<SecretKey>, StoreError> {
        let account = account.cloned();
        self.readers.read_many(move |db| ready(queries::accounts::keys(db, account.as_ref()))).await
    }

    async fn revoke_key(
        &self,
        id: &KeyId,
        sessions: OpenSessions,
        by: &AuditContext,
    ) -> Result<Option<SecretKey>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| key_revocation::revoke_key(db, &id, sessions, &by)).await
    }

    async fn rotate_key(
        &self,
        id: &KeyId,
        successor: SecretKey,
        expires_at: Timestamp,
        by: &AuditContext,
    ) -> Result<Option<SecretKey>, StoreError> {
        let id = id.clone();
        let by = by.clone();
        self.writer
            .write(move |db| accounts::rotate_key(db, &id, &successor, expires_at, &by))
            .await
    }

    async fn note_key_use(&self, id: &KeyId, at: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.writer.write_later(move |db| accounts::note_key_use(db, &id, at))
    }

    async fn caller(
        &self,
        digest: SecretDigest,
        now: Timestamp,
    ) -> Result<Option<Caller>, StoreError> {
        self.readers.read(|db| {
            let key = accounts::key_by_digest(db, &digest.0)?.filter(|key| key.is_valid(now));
            match key {
                Some(key) => Ok(Some(Caller::Key(key))),
                None => Ok(checkouts::by_token(db, &digest.0)?
                    .map(|checkout| Caller::Token(Box::new(checkout)))),
            }
        })
    }
}
