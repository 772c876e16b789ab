//! The rows of the people who use the dashboard.

use crate::{
    rows::{self, user_columns},
    sql::{MissingRow, RowLock, Sql},
};
use tua_domain::{
    UserId,
    audit::AuditContext,
    people::{StaffEmail, User},
};

/// Inserts a person who has no role and is not enrolled yet.
pub(crate) async fn add<S: Sql>(
    db: &S,
    id: &UserId,
    email: &StaffEmail,
    by: &AuditContext,
) -> Result<User, S::Error> {
    let insert = "INSERT INTO users (id, email, created_at) VALUES ($1, $2, $3)";
    db.execute(insert, &[&id.as_str(), &email.as_str(), &by.at]).await?;
    by_id(db, id).await?.ok_or_else(|| MissingRow.into())
}

/// Deletes a person who is in no account, with credentials and sessions.
pub(crate) async fn delete<S: Sql>(db: &S, user: &UserId) -> Result<(), S::Error> {
    for sql in [
        "DELETE FROM dashboard_sessions WHERE user_id = $1",
        "DELETE FROM recovery_codes WHERE user_id = $1",
        "DELETE FROM enrolment_links WHERE user_id = $1",
        "DELETE FROM mail_messages WHERE user_id = $1",
        "DELETE FROM passkey_challenges WHERE user_id = $1",
        "DELETE FROM known_browsers WHERE user_id = $1",
        "DELETE FROM passkeys WHERE user_id = $1",
        "DELETE FROM identities WHERE user_id = $1",
        "DELETE FROM users WHERE id = $1",
    ] {
        db.execute(sql, &[&user.as_str()]).await?;
    }
    Ok(())
}

/// The person with this id.
pub async fn by_id<S: Sql>(db: &S, id: &UserId) -> Result<Option<User>, S::Error> {
    let sql = concat!("SELECT ", user_columns!(), " FROM users WHERE id = $1");
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(rows::user).transpose()
}

/// Locks everybody with this address: who is removed from the last account is deleted, and another
/// account may add the person at the same time.
pub(crate) async fn lock_address<S: Sql>(db: &S, email: &StaffEmail) -> Result<(), S::Error> {
    let sql = "SELECT id FROM users WHERE email = $1 ORDER BY id";
    db.query_locked(sql, RowLock::Update, &[&email.as_str()]).await.map(drop)
}

/// The person with this address.
pub async fn by_email<S: Sql>(db: &S, email: &StaffEmail) -> Result<Option<User>, S::Error> {
    let sql =
        concat!("SELECT ", user_columns!(), " FROM users WHERE email = $1 ORDER BY id LIMIT 1");
    db.query_opt(sql, &[&email.as_str()]).await?.as_ref().map(rows::user).transpose()
}
