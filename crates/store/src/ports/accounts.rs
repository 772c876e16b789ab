//! The [`Accounts`] port.

use super::both_engines;
use crate::{
    in_doubt::InDoubt,
    queries::{account_changes, key_revocation},
};
use jiff::Timestamp;
use tua_domain::{
    Account, AccountId, Caller, KeyId, SecretKey,
    audit::AuditContext,
    branding::LogoName,
    ports::{AccountChange, Accounts, OpenSessions, StoreError},
    secret::SecretDigest,
};
use tua_sql::queries::accounts;

both_engines! {
    impl Accounts {
        async fn create_account(
            &self,
            account: Account,
            keys: Vec<SecretKey>,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (account, keys, by.clone());
            self.write(InDoubt::Surface, input, async |db, (account, keys, by)| {
                accounts::create_account(db, account, keys, by).await
            })
            .await
        }

        async fn account(&self, id: &AccountId) -> Result<Option<Account>, StoreError> {
            self.find_account(id).await
        }

        async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
            self.read_many((), async |db, ()| accounts::accounts(db).await).await
        }

        async fn change_account(
            &self,
            id: &AccountId,
            change: AccountChange,
            by: &AuditContext,
        ) -> Result<Option<Account>, StoreError> {
            let input = (id.clone(), change, by.clone());
            self.write(InDoubt::Retry, input, async |db, (id, change, by)| {
                account_changes::change_account(db, id, change, by).await
            })
            .await
        }

        async fn logo(&self, name: &LogoName) -> Result<Option<Vec<u8>>, StoreError> {
            self.read_many(name.clone(), async |db, name| account_changes::logo(db, name).await)
                .await
        }

        async fn add_key(&self, key: SecretKey, by: &AuditContext) -> Result<(), StoreError> {
            self.write(InDoubt::Surface, (key, by.clone()), async |db, (key, by)| {
                accounts::add_key(db, key, by).await
            })
            .await
        }

        async fn keys(&self, account: Option<&AccountId>) -> Result<Vec<SecretKey>, StoreError> {
            self.read_many(account.cloned(), async |db, account| {
                accounts::keys(db, account.as_ref()).await
            })
            .await
        }

        async fn revoke_key(
            &self,
            id: &KeyId,
            sessions: OpenSessions,
            by: &AuditContext,
        ) -> Result<Option<SecretKey>, StoreError> {
            let input = (id.clone(), by.clone());
            self.write(InDoubt::Retry, input, async move |db, (id, by)| {
                key_revocation::revoke_key(db, id, sessions, by).await
            })
            .await
        }

        async fn rotate_key(
            &self,
            id: &KeyId,
            successor: SecretKey,
            expires_at: Timestamp,
            by: &AuditContext,
        ) -> Result<Option<SecretKey>, StoreError> {
            let input = (id.clone(), successor, by.clone());
            self.write(InDoubt::Surface, input, async move |db, (id, successor, by)| {
                accounts::rotate_key(db, id, successor, expires_at, by).await
            })
            .await
        }

        async fn note_key_use(&self, id: &KeyId, at: Timestamp) -> Result<(), StoreError> {
            self.store_key_use(id, at).await
        }

        async fn caller(
            &self,
            digest: SecretDigest,
            now: Timestamp,
        ) -> Result<Option<Caller>, StoreError> {
            let caller = self.find_caller(digest).await?;
            Ok(caller.filter(|caller| !matches!(caller, Caller::Key(key) if !key.is_valid(now))))
        }
    }
}
