//! Passkeys of the people who use the dashboard.

use super::sql::ready;
use super::{SqliteStore, record::Record, sessions};
use crate::queries::audit;
use crate::queries::security_notices;
use crate::{
    audit_values,
    rows::{self, passkey_columns, user_columns},
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_domain::{
    PasskeyId, UserId,
    audit::{Action, AuditContext},
    mail::SecurityEvent,
    people::{IDLE_MAX, PASSKEYS_MAX, Passkey, PasskeyChallenge, PasskeyRemoval, Session, User},
    ports::{Passkeys, StoreError},
    secret::SecretDigest,
};

#[async_trait]
impl Passkeys for SqliteStore {
    async fn add_challenge(
        &self,
        challenge: PasskeyChallenge,
        now: Timestamp,
    ) -> std::result::Result<(), StoreError> {
        self.writer
            .write(move |db| {
                db.prepare_cached("DELETE FROM passkey_challenges WHERE expires_at <= ?1")?
                    .execute([now.as_millisecond()])?;
                db.prepare_cached(
                "INSERT INTO passkey_challenges (digest, user_id, state, expires_at) VALUES (?1, \
                 ?2, ?3, ?4)",
            )?
            .execute((
                challenge.digest.0,
                challenge.user.as_ref().map(UserId::as_str),
                &challenge.state,
                challenge.expires_at.as_millisecond(),
            ))
            .map(drop)
            })
            .await
    }

    async fn take_challenge(
        &self,
        name: SecretDigest,
    ) -> std::result::Result<Option<PasskeyChallenge>, StoreError> {
        self.writer
            .write(move |db| {
                db.prepare_cached("DELETE FROM passkey_challenges WHERE digest = ?1 RETURNING *")?
                    .query_row([name.0], |row| rows::passkey_challenge(&Record::new(row)))
                    .optional()
            })
            .await
    }

    async fn add_passkey(
        &self,
        passkey: Passkey,
        session: &Session,
        by: &AuditContext,
    ) -> std::result::Result<bool, StoreError> {
        let session = session.clone();
        let by = by.clone();
        self.writer.write(move |db| add(db, &passkey, &session, &by)).await
    }

    async fn passkey(
        &self,
        credential_id: &[u8],
    ) -> std::result::Result<Option<(Passkey, User)>, StoreError> {
        const FIND: &str = concat!(
            "SELECT ",
            passkey_columns!(),
            ", ",
            user_columns!(),
            " FROM passkeys JOIN users ON users.id = user_id WHERE credential_id = ?1"
        );
        self.readers.read(|db| {
            let read = |row: &rusqlite::Row<'_>| {
                let record = Record::new(row);
                Ok((rows::passkey(&record)?, rows::user(&record)?))
            };
            db.prepare_cached(FIND)?.query_row([credential_id], read).optional()
        })
    }

    async fn passkeys(&self, user: &UserId) -> std::result::Result<Vec<Passkey>, StoreError> {
        const LIST: &str =
            concat!("SELECT ", passkey_columns!(), " FROM passkeys WHERE user_id = ?1 ORDER BY id");
        self.readers.read(|db| {
            db.prepare_cached(LIST)?
                .query_map([user.as_str()], |row| rows::passkey(&Record::new(row)))?
                .collect()
        })
    }

    async fn note_passkey(
        &self,
        id: &PasskeyId,
        credential: String,
        used_at: Timestamp,
        begins: Option<Session>,
    ) -> std::result::Result<bool, StoreError> {
        let id = id.clone();
        self.writer
            .write(move |db| {
                let noted = db
                    .prepare_cached(
                        "UPDATE passkeys SET credential = ?2, used_at = ?3 WHERE id = ?1",
                    )?
                    .execute((id.as_str(), &credential, used_at.as_millisecond()))?;
                if let Some(session) = begins.as_ref().filter(|_| noted == 1) {
                    sessions::insert(db, session, used_at - IDLE_MAX)?;
                }
                Ok(noted == 1)
            })
            .await
    }

    async fn remove_passkey(
        &self,
        user: &User,
        id: &PasskeyId,
        issuer: Option<&str>,
        by: &AuditContext,
    ) -> std::result::Result<PasskeyRemoval, StoreError> {
        let (user, id, issuer, by) =
            (user.clone(), id.clone(), issuer.map(str::to_owned), by.clone());
        self.writer.write(move |db| remove(db, &user, &id, issuer.as_deref(), &by)).await
    }
}

fn remove(
    db: &Connection,
    user: &User,
    id: &PasskeyId,
    issuer: Option<&str>,
    by: &AuditContext,
) -> Result<PasskeyRemoval> {
    let removed = db.prepare_cached(rows::delete_passkey!("?1", "?2", "?3"))?.execute((
        id.as_str(),
        user.id.as_str(),
        issuer,
    ))?;
    if removed == 1 {
        ready(audit::append(
            db,
            by,
            &audit_values::people::user_changed(Action::PasskeyRemoved, user),
        ))?;
        ready(security_notices::tell(db, SecurityEvent::PasskeyRemoved, &user.id, by))?;
        return Ok(PasskeyRemoval::Removed);
    }
    let is_there = db
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM passkeys WHERE id = ?1 AND user_id = ?2)")?
        .query_row((id.as_str(), user.id.as_str()), |row| row.get(0))?;
    Ok(if is_there { PasskeyRemoval::OnlyWayIn } else { PasskeyRemoval::Missing })
}

/// Inserts the passkey of an enrolment.
pub(super) fn insert(db: &Connection, passkey: &Passkey) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO passkeys (id, user_id, credential_id, credential, device, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        passkey.id.as_str(),
        passkey.user.as_str(),
        passkey.credential_id,
        passkey.credential,
        passkey.device,
        passkey.created_at.as_millisecond(),
    ])
    .map(drop)
}

fn add(db: &Connection, passkey: &Passkey, session: &Session, by: &AuditContext) -> Result<bool> {
    let added = db
        .prepare_cached(
            "INSERT INTO passkeys (id, user_id, credential_id, credential, device, created_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE (SELECT count(*) FROM passkeys WHERE user_id = \
             ?2) < ?7
                AND EXISTS (SELECT 1 FROM dashboard_sessions WHERE id = ?8)
             ON CONFLICT (credential_id) DO NOTHING",
        )?
        .execute(params![
            passkey.id.as_str(),
            passkey.user.as_str(),
            passkey.credential_id,
            passkey.credential,
            passkey.device,
            passkey.created_at.as_millisecond(),
            PASSKEYS_MAX as i64,
            session.id.as_str(),
        ])?;
    if added == 1 {
        ready(audit::append(
            db,
            by,
            &audit_values::people::user_changed(Action::PasskeyAdded, &session.user),
        ))?;
        ready(security_notices::tell(db, SecurityEvent::PasskeyAdded, &session.user.id, by))?;
    }
    Ok(added == 1)
}
