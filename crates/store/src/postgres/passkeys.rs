//! Passkeys of the people who use the dashboard.

use super::{PostgresStore, db::Db, error::Result, record::at, sessions};
use crate::in_doubt::InDoubt;
use crate::queries::audit;
use crate::queries::security_notices;
use crate::{
    audit_values,
    rows::{self, passkey_columns, user_columns},
};
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    PasskeyId, UserId,
    audit::{Action, AuditContext},
    mail::SecurityEvent,
    people::{IDLE_MAX, PASSKEYS_MAX, Passkey, PasskeyChallenge, PasskeyRemoval, Session, User},
    ports::{Passkeys, StoreError},
    secret::SecretDigest,
};

type Stored<T> = std::result::Result<T, StoreError>;

#[async_trait]
impl Passkeys for PostgresStore {
    async fn add_challenge(&self, challenge: PasskeyChallenge, now: Timestamp) -> Stored<()> {
        let challenge = &challenge;
        self.tx
            .write(InDoubt::Retry, |db| async move { add_challenge(&db, challenge, now).await })
            .await
    }

    async fn take_challenge(&self, name: SecretDigest) -> Stored<Option<PasskeyChallenge>> {
        const TAKE: &str = "DELETE FROM passkey_challenges WHERE digest = $1 RETURNING digest, \
            user_id, state, expires_at";
        self.tx
            .write(InDoubt::Surface, |db| async move {
                let row = db.query_opt(TAKE, &[&&name.0[..]]).await?;
                row.as_ref().map(rows::passkey_challenge).transpose()
            })
            .await
    }

    async fn add_passkey(
        &self,
        passkey: Passkey,
        session: &Session,
        by: &AuditContext,
    ) -> Stored<bool> {
        let passkey = &passkey;
        self.tx
            .write(InDoubt::Surface, |db| async move { add(&db, passkey, session, by).await })
            .await
    }

    async fn passkey(&self, credential_id: &[u8]) -> Stored<Option<(Passkey, User)>> {
        const FIND: &str = concat!(
            "SELECT ",
            passkey_columns!(),
            ", ",
            user_columns!(),
            " FROM passkeys JOIN users ON users.id = user_id WHERE credential_id = $1"
        );
        self.tx
            .read(|db| async move {
                let row = db.query_opt(FIND, &[&credential_id]).await?;
                row.as_ref().map(|row| Ok((rows::passkey(row)?, rows::user(row)?))).transpose()
            })
            .await
    }

    async fn passkeys(&self, user: &UserId) -> Stored<Vec<Passkey>> {
        const LIST: &str =
            concat!("SELECT ", passkey_columns!(), " FROM passkeys WHERE user_id = $1 ORDER BY id");
        self.tx
            .read(|db| async move {
                db.query(LIST, &[&user.as_str()]).await?.iter().map(rows::passkey).collect()
            })
            .await
    }

    async fn note_passkey(
        &self,
        id: &PasskeyId,
        credential: String,
        used_at: Timestamp,
        begins: Option<Session>,
    ) -> Stored<bool> {
        let credential = credential.as_str();
        let begins = begins.as_ref();
        // A repeated sign-in would begin the same session again.
        let in_doubt = if begins.is_some() { InDoubt::Surface } else { InDoubt::Retry };
        self.tx
            .write(in_doubt, |db| async move { note(&db, id, credential, used_at, begins).await })
            .await
    }

    async fn remove_passkey(
        &self,
        user: &User,
        id: &PasskeyId,
        issuer: Option<&str>,
        by: &AuditContext,
    ) -> Stored<PasskeyRemoval> {
        self.tx
            .write(InDoubt::Surface, |db| async move { remove(&db, user, id, issuer, by).await })
            .await
    }
}

async fn add_challenge(db: &Db, challenge: &PasskeyChallenge, now: Timestamp) -> Result<()> {
    db.execute("DELETE FROM passkey_challenges WHERE expires_at <= $1", &[&at(now)]).await?;
    let insert = "INSERT INTO passkey_challenges (digest, user_id, state, expires_at) VALUES ($1, \
        $2, $3, $4)
                  ON CONFLICT (digest) DO NOTHING";
    let user = challenge.user.as_ref().map(UserId::as_str);
    db.execute(
        insert,
        &[&&challenge.digest.0[..], &user, &challenge.state, &at(challenge.expires_at)],
    )
    .await
    .map(drop)
}

/// Stores the use of a passkey that is still there. An enrolment locks the person too, and removes
/// the passkeys.
async fn note(
    db: &Db,
    id: &PasskeyId,
    credential: &str,
    used_at: Timestamp,
    begins: Option<&Session>,
) -> Result<bool> {
    let lock =
        "SELECT id FROM users WHERE id = (SELECT user_id FROM passkeys WHERE id = $1) FOR UPDATE";
    db.query_opt(lock, &[&id.as_str()]).await?;
    let update = "UPDATE passkeys SET credential = $2, used_at = $3 WHERE id = $1";
    let is_there = db.execute(update, &[&id.as_str(), &credential, &at(used_at)]).await? == 1;
    if let Some(session) = begins.filter(|_| is_there) {
        sessions::insert(db, session, used_at - IDLE_MAX).await?;
    }
    Ok(is_there)
}

async fn add(db: &Db, passkey: &Passkey, session: &Session, by: &AuditContext) -> Result<bool> {
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
                &at(passkey.created_at),
                &(PASSKEYS_MAX as i64),
                &session.id.as_str(),
            ],
        )
        .await?;
    if added == 1 {
        audit::append(db, by, &audit_values::people::user_changed(Action::PasskeyAdded, user))
            .await?;
        security_notices::tell(db, SecurityEvent::PasskeyAdded, &user.id, by).await?;
    }
    Ok(added == 1)
}

async fn remove(
    db: &Db,
    user: &User,
    id: &PasskeyId,
    issuer: Option<&str>,
    by: &AuditContext,
) -> Result<PasskeyRemoval> {
    // So that two requests cannot each remove the passkey that the other one counts on.
    sessions::lock_person(db, &user.id).await?;
    let delete = rows::delete_passkey!("$1", "$2", "$3");
    let removed = db.execute(delete, &[&id.as_str(), &user.id.as_str(), &issuer]).await?;
    if removed == 1 {
        audit::append(db, by, &audit_values::people::user_changed(Action::PasskeyRemoved, user))
            .await?;
        security_notices::tell(db, SecurityEvent::PasskeyRemoved, &user.id, by).await?;
        return Ok(PasskeyRemoval::Removed);
    }
    let find = "SELECT id FROM passkeys WHERE id = $1 AND user_id = $2";
    let is_there = db.query_opt(find, &[&id.as_str(), &user.id.as_str()]).await?.is_some();
    Ok(if is_there { PasskeyRemoval::OnlyWayIn } else { PasskeyRemoval::Missing })
}

/// Inserts the passkey of an enrolment.
pub(super) async fn insert(db: &Db, passkey: &Passkey) -> Result<()> {
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
            &at(passkey.created_at),
        ],
    )
    .await
    .map(drop)
}
