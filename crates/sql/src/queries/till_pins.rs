//! The PINs of sessions, and the locks of sessions that have one. Each decision about a try is one
//! statement, so that tries at the same moment are all counted.

use super::audit;
use crate::{audit_values::people, columns::number, sql::Sql};
use jiff::Timestamp;
use tua_domain::{
    SessionId,
    audit::{Action, AuditContext},
    people::{MAX_PIN_TRIES, PasswordHash, Session},
};

/// Sets the PIN of a session, which unlocks it. `false` where the session has ended.
pub async fn set<S: Sql>(
    db: &S,
    session: &Session,
    pin: &PasswordHash,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let sql = "UPDATE dashboard_sessions SET pin = $2, pin_tries = 0, locked_at = NULL, \
               seen_at = $3
               WHERE id = $1";
    let is_set = db.execute(sql, &[&session.id.as_str(), &pin.as_str(), &by.at]).await? == 1;
    if is_set {
        audit::append(db, by, &people::till_pin_changed(Action::TillPinSet, session)).await?;
    }
    Ok(is_set)
}

/// Removes the PIN of a session. `false` where it has none.
pub async fn remove<S: Sql>(
    db: &S,
    session: &Session,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let sql = "UPDATE dashboard_sessions SET pin = NULL, pin_tries = 0, locked_at = NULL, \
               unlocked_at = NULL
               WHERE id = $1 AND pin IS NOT NULL";
    let is_removed = db.execute(sql, &[&session.id.as_str()]).await? == 1;
    if is_removed {
        audit::append(db, by, &people::till_pin_changed(Action::TillPinRemoved, session)).await?;
    }
    Ok(is_removed)
}

/// Locks a session. `false` where it has no PIN.
pub async fn lock<S: Sql>(db: &S, id: &SessionId, now: Timestamp) -> Result<bool, S::Error> {
    let sql = "UPDATE dashboard_sessions SET locked_at = coalesce(locked_at, $2)
               WHERE id = $1 AND pin IS NOT NULL";
    Ok(db.execute(sql, &[&id.as_str(), &now]).await? == 1)
}

/// Counts a try of a PIN, and returns how many there were. `None` where no more may be tried.
pub async fn count_try<S: Sql>(db: &S, id: &SessionId) -> Result<Option<u32>, S::Error> {
    let sql = "UPDATE dashboard_sessions SET pin_tries = pin_tries + 1
               WHERE id = $1 AND pin IS NOT NULL AND pin_tries < $2 RETURNING pin_tries";
    let counted = db.query_opt(sql, &[&id.as_str(), &MAX_PIN_TRIES]).await?;
    counted.as_ref().map(|row| number(row, "pin_tries")).transpose()
}

/// Unlocks a session whose PIN is still this one.
pub async fn unlock<S: Sql>(
    db: &S,
    id: &SessionId,
    pin: &PasswordHash,
    now: Timestamp,
) -> Result<bool, S::Error> {
    let sql = "UPDATE dashboard_sessions SET pin_tries = 0, locked_at = NULL, seen_at = $3, \
               unlocked_at = $3
               WHERE id = $1 AND pin = $2";
    Ok(db.execute(sql, &[&id.as_str(), &pin.as_str(), &now]).await? == 1)
}

/// Ends a session whose PIN may not be tried any more, and audits that.
pub async fn end_locked_out<S: Sql>(
    db: &S,
    session: &Session,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let sql = "DELETE FROM dashboard_sessions
               WHERE id = $1 AND pin IS NOT NULL AND pin_tries >= $2";
    let is_ended = db.execute(sql, &[&session.id.as_str(), &MAX_PIN_TRIES]).await? == 1;
    if is_ended {
        let ended = people::session_ended(Action::SessionLockedOut, &session.user, &session.id);
        audit::append(db, by, &ended).await?;
    }
    Ok(is_ended)
}
