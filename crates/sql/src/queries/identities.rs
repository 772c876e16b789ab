//! Identities of people at sign-in providers.

use super::{audit, credentials, mail, memberships, security_notices, sessions, users};
use crate::{
    audit_values,
    columns::text,
    rows::{self, user_columns},
    sql::{Absent, RowLock, Sql},
    write_error::WriteError,
};
use std::collections::BTreeMap;
use tua_domain::{
    AccountId, IdentityId, UserId,
    audit::{Action, AuditChange, AuditContext},
    mail::SecurityEvent,
    people::{
        IDLE_MAX, Identity, IdentityClaims, IdentityRefusal, LinkedIdentity, Role, Session,
        SessionStart, User, role_changes,
    },
    secret::SecretDigest,
};

/// What became of a sign-in. A refusal is committed too: it may delete the person.
#[derive(Debug)]
pub enum SignIn {
    /// The person is signed in.
    Begun(Box<Session>),
    /// The person is not signed in.
    Refused(IdentityRefusal),
}

/// Signs in the person of an identity. The provider's groups may add the person, change their
/// roles, or delete them.
pub async fn sign_in<S: Sql>(
    db: &S,
    claims: &IdentityClaims,
    roles: &BTreeMap<AccountId, Role>,
    start: &SessionStart,
    by: &AuditContext,
) -> Result<SignIn, S::Error> {
    let mut known = locked(db, &claims.identity).await?;
    if known.is_none() {
        // Another node may add the person just now, after two clicks.
        db.lock_absent(&Absent::Identity(&claims.identity)).await?;
        known = locked(db, &claims.identity).await?;
    }
    let (user, mut changes) = match known {
        Some(user) if user.is_managed() => {
            let changes = set_roles(db, &user, roles, by).await?;
            if roles.is_empty() {
                users::delete(db, &user.id).await?;
                audit::append_all(db, by, &changes).await?;
                return Ok(SignIn::Refused(IdentityRefusal::NoRole));
            }
            (user, changes)
        }
        Some(user) => (user, Vec::new()),
        None => match add(db, claims, roles, by).await {
            Ok(added) => added,
            Err(WriteError::Rejected(refusal)) => return Ok(SignIn::Refused(refusal)),
            Err(WriteError::Failed(error)) => return Err(error),
        },
    };
    let update = "UPDATE identities SET used_at = $3 WHERE issuer = $1 AND subject = $2";
    db.execute(update, &[&claims.identity.issuer, &claims.identity.subject, &by.at]).await?;
    let (session, begun) = begin(db, user, start, by).await?;
    changes.extend(begun);
    audit::append_all(db, by, &changes).await?;
    Ok(SignIn::Begun(Box::new(session)))
}

/// Adds the person of an identity that is linked to nobody. Returns the entries of the audit log
/// too, which are appended last, because that locks the log.
async fn add<S: Sql>(
    db: &S,
    claims: &IdentityClaims,
    roles: &BTreeMap<AccountId, Role>,
    by: &AuditContext,
) -> Result<(User, Vec<AuditChange>), WriteError<IdentityRefusal, S::Error>> {
    if roles.is_empty() {
        return Err(WriteError::Rejected(IdentityRefusal::NoRole));
    }
    let Some(email) = &claims.email else {
        return Err(WriteError::Rejected(IdentityRefusal::NoEmail));
    };
    for account in roles.keys() {
        memberships::lock_people_of(db, account).await?;
    }
    // In one account an address names one person.
    if memberships::of_address(db, email).await?.iter().any(|one| roles.contains_key(&one.account))
    {
        return Err(WriteError::Rejected(IdentityRefusal::EmailTaken));
    }
    let user = users::add(db, &UserId::mint(), email, by).await?;
    db.execute("UPDATE users SET name = $2 WHERE id = $1", &[&user.id.as_str(), &claims.name])
        .await?;
    let mut changes: Vec<_> =
        insert(db, &claims.identity, &user, true, by).await?.into_iter().collect();
    changes.extend(set_roles(db, &user, roles, by).await?);
    Ok((user, changes))
}

async fn set_roles<S: Sql>(
    db: &S,
    user: &User,
    roles: &BTreeMap<AccountId, Role>,
    by: &AuditContext,
) -> Result<Vec<AuditChange>, S::Error> {
    let mut changes = Vec::new();
    for (account, before, after) in role_changes(&memberships::of_user(db, &user.id).await?, roles)
    {
        match (before, after) {
            (_, Some(role)) => {
                memberships::insert(db, &user.id, &account, role, None, by).await?;
                security_notices::notify_of_role(
                    db,
                    SecurityEvent::RoleSet,
                    user,
                    &account,
                    role,
                    by,
                )
                .await?;
                changes.push(audit_values::people::role_set(user, &account, before, role));
            }
            (Some(role), None) => {
                memberships::delete(db, &user.id, &account, by).await?;
                security_notices::notify_of_role(
                    db,
                    SecurityEvent::RoleRemoved,
                    user,
                    &account,
                    role,
                    by,
                )
                .await?;
                changes.push(audit_values::people::role_removed(user, &account, role));
            }
            (None, None) => {}
        }
    }
    Ok(changes)
}

/// Enrols the person of a link with an identity instead of earlier credentials, and signs them in.
pub async fn enrol<S: Sql>(
    db: &S,
    link: SecretDigest,
    claims: &IdentityClaims,
    start: &SessionStart,
    by: &AuditContext,
) -> Result<Session, WriteError<IdentityRefusal, S::Error>> {
    let found =
        credentials::locked_link(db, link).await?.filter(|(link, _)| by.at < link.expires_at);
    let Some((_, Some(user))) = found else {
        return Err(WriteError::Rejected(IdentityRefusal::LinkEnded));
    };
    if locked(db, &claims.identity).await?.is_some_and(|other| other.id != user.id) {
        return Err(WriteError::Rejected(IdentityRefusal::NotLinked));
    }
    let update =
        "UPDATE users SET name = coalesce($2, name), password = NULL, totp_secret = NULL, \
         totp_last_step = NULL
                  WHERE id = $1";
    db.execute(update, &[&user.id.as_str(), &claims.name]).await?;
    credentials::end_earlier(db, &user.id).await?;
    mail::delete_waiting_links(db, &user.id).await?;
    // Another request has linked it meanwhile. The refusal rolls back, so that the person keeps the
    // earlier credentials.
    let Some(linked) = insert(db, &claims.identity, &user, false, by).await? else {
        return Err(WriteError::Rejected(IdentityRefusal::NotLinked));
    };
    let (session, begun) = begin(db, user, start, by).await?;
    let enrolled = audit_values::people::user_changed(Action::UserEnrolled, &session.user);
    let changes: Vec<_> = [linked, enrolled].into_iter().chain(begun).collect();
    audit::append_all(db, by, &changes).await?;
    Ok(session)
}

/// Begins the session of a person. Returns the entry of the audit log too, which is appended last,
/// because that locks the log.
async fn begin<S: Sql>(
    db: &S,
    user: User,
    start: &SessionStart,
    by: &AuditContext,
) -> Result<(Session, Option<AuditChange>), S::Error> {
    let session = start.begin(user, by.at);
    let begun = sessions::insert(db, &session, by.at - IDLE_MAX).await?;
    Ok((session, begun))
}

/// Links an identity to the person of a session. `false` where somebody has it, or where the
/// session has ended.
pub async fn link<S: Sql>(
    db: &S,
    identity: &Identity,
    session: &Session,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    // So that it does not pass an enrolment, which ends the sessions.
    sessions::lock_person(db, &session.user.id).await?;
    if !sessions::exists(db, &session.id).await? {
        return Ok(false);
    }
    let linked = insert(db, identity, &session.user, false, by).await?;
    audit::append_all(db, by, linked.as_slice()).await?;
    Ok(linked.is_some())
}

/// The identities of a person, the oldest first.
pub async fn of_user<S: Sql>(db: &S, user: &UserId) -> Result<Vec<LinkedIdentity>, S::Error> {
    let sql = "SELECT id, issuer, subject, created_at, used_at FROM identities WHERE user_id = $1 \
        ORDER BY id";
    db.query(sql, &[&user.as_str()]).await?.iter().map(rows::identity).collect()
}

/// The person with this identity, whose rows are locked.
async fn locked<S: Sql>(db: &S, identity: &Identity) -> Result<Option<User>, S::Error> {
    let sql = concat!(
        "SELECT ",
        user_columns!(),
        " FROM identities AS found JOIN users ON users.id = found.user_id
         WHERE found.issuer = $1 AND found.subject = $2"
    );
    let found =
        db.query_locked(sql, RowLock::Update, &[&identity.issuer, &identity.subject]).await?;
    found.first().map(rows::user).transpose()
}

/// The entry of the audit log. `None` if the identity is linked to somebody, or if the person has
/// one of this provider.
async fn insert<S: Sql>(
    db: &S,
    identity: &Identity,
    user: &User,
    manages_roles: bool,
    by: &AuditContext,
) -> Result<Option<AuditChange>, S::Error> {
    let insert = "INSERT INTO identities (id, user_id, issuer, subject, manages_roles, created_at)
                  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    let inserted = db
        .execute(
            insert,
            &[
                &IdentityId::mint().as_str(),
                &user.id.as_str(),
                &identity.issuer,
                &identity.subject,
                &i64::from(manages_roles),
                &by.at,
            ],
        )
        .await?;
    // Who comes by claims has no other way in that somebody could have added to.
    if inserted == 1 && !manages_roles {
        security_notices::notify_user(db, SecurityEvent::ProviderLinked, &user.id, by).await?;
    }
    let change =
        || audit_values::people::identity_changed(Action::IdentityLinked, user, &identity.issuer);
    Ok((inserted == 1).then(change))
}

/// Removes an identity from a person who has a password. `false` where there is no such identity.
pub async fn remove<S: Sql>(
    db: &S,
    user: &User,
    id: &IdentityId,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let delete = "DELETE FROM identities WHERE id = $1 AND user_id = $2 AND manages_roles = 0
                    AND EXISTS (SELECT 1 FROM users WHERE users.id = $2 AND password IS NOT NULL) \
        RETURNING issuer";
    let row = db.query_opt(delete, &[&id.as_str(), &user.id.as_str()]).await?;
    let Some(row) = row else { return Ok(false) };
    let issuer = text(&row, "issuer")?;
    security_notices::notify_user(db, SecurityEvent::ProviderRemoved, &user.id, by).await?;
    audit::append(
        db,
        by,
        &audit_values::people::identity_changed(Action::IdentityRemoved, user, &issuer),
    )
    .await?;
    Ok(true)
}
