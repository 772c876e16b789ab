//! Identities of people at sign-in providers.

use super::sql::ready;
use super::{SqliteStore, credentials, record::Record, sessions};
use crate::queries::audit;
use crate::queries::{mail, security_notices};
use crate::queries::{memberships, users};
use crate::{
    audit_values,
    rows::{self, user_columns},
};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Result, params};
use std::collections::BTreeMap;
use tua_domain::{
    AccountId, IdentityId, UserId,
    audit::{Action, AuditContext},
    mail::SecurityEvent,
    people::{
        IDLE_MAX, Identity, IdentityClaims, IdentityRefusal, LinkedIdentity, Role, Session,
        SessionStart, User, role_changes,
    },
    ports::{Identities, StoreError},
    secret::SecretDigest,
};

type Stored<T> = std::result::Result<T, StoreError>;
type Begun = std::result::Result<Session, IdentityRefusal>;

#[async_trait]
impl Identities for SqliteStore {
    async fn sign_in_with_identity(
        &self,
        claims: &IdentityClaims,
        roles: &BTreeMap<AccountId, Role>,
        start: &SessionStart,
        by: &AuditContext,
    ) -> Stored<Begun> {
        let claims = claims.clone();
        let roles = roles.clone();
        let start = start.clone();
        let by = by.clone();
        self.writer.write(move |db| sign_in(db, &claims, &roles, &start, &by)).await
    }

    async fn enrol_with_identity(
        &self,
        link: SecretDigest,
        claims: &IdentityClaims,
        start: &SessionStart,
        by: &AuditContext,
    ) -> Stored<Begun> {
        let claims = claims.clone();
        let start = start.clone();
        let by = by.clone();
        self.writer.write(move |db| enrol(db, link, &claims, &start, &by)).await
    }

    async fn link_identity(
        &self,
        identity: &Identity,
        session: &Session,
        by: &AuditContext,
    ) -> Stored<bool> {
        let identity = identity.clone();
        let session = session.clone();
        let by = by.clone();
        self.writer
            .write(move |db| {
                Ok(sessions::exists(db, &session.id)?
                    && insert(db, &identity, &session.user, false, &by)?)
            })
            .await
    }

    async fn identities(&self, user: &UserId) -> Stored<Vec<LinkedIdentity>> {
        const LIST: &str = "SELECT id, issuer, subject, created_at, used_at FROM identities WHERE \
            user_id = ?1 ORDER BY id";
        self.readers.read(|db| {
            db.prepare_cached(LIST)?
                .query_map([user.as_str()], |row| rows::identity(&Record::new(row)))?
                .collect()
        })
    }

    async fn remove_identity(
        &self,
        user: &User,
        id: &IdentityId,
        by: &AuditContext,
    ) -> Stored<bool> {
        let user = user.clone();
        let id = id.clone();
        let by = by.clone();
        self.writer.write(move |db| remove(db, &user, &id, &by)).await
    }
}

fn sign_in(
    db: &Connection,
    claims: &IdentityClaims,
    roles: &BTreeMap<AccountId, Role>,
    start: &SessionStart,
    by: &AuditContext,
) -> Result<Begun> {
    let known = find(db, &claims.identity)?;
    let is_local = known.as_ref().is_some_and(|user| !user.is_managed());
    let user = match known {
        Some(user) if is_local => user,
        Some(user) => {
            set_roles(db, &user, roles, by)?;
            if roles.is_empty() {
                ready(users::delete(db, &user.id))?;
                return Ok(Err(IdentityRefusal::NoRole));
            }
            user
        }
        None => match add(db, claims, roles, by)? {
            Ok(user) => user,
            Err(refusal) => return Ok(Err(refusal)),
        },
    };
    db.prepare_cached("UPDATE identities SET used_at = ?3 WHERE issuer = ?1 AND subject = ?2")?
        .execute((&claims.identity.issuer, &claims.identity.subject, by.at.as_millisecond()))?;
    begin(db, user, start, by).map(Ok)
}

/// Adds the person of an identity that is linked to nobody.
fn add(
    db: &Connection,
    claims: &IdentityClaims,
    roles: &BTreeMap<AccountId, Role>,
    by: &AuditContext,
) -> Result<std::result::Result<User, IdentityRefusal>> {
    if roles.is_empty() {
        return Ok(Err(IdentityRefusal::NoRole));
    }
    let Some(email) = &claims.email else { return Ok(Err(IdentityRefusal::NoEmail)) };
    // In one account an address names one person.
    if ready(memberships::of_address(db, email))?.iter().any(|one| roles.contains_key(&one.account))
    {
        return Ok(Err(IdentityRefusal::EmailTaken));
    }
    let user = ready(users::add(db, &UserId::mint(), email, by))?;
    db.prepare_cached("UPDATE users SET name = ?2 WHERE id = ?1")?
        .execute((user.id.as_str(), &claims.name))?;
    insert(db, &claims.identity, &user, true, by)?;
    set_roles(db, &user, roles, by)?;
    Ok(Ok(user))
}

fn set_roles(
    db: &Connection,
    user: &User,
    roles: &BTreeMap<AccountId, Role>,
    by: &AuditContext,
) -> Result<()> {
    for (account, before, after) in role_changes(&ready(memberships::of_user(db, &user.id))?, roles)
    {
        match (before, after) {
            (_, Some(role)) => {
                ready(memberships::insert(db, &user.id, &account, role, None, by))?;
                ready(audit::append(
                    db,
                    by,
                    &audit_values::people::role_set(user, &account, before, role),
                ))?;
                ready(security_notices::tell_role(
                    db,
                    SecurityEvent::RoleSet,
                    user,
                    &account,
                    role,
                    by,
                ))?;
            }
            (Some(role), None) => {
                ready(memberships::delete(db, &user.id, &account, by))?;
                ready(audit::append(
                    db,
                    by,
                    &audit_values::people::role_removed(user, &account, role),
                ))?;
                ready(security_notices::tell_role(
                    db,
                    SecurityEvent::RoleRemoved,
                    user,
                    &account,
                    role,
                    by,
                ))?;
            }
            (None, None) => {}
        }
    }
    Ok(())
}

fn enrol(
    db: &Connection,
    link: SecretDigest,
    claims: &IdentityClaims,
    start: &SessionStart,
    by: &AuditContext,
) -> Result<Begun> {
    let found = credentials::link(db, link)?.filter(|(link, _)| by.at < link.expires_at);
    let Some((_, Some(user))) = found else { return Ok(Err(IdentityRefusal::LinkEnded)) };
    if find(db, &claims.identity)?.is_some_and(|other| other.id != user.id) {
        return Ok(Err(IdentityRefusal::NotLinked));
    }
    let id = user.id.as_str();
    db.prepare_cached(
        "UPDATE users SET name = coalesce(?2, name), password = NULL, totp_secret = NULL, \
         totp_last_step = NULL
         WHERE id = ?1",
    )?
    .execute((id, &claims.name))?;
    credentials::end_earlier(db, &user.id)?;
    ready(mail::delete_waiting_links(db, &user.id))?;
    insert(db, &claims.identity, &user, false, by)?;
    ready(audit::append(db, by, &audit_values::people::user_changed(Action::UserEnrolled, &user)))?;
    begin(db, user, start, by).map(Ok)
}

fn begin(db: &Connection, user: User, start: &SessionStart, by: &AuditContext) -> Result<Session> {
    let session = start.begin(user, by.at);
    sessions::insert(db, &session, by.at - IDLE_MAX)?;
    Ok(session)
}

fn find(db: &Connection, identity: &Identity) -> Result<Option<User>> {
    const FIND: &str = concat!(
        "SELECT ",
        user_columns!(),
        " FROM identities AS found JOIN users ON users.id = found.user_id WHERE found.issuer = ?1 \
         AND found.subject = ?2"
    );
    db.prepare_cached(FIND)?
        .query_row([&identity.issuer, &identity.subject], |row| rows::user(&Record::new(row)))
        .optional()
}

/// `false` if the identity is linked to somebody, or if the person has one of this provider.
fn insert(
    db: &Connection,
    identity: &Identity,
    user: &User,
    manages_roles: bool,
    by: &AuditContext,
) -> Result<bool> {
    let inserted = db
        .prepare_cached(
            "INSERT INTO identities (id, user_id, issuer, subject, manages_roles, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            IdentityId::mint().as_str(),
            user.id.as_str(),
            identity.issuer,
            identity.subject,
            i64::from(manages_roles),
            by.at.as_millisecond(),
        ])?;
    if inserted == 1 {
        ready(audit::append(
            db,
            by,
            &audit_values::people::identity_changed(Action::IdentityLinked, user, &identity.issuer),
        ))?;
    }
    // Who comes by claims has no other way in that somebody could have added to.
    if inserted == 1 && !manages_roles {
        ready(security_notices::tell(db, SecurityEvent::ProviderLinked, &user.id, by))?;
    }
    Ok(inserted == 1)
}

fn remove(db: &Connection, user: &User, id: &IdentityId, by: &AuditContext) -> Result<bool> {
    let removed: Option<String> = db
        .prepare_cached(
            "DELETE FROM identities WHERE id = ?1 AND user_id = ?2 AND manages_roles = 0
                AND EXISTS (SELECT 1 FROM users WHERE users.id = ?2 AND password IS NOT NULL) \
             RETURNING issuer",
        )?
        .query_row([id.as_str(), user.id.as_str()], |row| row.get(0))
        .optional()?;
    if let Some(issuer) = &removed {
        ready(audit::append(
            db,
            by,
            &audit_values::people::identity_changed(Action::IdentityRemoved, user, issuer),
        ))?;
        ready(security_notices::tell(db, SecurityEvent::ProviderRemoved, &user.id, by))?;
    }
    Ok(removed.is_some())
}
