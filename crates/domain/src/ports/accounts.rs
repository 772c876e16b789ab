//! The port for accounts, their keys, and who owns a credential.

use super::{AccountChange, OpenSessions, StoreError};
use crate::{
    Account, AccountId, Caller, KeyId, SecretKey, audit::AuditContext, branding::LogoName,
    secret::SecretDigest,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The part of the store for accounts and their keys.
#[async_trait]
pub trait Accounts: Debug + Send + Sync + 'static {
    /// Inserts an account with its first keys.
    async fn create_account(
        &self,
        account: Account,
        keys: Vec<SecretKey>,
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// Finds an account by its id, also a suspended one.
    async fn account(&self, id: &AccountId) -> Result<Option<Account>, StoreError>;
    /// Lists all accounts, oldest first.
    async fn accounts(&self) -> Result<Vec<Account>, StoreError>;
    /// Changes an account. Returns `None` if there is no such account.
    async fn change_account(
        &self,
        id: &AccountId,
        change: AccountChange,
        by: &AuditContext,
    ) -> Result<Option<Account>, StoreError>;
    /// Reads the PNG file of a logo that an account has.
    async fn logo(&self, name: &LogoName) -> Result<Option<Vec<u8>>, StoreError>;
    /// Inserts a key of an existing account.
    async fn add_key(&self, key: SecretKey, by: &AuditContext) -> Result<(), StoreError>;
    /// Lists all keys, or those of one account, oldest first.
    async fn keys(&self, account: Option<&AccountId>) -> Result<Vec<SecretKey>, StoreError>;
    /// Revokes a key, with the open sessions that it created, and refuses its payouts that wait for
    /// an approval. Its orders that are not handed over are stopped
    /// ([`crate::key_revocation::stop`]): against a simultaneous hand-over, exactly one
    /// wins. Returns `None` if there is no such key. A second call does not change the time of
    /// revocation.
    async fn revoke_key(
        &self,
        id: &KeyId,
        sessions: OpenSessions,
        by: &AuditContext,
    ) -> Result<Option<SecretKey>, StoreError>;
    /// Inserts the successor of a key, and sets the key's expiry to `expires_at`, unless it expires
    /// earlier. Returns the changed key. Returns `None` and writes nothing if the key is no longer
    /// valid.
    async fn rotate_key(
        &self,
        id: &KeyId,
        successor: SecretKey,
        expires_at: Timestamp,
        by: &AuditContext,
    ) -> Result<Option<SecretKey>, StoreError>;
    /// Records the last use of a key. The write may be lost in a crash.
    async fn note_key_use(&self, id: &KeyId, at: Timestamp) -> Result<(), StoreError>;
    /// Finds the owner of a credential: a valid key, or a session, which may have expired.
    async fn caller(
        &self,
        digest: SecretDigest,
        now: Timestamp,
    ) -> Result<Option<Caller>, StoreError>;
}
