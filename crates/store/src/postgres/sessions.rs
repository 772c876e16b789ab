//! Sessions of the dashboard.

use super::{db::Db, error::Result, record::at};
use crate::queries::security_notices;
use crate::rows::{self, user_columns};
use jiff::Timestamp;
use tua_domain::{SessionId, UserId, language::LanguageTag, people::Session, secret::SecretDigest};

macro_rules! select {
    ($end:literal) => {
        concat!(
            "SELECT dashboard_sessions.id, digest, device, dashboard_sessions.created_at, seen_at, \
             proven_at, ",
            user_columns!(),
            " FROM dashboard_sessions JOIN users ON users.id = user_id WHERE ",
            $end
        )
    };
}

pub(super) async fn insert(db: &Db, session: &Session, ended: Timestamp) -> Result<()> {
    let language = session.user.language.as_ref().map(LanguageTag::as_str);
    let update = "UPDATE users SET language = coalesce($2, language) WHERE id = $1";
    db.execute(update, &[&session.user.id.as_str(), &language]).await?;
    let delete = "DELETE FROM dashboard_sessions WHERE user_id = $1 AND seen_at <= $2";
    db.execute(delete, &[&session.user.id.as_str(), &at(ended)]).await?;
    db.execute(
        "INSERT INTO dashboard_sessions (id, user_id, digest, device, created_at, seen_at, \
         proven_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            &session.id.as_str(),
            &session.user.id.as_str(),
            &&session.digest.0[..],
            &session.device,
            &at(session.created_at),
            &at(session.seen_at),
            &at(session.proven_at),
        ],
    )
    .await?;
    match &session.began_on {
        Some(device) => security_notices::note_browser(db, session, device).await,
        None => Ok(()),
    }
}

pub(super) async fn by_digest(db: &Db, token: SecretDigest) -> Result<Option<Session>> {
    db.query_opt(select!("digest = $1"), &[&&token.0[..]])
        .await?
        .as_ref()
        .map(rows::session)
        .transpose()
}

/// Locks a person's row, as an enrolment does before it ends the sessions.
pub(super) async fn lock_person(db: &Db, user: &UserId) -> Result<()> {
    db.query_opt("SELECT id FROM users WHERE id = $1 FOR UPDATE", &[&user.as_str()]).await.map(drop)
}

pub(super) async fn exists(db: &Db, id: &SessionId) -> Result<bool> {
    Ok(db
        .query_opt("SELECT id FROM dashboard_sessions WHERE id = $1", &[&id.as_str()])
        .await?
        .is_some())
}

pub(super) async fn of_user(db: &Db, user: &UserId) -> Result<Vec<Session>> {
    let sql = select!("user_id = $1 ORDER BY dashboard_sessions.id DESC");
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::session).collect()
}

pub(super) async fn renew(
    db: &Db,
    id: &SessionId,
    token: SecretDigest,
    proven_at: Timestamp,
) -> Result<bool> {
    let sql =
        "UPDATE dashboard_sessions SET digest = $2, proven_at = $3, seen_at = $3 WHERE id = $1";
    Ok(db.execute(sql, &[&id.as_str(), &&token.0[..], &at(proven_at)]).await? == 1)
}

pub(super) async fn note(db: &Db, id: &SessionId, seen_at: Timestamp) -> Result<()> {
    let sql = "UPDATE dashboard_sessions SET seen_at = greatest(seen_at, $2) WHERE id = $1";
    db.execute(sql, &[&id.as_str(), &at(seen_at)]).await.map(drop)
}

pub(super) async fn delete(db: &Db, user: &UserId, id: &SessionId) -> Result<bool> {
    let sql = "DELETE FROM dashboard_sessions WHERE id = $1 AND user_id = $2";
    Ok(db.execute(sql, &[&id.as_str(), &user.as_str()]).await? == 1)
}
