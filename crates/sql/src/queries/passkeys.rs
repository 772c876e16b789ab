//! Passkeys of the people who use the dashboard.

use super::{audit, security_notices, sessions};
use crate::{
    audit_values,
    rows::{self, user_columns},
    sql::{RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{
    PasskeyId, UserId,
    audit::{Action, AuditContext},
    mail::SecurityEvent,
    people::{IDLE_MAX, PASSKEYS_MAX, Passkey, PasskeyChallenge, PasskeyRemoval, Session, User},
    secret::SecretDigest,
};

/// The columns of a passkey, as [`rows::passkey`] reads them.
macro_rules! columns {
    () => {
        "passkeys.id AS passkey_id, passkeys.user_id, credential_id, credential, device, \
         passkeys.created_at, used_at"
    };
}

/// Deletes a passkey of a person who has another way in: a password, an identity at the provider
/// with this issuer identifier, or another passkey.
const DELETE: &str = "DELETE FROM passkeys WHERE id = $1 AND user_id = $2
    AND (EXISTS (SELECT 1 FROM users WHERE users.id = $2 AND password IS NOT NULL)
         OR EXISTS (SELECT 1 FROM identities
                    WHERE identities.user_id = $2 AND identities.issuer = $3)
         OR EXISTS (SELECT 1 FROM passkeys AS other
                    WHERE other.user_id = $2 AND other.id <> $1))";

/// Stores a challenge, and deletes those that have expired.
pub async fn add_challenge<S: Sql>(
    db: &S,
    challenge: &PasskeyChallenge,
    now: Timestamp,
) -> Result<(), S::Error> {
    db.execute("DELETE FROM passkey_challenges WHERE expires_at <= $1", &[&now]).await?;
    let insert = "INSERT INTO passkey_challenges (digest, user_id, state, expires_at) VALUES ($1, \
        $2, $3, $4)
                  ON CONFLICT (digest) DO NOTHING";
    let user = challenge.user.as_ref().map(UserId::as_str);
    db.execute(insert, &[&challenge.digest, &user, &challenge.state, &challenge.expires_at])
        .await
        .map(drop)
}

/// Returns a challenge, and deletes it, so that it is used once.
pub async fn take_challenge<S: Sql>(
    db: &S,
    name: SecretDigest,
) -> Result<Option<PasskeyChallenge>, S::Error> {
    let sql = "DELETE FROM passkey_challenges WHERE digest = $1 RETURNING digest, user_id, state, \
        expires_at";
    db.query_opt(sql, &[&name]).await?.as_ref().map(rows::passkey_challenge).transpose()
}

/// The passkey with this credential, and its person.
pub async fn by_credential<S: Sql>(
    db: &S,
    credential_id: &[u8],
) -> Result<Option<(Passkey, User)>, S::Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        ", ",
        user_columns!(),
        " FROM passkeys JOIN users ON users.id = user_id WHERE credential_id = $1"
    );
    let row = db.query_opt(sql, &[&credential_id]).await?;
    row.as_ref().map(|row| Ok((rows::passkey(row)?, rows::user(row)?))).transpose()
}

/// The passkeys of a person, the oldest first.
pub async fn of_user<S: Sql>(db: &S, user: &UserId) -> Result<Vec<Passkey>, S::Error> {
    let sql = concat!("SELECT ", columns!(), " FROM passkeys WHERE user_id = $1 ORDER BY id");
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::passkey).collect()
}

/// Stores the use of a passkey that is still there. An enrolment locks the person too, and removes
/// the passkeys.
pub async fn note<S: Sql>(
    db: &S,
    id: &PasskeyId,
    credential: &str,
    used_at: Timestamp,
    begins: Option<&(Session, AuditContext)>,
) -> Result<bool, S::Error> {
    let lock = "SELECT id FROM users WHERE id = (SELECT user_id FROM passkeys WHERE id = $1)";
    db.query_locked(lock, RowLock::Update, &[&id.as_str()]).await?;
    let update = "UPDATE passkeys SET credential = $2, used_at = $3 WHERE id = $1";
    let is_there = db.execute(update, &[&id.as_str(), &credential, &used_at]).await? == 1;
    if let Some((session, by)) = begins.filter(|_| is_there) {
        sessions::begin(db, session, used_at - IDLE_MAX, by).await?;
    }
    Ok(is_there)
}

/// Adds a passkey to the person of a session. `false` where they have too many, where another
/// person has it, or where the session has ended.
pub async fn add<S: Sql>(
    db: &S,
    passkey: &Passkey,
    session: &Session,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let user = &session.user;
    // So that two requests of one person cannot both be the last one below the limit, and that none
    // passes an enrolment, which ends the sessions.
    sessions::lock_person(db, &user.id).await?;
    let insert = "INSERT INTO passkeys (id, user_id, credential_id, credential, device, created_at)
                  SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM passkeys WHERE user_id \
        = $2) < $7
                    AND EXISTS (SELECT 1 FROM dashboard_sessions WHERE id = $8)
                  ON CONFLICT (credential_id) DO NOTHING";
    let added = db
        .execute(
            insert,
            &[
                &passkey.id.as_str(),
                &passkey.user.as_str(),
                &passkey.credential_id,
                &passkey.credential,
                &passkey.device,
                &passkey.created_at,
                &(PASSKEYS_MAX as i64),
                &session.id.as_str(),
            ],
        )
        .await?;
    if added == 1 {
        security_notices::notify_user(db, SecurityEvent::PasskeyAdded, &user.id, by).await?;
        audit::append(db, by, &audit_values::people::user_changed(Action::PasskeyAdded, user))
            .await?;
    }
    Ok(added == 1)
}

/// Removes a passkey, unless it is the only way in.
pub async fn remove<S: Sql>(
    db: &S,
    user: &User,
    id: &PasskeyId,
    issuer: Option<&str>,
    by: &AuditContext,
) -> Result<PasskeyRemoval, S::Error> {
    // So that two requests cannot each remove the passkey that the other one counts on.
    sessions::lock_person(db, &user.id).await?;
    let removed = db.execute(DELETE, &[&id.as_str(), &user.id.as_str(), &issuer]).await?;
    if removed == 1 {
        security_notices::notify_user(db, SecurityEvent::PasskeyRemoved, &user.id, by).await?;
        audit::append(db, by, &audit_values::people::user_changed(Action::PasskeyRemoved, user))
            .await?;
        return Ok(PasskeyRemoval::Removed);
    }
    let find = "SELECT id FROM passkeys WHERE id = $1 AND user_id = $2";
    let is_there = db.query_opt(find, &[&id.as_str(), &user.id.as_str()]).await?.is_some();
    Ok(if is_there { PasskeyRemoval::OnlyWayIn } else { PasskeyRemoval::Missing })
}

/// Inserts the passkey of an enrolment.
pub(crate) async fn insert<S: Sql>(db: &S, passkey: &Passkey) -> Result<(), S::Error> {
    let insert = "INSERT INTO passkeys (id, user_id, credential_id, credential, device, created_at)
                  VALUES ($1, $2, $3, $4, $5, $6)";
    db.execute(
        insert,
        &[
            &passkey.id.as_str(),
            &passkey.user.as_str(),
            &passkey.credential_id,
            &passkey.credential,
            &passkey.device,
            &passkey.created_at,
        ],
    )
    .await
    .map(drop)
}
