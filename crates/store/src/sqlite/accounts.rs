//! Accounts and API keys.

use super::sql::ready;
use super::{idempotency, record::Record};
use crate::queries::{accounts, audit};
use crate::{audit_values, rows};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    Account, AccountId, KeyId, SecretKey, audit::AuditContext, idempotency::Attempt,
    refusal_order::NewRequest,
};

pub(super) fn account(db: &Connection, id: &AccountId) -> Result<Option<Account>> {
    let mut statement = db.prepare_cached("SELECT * FROM accounts WHERE id = ?1")?;
    statement.query_row([id.as_str()], |row| rows::account(&Record::new(row))).optional()
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

pub(super) fn key_by_digest(db: &Connection, wanted: &[u8; 32]) -> Result<Option<SecretKey>> {
    db.prepare_cached("SELECT * FROM api_keys WHERE digest = ?1")?
        .query_row([wanted], |row| rows::key(&Record::new(row)))
        .optional()
}

pub(super) fn key_by_id(db: &Connection, id: &KeyId) -> Result<Option<SecretKey>> {
    db.prepare_cached("SELECT * FROM api_keys WHERE id = ?1")?
        .query_row([id.as_str()], |row| rows::key(&Record::new(row)))
        .optional()
}

/// Rotates a key that is neither revoked nor expired.
pub(super) fn rotate_key(
    db: &Connection,
    id: &KeyId,
    successor: &SecretKey,
    expires_at: Timestamp,
    by: &AuditContext,
) -> Result<Option<SecretKey>> {
    let before = key_by_id(db, id)?;
    let rotated = db
        .prepare_cached(
            "UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?2), ?2)
             WHERE id = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?3) \
             RETURNING *",
        )?
        .query_row((id.as_str(), expires_at.as_millisecond(), by.at.as_millisecond()), |row| {
            rows::key(&Record::new(row))
        })
        .optional()?;
    if let (Some(before), Some(after)) = (before, &rotated) {
        ready(audit::append(
            db,
            by,
            &audit_values::keys::key_rotated(&before, after, &successor.id),
        ))?;
        ready(accounts::add_key(db, successor, by))?;
    }
    Ok(rotated)
}

pub(super) fn note_key_use(db: &Connection, id: &KeyId, at: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1")?
        .execute((id.as_str(), at.as_millisecond()))
        .map(drop)
}
