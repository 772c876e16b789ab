//! Accounts and API keys.

use super::{SqliteStore, checkouts, idempotency, record::Record, sql::ready};
use crate::{queries::accounts, rows};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    Account, AccountId, Caller, KeyId, SecretKey, idempotency::Attempt, ports::StoreError,
    refusal_order::NewRequest, secret::SecretDigest,
};

impl SqliteStore {
    /// Finds an account.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub(crate) async fn find_account(
        &self,
        id: &AccountId,
    ) -> std::result::Result<Option<Account>, StoreError> {
        self.readers.read(|db| ready(accounts::account(db, id)))
    }

    /// Finds the caller of a credential, valid or not.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub(crate) async fn find_caller(
        &self,
        digest: SecretDigest,
    ) -> std::result::Result<Option<Caller>, StoreError> {
        self.readers.read(|db| match key_by_digest(db, &digest.0)? {
            Some(key) => Ok(Some(Caller::Key(key))),
            None => Ok(checkouts::by_token(db, &digest.0)?
                .map(|checkout| Caller::Token(Box::new(checkout)))),
        })
    }

    /// Stores when a key was last used, without waiting until that is durable.
    ///
    /// # Errors
    /// Those of [`super::writer::Writer::write_later`].
    pub(crate) async fn store_key_use(
        &self,
        id: &KeyId,
        used_at: Timestamp,
    ) -> std::result::Result<(), StoreError> {
        let id = id.clone();
        self.writer.write_later(move |db| ready(accounts::note_key_use(db, &id, used_at)).map(drop))
    }
}

pub(super) fn is_suspended(db: &Connection, id: &AccountId) -> Result<bool> {
    db.prepare_cached("SELECT suspended_at IS NOT NULL FROM accounts WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
}

/// What refuses everything new of an account.
pub(super) struct Blocked {
    /// The key of the request was revoked after it was authenticated.
    pub(super) is_key_revoked: bool,
    pub(super) is_account_suspended: bool,
}

/// Reads both at once, because every charge asks.
pub(super) fn blocked(
    db: &Connection,
    key: Option<&KeyId>,
    account: &AccountId,
) -> Result<Blocked> {
    db.prepare_cached(
        "SELECT suspended_at IS NOT NULL,
                EXISTS (SELECT 1 FROM api_keys WHERE id = ?2 AND revoked_at IS NOT NULL)
         FROM accounts WHERE id = ?1",
    )?
    .query_row((account.as_str(), key.map(KeyId::as_str)), |row| {
        Ok(Blocked { is_account_suspended: row.get(0)?, is_key_revoked: row.get(1)? })
    })
}

/// What refuses a request for something new.
pub(super) fn new_request(
    db: &Connection,
    attempt: Option<&Attempt>,
    key: Option<&KeyId>,
    account: &AccountId,
) -> Result<NewRequest> {
    let Blocked { is_key_revoked, is_account_suspended } = blocked(db, key, account)?;
    Ok(NewRequest {
        is_repeated: idempotency::exists(db, attempt)?,
        is_key_revoked,
        is_account_suspended,
    })
}

pub(super) fn is_key_revoked(db: &Connection, key: Option<&KeyId>) -> Result<bool> {
    let Some(key) = key else { return Ok(false) };
    db.prepare_cached("SELECT 1 FROM api_keys WHERE id = ?1 AND revoked_at IS NOT NULL")?
        .exists([key.as_str()])
}

fn key_by_digest(db: &Connection, wanted: &[u8; 32]) -> Result<Option<SecretKey>> {
    db.prepare_cached("SELECT * FROM api_keys WHERE digest = ?1")?
        .query_row([wanted], |row| rows::key(&Record::new(row)))
        .optional()
}
