//! The methods of the [`tua_domain::ports::Accounts`] port that are specific to PostgreSQL.

use crate::postgres::{PostgresStore, batch_ops::BatchRead};
use jiff::Timestamp;
use tua_domain::{Account, AccountId, Caller, KeyId, ports::StoreError, secret::SecretDigest};
use tua_sql::queries;

impl PostgresStore {
    /// Finds an account, together with those that others look for.
    pub(crate) async fn find_account(&self, id: &AccountId) -> Result<Option<Account>, StoreError> {
        self.accounts.submit(BatchRead(id.clone())).await
    }

    /// Finds the caller of a credential, valid or not, together with those of others.
    pub(crate) async fn find_caller(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<Caller>, StoreError> {
        self.callers.submit(BatchRead(digest)).await
    }

    /// Stores when a key was last used, without waiting until that is durable.
    ///
    /// # Errors
    /// Those of [`crate::postgres::tx_runner::TxRunner::write`].
    pub(crate) async fn store_key_use(
        &self,
        id: &KeyId,
        used_at: Timestamp,
    ) -> Result<(), StoreError> {
        self.tx
            .write_async_commit(|db| async move {
                queries::accounts::note_key_use(&db, id, used_at).await
            })
            .await
            .map(drop)
    }
}
