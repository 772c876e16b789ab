//! Sessions of the dashboard.

use super::{audit, memberships, security_notices};
use crate::{
    audit_values,
    rows::{self, user_columns},
    sql::{RowLock, Sql},
    write_error::WriteError,
};
use jiff::Timestamp;
use tua_domain::{
    SessionId, UserId,
    audit::{Action, AuditChange, AuditContext},
    language::LanguageTag,
    people::{AGE_MAX, RoleRefusal, Session, SignInWay, User, may_sign_out},
    ports::RoleError,
    secret::SecretDigest,
};

macro_rules! select {
    ($clauses:literal) => {
        concat!(
            "SELECT dashboard_sessions.id, digest, device, dashboard_sessions.created_at, seen_at, \
             proven_at, pin, pin_tries, locked_at, unlocked_at, ",
            user_columns!(),
            " FROM dashboard_sessions JOIN users ON users.id = user_id WHERE ",
            $clauses
        )
    };
}

/// Inserts a session. Deletes those of the person that have ended: those that were last seen at
/// `ended` or before, and those that are too old. Returns the entry of the audit log about the
/// sign-in, which is appended last, because that locks the log.
pub(crate) async fn insert<S: Sql>(
    db: &S,
    session: &Session,
    ended: Timestamp,
) -> Result<Option<AuditChange>, S::Error> {
    let language = session.user.language.as_ref().map(LanguageTag::as_str);
    let update = "UPDATE users SET language = coalesce($2, language),
                      signed_in_at = CASE WHEN CAST($3 AS TEXT) IS NULL THEN signed_in_at
                                          ELSE $4 END,
                      signed_in_by = coalesce($3, signed_in_by)
                  WHERE id = $1";
    let way = session.way.map(SignInWay::as_str);
    db.execute(update, &[&session.user.id.as_str(), &language, &way, &session.created_at]).await?;
    // One with a PIN ends only when it is too old.
    let delete = "DELETE FROM dashboard_sessions WHERE user_id = $1
                  AND ((pin IS NULL AND seen_at <= $2) OR created_at <= $3)";
    let too_old = session.created_at - AGE_MAX;
    db.execute(delete, &[&session.user.id.as_str(), &ended, &too_old]).await?;
    db.execute(
        "INSERT INTO dashboard_sessions (id, user_id, digest, device, created_at, seen_at, \
         proven_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            &session.id.as_str(),
            &session.user.id.as_str(),
            &session.digest,
            &session.device,
            &session.created_at,
            &session.seen_at,
            &session.proven_at,
        ],
    )
    .await?;
    let is_new_device = match &session.began_on {
        Some(device) => security_notices::note_browser(db, session, device).await?,
        None => false,
    };
    let action = if is_new_device { Action::SessionBegunOnNewDevice } else { Action::SessionBegun };
    Ok(audit_values::people::session_begun(action, session))
}

/// As `insert`, with the entry of the audit log.
pub async fn begin<S: Sql>(
    db: &S,
    session: &Session,
    ended: Timestamp,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let begun = insert(db, session, ended).await?;
    audit::append_all(db, by, begun.as_slice()).await
}

/// The session whose token has this digest.
pub async fn by_digest<S: Sql>(db: &S, token: SecretDigest) -> Result<Option<Session>, S::Error> {
    let sql = select!("digest = $1");
    db.query_opt(sql, &[&token]).await?.as_ref().map(rows::session).transpose()
}

/// Locks a person's row, as an enrolment does before it ends the sessions.
pub(crate) async fn lock_person<S: Sql>(db: &S, user: &UserId) -> Result<(), S::Error> {
    let sql = "SELECT id FROM users WHERE id = $1";
    db.query_locked(sql, RowLock::Update, &[&user.as_str()]).await.map(drop)
}

pub(crate) async fn exists<S: Sql>(db: &S, id: &SessionId) -> Result<bool, S::Error> {
    let sql = "SELECT id FROM dashboard_sessions WHERE id = $1";
    Ok(db.query_opt(sql, &[&id.as_str()]).await?.is_some())
}

/// The newest sessions first.
pub async fn of_user<S: Sql>(db: &S, user: &UserId) -> Result<Vec<Session>, S::Error> {
    let sql = select!("user_id = $1 ORDER BY dashboard_sessions.id DESC");
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::session).collect()
}

/// Gives a session another token, after the person has proven who they are. `false` where the
/// session has ended.
pub async fn renew<S: Sql>(
    db: &S,
    id: &SessionId,
    token: SecretDigest,
    proven_at: Timestamp,
) -> Result<bool, S::Error> {
    let sql =
        "UPDATE dashboard_sessions SET digest = $2, proven_at = $3, seen_at = $3 WHERE id = $1";
    Ok(db.execute(sql, &[&id.as_str(), &token, &proven_at]).await? == 1)
}

/// Stores when a session was last seen.
pub async fn note<S: Sql>(db: &S, id: &SessionId, seen_at: Timestamp) -> Result<(), S::Error> {
    let sql = "UPDATE dashboard_sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2";
    db.execute(sql, &[&id.as_str(), &seen_at]).await.map(drop)
}

/// Ends all sessions of a person for another one, who must still manage the person everywhere.
/// Returns how many there were.
pub async fn sign_out<S: Sql>(
    db: &S,
    user: &User,
    changer: &UserId,
    by: &AuditContext,
) -> Result<u64, WriteError<RoleError, S::Error>> {
    lock_managed(db, user, changer).await?;
    let ended = delete_all(db, user).await?;
    audit::append_all(db, by, &ended).await?;
    Ok(ended.len() as u64)
}

/// Locks the rows of both people, of whom `changer` must manage the other one everywhere.
pub(crate) async fn lock_managed<S: Sql>(
    db: &S,
    user: &User,
    changer: &UserId,
) -> Result<(), WriteError<RoleError, S::Error>> {
    // A change of roles locks the row of its person.
    let lock = "SELECT id FROM users WHERE id IN ($1, $2) ORDER BY id";
    db.query_locked(lock, RowLock::Update, &[&user.id.as_str(), &changer.as_str()]).await?;
    let of_changer = memberships::of_user(db, changer).await?;
    let of_person = memberships::of_user(db, &user.id).await?;
    if may_sign_out(changer, &of_changer, &of_person) {
        Ok(())
    } else {
        Err(WriteError::Rejected(RoleRefusal::NotPermitted.into()))
    }
}

/// Deletes all sessions of a person. Returns the entries of the audit log, which are appended last,
/// because that locks the log.
pub(crate) async fn delete_all<S: Sql>(db: &S, user: &User) -> Result<Vec<AuditChange>, S::Error> {
    let mut ended = Vec::new();
    for session in of_user(db, &user.id).await? {
        ended.extend(delete(db, user, &session.id).await?);
    }
    Ok(ended)
}

/// Returns `false` if the person has no such session.
pub async fn end<S: Sql>(
    db: &S,
    user: &User,
    id: &SessionId,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let ended = delete(db, user, id).await?;
    audit::append_all(db, by, ended.as_slice()).await?;
    Ok(ended.is_some())
}

/// Deletes a session of a person. Returns the entry of the audit log; `None` if there is none.
async fn delete<S: Sql>(
    db: &S,
    user: &User,
    id: &SessionId,
) -> Result<Option<AuditChange>, S::Error> {
    let sql = "DELETE FROM dashboard_sessions WHERE id = $1 AND user_id = $2";
    let is_ended = db.execute(sql, &[&id.as_str(), &user.id.as_str()]).await? == 1;
    let entry = || audit_values::people::session_ended(Action::SessionEnded, user, id);
    Ok(is_ended.then(entry))
}
