//! The rows of the people who use the dashboard.

use super::record::Record;
use crate::rows::{self, user_columns};
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    UserId,
    audit::AuditContext,
    people::{StaffEmail, User},
};

/// Inserts a person who has no role and is not enrolled yet.
pub(super) fn add(
    db: &Connection,
    id: &UserId,
    email: &StaffEmail,
    by: &AuditContext,
) -> Result<User> {
    db.prepare_cached("INSERT INTO users (id, email, created_at) VALUES (?1, ?2, ?3)")?
        .execute((id.as_str(), email.as_str(), by.at.as_millisecond()))?;
    by_id(db, id)?.ok_or(rusqlite::Error::QueryReturnedNoRows)
}

/// Deletes a person who is in no account, with credentials and sessions.
pub(super) fn delete(db: &Connection, user: &UserId) -> Result<()> {
    [
        "DELETE FROM dashboard_sessions WHERE user_id = ?1",
        "DELETE FROM recovery_codes WHERE user_id = ?1",
        "DELETE FROM enrolment_links WHERE user_id = ?1",
        "DELETE FROM mail_messages WHERE user_id = ?1",
        "DELETE FROM passkey_challenges WHERE user_id = ?1",
        "DELETE FROM known_browsers WHERE user_id = ?1",
        "DELETE FROM passkeys WHERE user_id = ?1",
        "DELETE FROM identities WHERE user_id = ?1",
        "DELETE FROM users WHERE id = ?1",
    ]
    .into_iter()
    .try_for_each(|sql| db.prepare_cached(sql)?.execute([user.as_str()]).map(drop))
}

pub(super) fn by_email(db: &Connection, email: &StaffEmail) -> Result<Option<User>> {
    db.prepare_cached(concat!(
        "SELECT ",
        user_columns!(),
        " FROM users WHERE email = ?1 ORDER BY id LIMIT 1"
    ))?
    .query_row([email.as_str()], |row| rows::user(&Record::new(row)))
    .optional()
}

pub(super) fn by_id(db: &Connection, id: &UserId) -> Result<Option<User>> {
    db.prepare_cached(concat!("SELECT ", user_columns!(), " FROM users WHERE id = ?1"))?
        .query_row([id.as_str()], |row| rows::user(&Record::new(row)))
        .optional()
}
