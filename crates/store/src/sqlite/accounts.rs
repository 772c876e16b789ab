//! Accounts and API keys.

use super::idempotency;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    Account, AccountId, KeyId, SecretKey, idempotency::Attempt, refusal_order::NewRequest,
};
use tua_sql::{queries::accounts::account_columns, rows, sqlite::record::Record};

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

/// Every payment reads its account, so the columns are read from the statement. The queries of
/// both engines copy each row and the names of its columns first.
pub(super) fn account(db: &Connection, id: &AccountId) -> Result<Option<Account>> {
    db.prepare_cached(concat!("SELECT ", account_columns!(), " FROM accounts WHERE id = ?1"))?
        .query_row([id.as_str()], |row| rows::account(&Record::new(row)))
        .optional()
}

pub(super) fn key_by_digest(db: &Connection, wanted: &[u8; 32]) -> Result<Option<SecretKey>> {
    let sql = "SELECT *, (SELECT ahead_ms FROM sandbox_clocks
                          WHERE sandbox_clocks.account_id = api_keys.account_id) AS sandbox_ahead_ms
               FROM api_keys WHERE digest = ?1";
    db.prepare_cached(sql)?
        .query_row([wanted], |row| rows::callers_key(&Record::new(row)))
        .optional()
}
