//! The [`Accounts`] port: each use case is one transaction.

use super::{PostgresStore, account_changes, accounts, batch_ops::BatchRead, key_revocation};
use crate::in_doubt::InDoubt;
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

type Stored<T> = Result<T, StoreError>;

#[async_trait]
impl Accounts for PostgresStore {
    async fn create_account(
        &self,
        account: Account,
        keys: Vec<SecretKey>,
        by: &AuditContext,
    ) -> Stored<()> {
        let account = &account;
        let keys = &keys;
        self.tx
            .write(InDoubt::Surface, |db| async move {
                queries::accounts::create_account(&db, account, keys, by).await
            })
            .await
    }

    async fn account(&self, id: &AccountId) -> Stored<Option<Account>> {
        self.accounts.submit(BatchRead(id.clone())).await
    }

    async fn accounts(&self) -> Stored<Vec<Account>> {
        self.tx.read(|db| async move { queries::accounts::accounts(&db).await }).await
    }

    async fn change_account(
        &self,
        id: &AccountId,
        change: AccountChange,
        by: &AuditContext,
    ) -> Stored<Option<Account>> {
        let change = &change;
        self.tx
            .write(InDoubt::Retry, |db| async move {
                account_changes::change_account(&db, id, change, by).await
            })
            .await
    }

    async fn logo(&self, name: &LogoName) -> Stored<Option<Vec<u8>>> {
        self.tx.read(|db| async move { account_changes::logo(&db, name).await }).await
    }

    async fn add_key(&self, key: SecretKey, by: &AuditContext) -> Stored<()> {
        let key = &key;
        self.tx
            .write(
                InDoubt::Surface,
                |db| async move { queries::accounts::add_key(&db, key, by).await },
            )
            .await
    }

    async fn keys(&self, account: Option<&AccountId>) -> Stored<Vec<SecretKey>> {
        self.tx.read(|db| async move { queries::accounts::keys(&db, account).await }).await
    }

    async fn revoke_key(
        &self,
        id: &KeyId,
        sessions: OpenSessions,
        by: &AuditContext,
    ) -> Stored<Option<SecretKey>> {
        self.tx
            .write(InDoubt::Retry, |db| async move {
                key_revocation::revoke_key(&db, id, sessions, by).await
            })
            .await
    }

    async fn rotate_key(
        &self,
        id: &KeyId,
        successor: SecretKey,
        expires_at: Timestamp,
        by: &AuditContext,
    ) -> Stored<Option<SecretKey>> {
        let successor = &successor;
        self.tx
            .write(InDoubt::Surface, |db| async move {
                accounts::rotate_key(&db, id, successor, expires_at, by).await
            })
            .await
    }

    async fn note_key_use(&self, id: &KeyId, at: Timestamp) -> Stored<()> {
        self.tx
            .write_async_commit(|db| async move { accounts::note_key_use(&db, id, at).await })
            .await
            .map(drop)
    }

    async fn caller(&self, digest: SecretDigest, now: Timestamp) -> Stored<Option<Caller>> {
        let caller = self.callers.submit(BatchRead(digest)).await?;
        Ok(caller.filter(|caller| !matches!(caller, Caller::Key(key) if !key.is_valid(now))))
    }
}
