//! The methods of the [`tua_domain::ports::Accounts`] port that are specific to SQLite.

use crate::sqlite::{SqliteStore, accounts, checkouts};
use jiff::Timestamp;
use tua_domain::{Account, AccountId, Caller, KeyId, ports::StoreError, secret::SecretDigest};
use tua_sql::{queries, sqlite::sql::ready};

impl SqliteStore {
    /// Finds an account.
    pub(crate) async fn find_account(&self, id: &AccountId) -> Result<Option<Account>, StoreError> {
        self.readers.read(|db| accounts::account(db, id))
    }

    /// Finds the caller of a credential, valid or not.
    pub(crate) async fn find_caller(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<Caller>, StoreError> {
        self.readers.read(|db| match accounts::key_by_digest(db, &digest.0)? {
            Some(key) => Ok(Some(Caller::Key(key))),
            None => Ok(checkouts::by_token(db, &digest.0)?
                .map(|checkout| Caller::Token(Box::new(checkout)))),
        })
    }

    /// Stores when a key was last used, without waiting until that is durable.
    ///
    /// # Errors
    /// Those of [`crate::sqlite::writer::Writer::write_later`].
    pub(crate) async fn store_key_use(
        &self,
        id: &KeyId,
        used_at: Timestamp,
    ) -> Result<(), StoreError> {
        let id = id.clone();
        self.writer.write_later(move |db| {
            ready(queries::accounts::note_key_use(db, &id, used_at)).map(drop)
        })
    }
}
