//! Sessions of the dashboard.

use super::record::Record;
use super::sql::ready;
use crate::queries::security_notices;
use crate::rows::{self, user_columns};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_domain::{SessionId, UserId, language::LanguageTag, people::Session, secret::SecretDigest};

macro_rules! select {
    ($end:literal) => {
        concat!(
            "SELECT dashboard_sessions.*, ",
            user_columns!(),
            " FROM dashboard_sessions JOIN users ON users.id = user_id WHERE ",
            $end
        )
    };
}

pub(super) fn insert(db: &Connection, session: &Session, ended: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE users SET language = coalesce(?2, language) WHERE id = ?1")?
        .execute((
            session.user.id.as_str(),
            session.user.language.as_ref().map(LanguageTag::as_str),
        ))?;
    db.prepare_cached("DELETE FROM dashboard_sessions WHERE user_id = ?1 AND seen_at <= ?2")?
        .execute((session.user.id.as_str(), ended.as_millisecond()))?;
    db.prepare_cached(
        "INSERT INTO dashboard_sessions (id, user_id, digest, device, created_at, seen_at, \
         proven_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        session.id.as_str(),
        session.user.id.as_str(),
        session.digest.0,
        session.device,
        session.created_at.as_millisecond(),
        session.seen_at.as_millisecond(),
        session.proven_at.as_millisecond(),
    ])?;
    match &session.began_on {
        Some(device) => ready(security_notices::note_browser(db, session, device)),
        None => Ok(()),
    }
}

pub(super) fn by_digest(db: &Connection, token: SecretDigest) -> Result<Option<Session>> {
    db.prepare_cached(select!("digest = ?1"))?
        .query_row([token.0], |row| rows::session(&Record::new(row)))
        .optional()
}

pub(super) fn exists(db: &Connection, id: &SessionId) -> Result<bool> {
    db.prepare_cached("SELECT id FROM dashboard_sessions WHERE id = ?1")?.exists([id.as_str()])
}

pub(super) fn of_user(db: &Connection, user: &UserId) -> Result<Vec<Session>> {
    db.prepare_cached(select!("user_id = ?1 ORDER BY dashboard_sessions.id DESC"))?
        .query_map([user.as_str()], |row| rows::session(&Record::new(row)))?
        .collect()
}

pub(super) fn renew(
    db: &Connection,
    id: &SessionId,
    token: SecretDigest,
    proven_at: Timestamp,
) -> Result<bool> {
    let renewed = db
        .prepare_cached(
            "UPDATE dashboard_sessions SET digest = ?2, proven_at = ?3, seen_at = ?3 WHERE id = ?1",
        )?
        .execute((id.as_str(), token.0, proven_at.as_millisecond()))?;
    Ok(renewed == 1)
}

pub(super) fn note(db: &Connection, id: &SessionId, seen_at: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE dashboard_sessions SET seen_at = max(seen_at, ?2) WHERE id = ?1")?
        .execute((id.as_str(), seen_at.as_millisecond()))
        .map(drop)
}

pub(super) fn delete(db: &Connection, user: &UserId, id: &SessionId) -> Result<bool> {
    let deleted = db
        .prepare_cached("DELETE FROM dashboard_sessions WHERE id = ?1 AND user_id = ?2")?
        .execute((id.as_str(), user.as_str()))?;
    Ok(deleted == 1)
}
