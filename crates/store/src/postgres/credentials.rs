//! Enrolment of people, and what they prove themselves with.

use super::{
    db::Db,
    error::{Error, Result},
    passkeys,
    record::at,
    sessions,
};
use crate::queries::accounts;
use crate::queries::audit;
use crate::queries::{mail, security_notices};
use crate::queries::{memberships, users};
use crate::sql::{Absent, Sql};
use crate::{
    audit_values,
    rows::{self, credentials_of, user_columns},
};
use tua_domain::{
    UserId,
    audit::{Action, AuditContext},
    mail::{QueuedMail, SecurityEvent},
    people::{
        Credentials, Enrolment, EnrolmentLink, NewPassword, PasswordChange, Role, SecondFactor,
        Session, StaffEmail, User,
    },
    secret::SecretDigest,
};

pub(super) async fn is_anybody_enrolled(db: &Db) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE password IS NOT NULL)
                   OR EXISTS (SELECT 1 FROM passkeys)
                   OR EXISTS (SELECT 1 FROM identities)";
    Ok(db.query_opt(sql, &[]).await?.ok_or(Error::MissingRow)?.try_get(0)?)
}

pub(super) async fn add_link(
    db: &Db,
    link: &EnrolmentLink,
    mail: Option<&QueuedMail>,
    by: &AuditContext,
) -> Result<()> {
    let user = link.user.as_ref().map(UserId::as_str);
    if user.is_none() {
        Sql::lock_absent(db, &Absent::FirstPerson).await?;
    }
    let delete = "DELETE FROM enrolment_links WHERE user_id IS NOT DISTINCT FROM $1::text OR \
        expires_at <= $2";
    db.execute(delete, &[&user, &at(by.at)]).await?;
    let insert = "INSERT INTO enrolment_links (digest, user_id, expires_at) VALUES ($1, $2, $3)";
    db.execute(insert, &[&&link.digest.0[..], &user, &at(link.expires_at)]).await?;
    if let Some(user) = &link.user {
        mail::delete_waiting_links(db, user).await?;
    }
    if let Some(mail) = mail {
        mail::insert(db, mail).await?;
    }
    audit::append(db, by, &audit_values::people::link_created(link)).await
}

pub(super) async fn link(
    db: &Db,
    token: SecretDigest,
) -> Result<Option<(EnrolmentLink, Option<User>)>> {
    found(db, "SELECT digest, user_id, expires_at FROM enrolment_links WHERE digest = $1", token)
        .await
}

/// As [`link`], with a lock, so that a link is used once.
pub(super) async fn locked_link(
    db: &Db,
    token: SecretDigest,
) -> Result<Option<(EnrolmentLink, Option<User>)>> {
    found(
        db,
        "SELECT digest, user_id, expires_at FROM enrolment_links WHERE digest = $1 FOR UPDATE",
        token,
    )
    .await
}

async fn found(
    db: &Db,
    sql: &str,
    token: SecretDigest,
) -> Result<Option<(EnrolmentLink, Option<User>)>> {
    let row = db.query_opt(sql, &[&&token.0[..]]).await?;
    let Some(link) = row.as_ref().map(rows::enrolment_link).transpose()? else { return Ok(None) };
    let user = match &link.user {
        Some(id) => {
            let sql = concat!("SELECT ", user_columns!(), " FROM users WHERE id = $1");
            let row = db.query_opt(sql, &[&id.as_str()]).await?.ok_or(Error::MissingRow)?;
            Some(rows::user(&row)?)
        }
        None => None,
    };
    Ok(Some((link, user)))
}

pub(super) async fn enrol(
    db: &Db,
    minted: &UserId,
    enrolment: &Enrolment,
    by: &AuditContext,
) -> Result<Option<User>> {
    let found = locked_link(db, enrolment.link).await?.filter(|(link, _)| by.at < link.expires_at);
    let mut owned = Vec::new();
    if enrolment.first.is_some() {
        // Another node may enrol the first person with another link.
        Sql::lock_absent(db, &Absent::FirstPerson).await?;
    }
    let password = enrolment.credential.password();
    let passkey = enrolment.credential.passkey();
    // The device has made the passkey for an id: the person's, or the one that a new person gets.
    let minted = passkey.map_or(minted, |passkey| &passkey.user);
    let user = match (found, &enrolment.first) {
        (Some((_, Some(user))), None) if passkey.is_none_or(|passkey| passkey.user == user.id) => {
            user
        }
        (Some((_, None)), Some(first)) if !is_anybody_enrolled(db).await? => {
            let user = match users::by_email(db, &first.email).await? {
                Some(user) => user,
                None => users::add(db, minted, &first.email, by).await?,
            };
            if passkey.is_some_and(|passkey| passkey.user != user.id) {
                return Ok(None);
            }
            if let Some(account) = &first.account {
                accounts::create_account(db, account, &[], by).await?;
            }
            for account in accounts::accounts(db).await? {
                memberships::insert(db, &user.id, &account.id, Role::Owner, None, by).await?;
                owned.push(account.id);
            }
            user
        }
        _ => return Ok(None),
    };
    let id = user.id.as_str();
    db.execute(
        "UPDATE users SET name = $2, password = $3, totp_secret = $4, totp_last_step = $5 WHERE id \
         = $1",
        &[
            &id,
            &enrolment.name,
            &password.map(|new| new.password.as_str()),
            &password.map(|new| new.totp.as_bytes()),
            &password.map(|new| new.totp_step),
        ],
    )
    .await?;
    db.execute("DELETE FROM enrolment_links WHERE digest = $1", &[&&enrolment.link.0[..]]).await?;
    mail::delete_waiting_links(db, &user.id).await?;
    end_earlier(db, &user.id).await?;
    if let Some(passkey) = passkey {
        passkeys::insert(db, passkey).await?;
    }
    insert_recovery_codes(db, &user, &enrolment.recovery).await?;
    for account in owned {
        audit::append(db, by, &audit_values::people::role_set(&user, &account, None, Role::Owner))
            .await?;
    }
    audit::append(db, by, &audit_values::people::user_changed(Action::UserEnrolled, &user)).await?;
    security_notices::tell(db, SecurityEvent::Enrolled, &user.id, by).await?;
    Ok(Some(user))
}

/// Ends what the person could sign in with before an enrolment, except the password.
pub(super) async fn end_earlier(db: &Db, user: &UserId) -> Result<()> {
    for sql in [
        "DELETE FROM enrolment_links WHERE user_id = $1",
        "DELETE FROM dashboard_sessions WHERE user_id = $1",
        "DELETE FROM passkeys WHERE user_id = $1",
        "DELETE FROM identities WHERE user_id = $1",
        "DELETE FROM recovery_codes WHERE user_id = $1",
    ] {
        db.execute(sql, &[&user.as_str()]).await?;
    }
    Ok(())
}

pub(super) async fn find(
    db: &Db,
    email: &StaffEmail,
    browser: Option<SecretDigest>,
) -> Result<Vec<Credentials>> {
    let browser = browser.as_ref().map(|digest| &digest.0[..]);
    let found = db.query(credentials_of!("$1", "$2"), &[&email.as_str(), &browser]).await?;
    found.iter().map(rows::credentials).collect()
}

/// Ends the links of a person, with the messages that were not sent.
pub(super) async fn end_links(db: &Db, user: &UserId) -> Result<()> {
    db.execute("DELETE FROM enrolment_links WHERE user_id = $1", &[&user.as_str()]).await?;
    mail::delete_waiting_links(db, user).await
}

pub(super) async fn use_second_factor(
    db: &Db,
    user: &UserId,
    factor: SecondFactor,
    by: &AuditContext,
) -> Result<bool> {
    let is_recovery = matches!(factor, SecondFactor::Recovery(_));
    let used = match factor {
        SecondFactor::Totp(step) => {
            let sql = "UPDATE users SET totp_last_step = $2
                       WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2)";
            db.execute(sql, &[&user.as_str(), &step]).await?
        }
        SecondFactor::Recovery(digest) => {
            let sql = "DELETE FROM recovery_codes WHERE digest = $2 AND user_id = $1";
            db.execute(sql, &[&user.as_str(), &&digest.0[..]]).await?
        }
    };
    if used == 1 && is_recovery {
        security_notices::tell(db, SecurityEvent::RecoveryCodeUsed, user, by).await?;
    }
    Ok(used == 1)
}

pub(super) async fn change_password(
    db: &Db,
    PasswordChange { password, kept }: &PasswordChange,
    by: &AuditContext,
) -> Result<bool> {
    let id = &kept.user.id;
    sessions::lock_person(db, id).await?;
    let update = "UPDATE users SET password = $2
                  WHERE id = $1 AND EXISTS (SELECT 1 FROM dashboard_sessions WHERE id = $3)";
    let changed =
        db.execute(update, &[&id.as_str(), &password.as_str(), &kept.id.as_str()]).await?;
    if changed == 1 {
        password_changed(db, kept, by).await?;
    }
    Ok(changed == 1)
}

pub(super) async fn add_password(
    db: &Db,
    new: &NewPassword,
    kept: &Session,
    by: &AuditContext,
) -> Result<bool> {
    let id = kept.user.id.as_str();
    sessions::lock_person(db, &kept.user.id).await?;
    let update = "UPDATE users SET password = $2, totp_secret = $3, totp_last_step = $4
                  WHERE id = $1 AND password IS NULL AND EXISTS (SELECT 1 FROM dashboard_sessions \
        WHERE id = $5)";
    let values = (new.password.as_str(), new.totp.as_bytes());
    let added =
        db.execute(update, &[&id, &values.0, &values.1, &new.totp_step, &kept.id.as_str()]).await?;
    if added == 1 {
        password_changed(db, kept, by).await?;
    }
    Ok(added == 1)
}

/// Ends the other sessions and the links with which another password could be set, and audits and
/// reports the new one.
async fn password_changed(db: &Db, kept: &Session, by: &AuditContext) -> Result<()> {
    let user = &kept.user;
    let delete = "DELETE FROM dashboard_sessions WHERE user_id = $1 AND id <> $2";
    db.execute(delete, &[&user.id.as_str(), &kept.id.as_str()]).await?;
    db.execute("DELETE FROM enrolment_links WHERE user_id = $1", &[&user.id.as_str()]).await?;
    audit::append(db, by, &audit_values::people::user_changed(Action::PasswordChanged, user))
        .await?;
    security_notices::tell(db, SecurityEvent::PasswordChanged, &user.id, by).await
}

pub(super) async fn replace_recovery_codes(
    db: &Db,
    session: &Session,
    codes: &[SecretDigest],
    by: &AuditContext,
) -> Result<bool> {
    let user = &session.user;
    sessions::lock_person(db, &user.id).await?;
    if !sessions::exists(db, &session.id).await? {
        return Ok(false);
    }
    insert_recovery_codes(db, user, codes).await?;
    audit::append(db, by, &audit_values::people::user_changed(Action::RecoveryCodesReplaced, user))
        .await?;
    security_notices::tell(db, SecurityEvent::RecoveryCodesReplaced, &user.id, by).await?;
    Ok(true)
}

async fn insert_recovery_codes(db: &Db, user: &User, codes: &[SecretDigest]) -> Result<()> {
    db.execute("DELETE FROM recovery_codes WHERE user_id = $1", &[&user.id.as_str()]).await?;
    let digests: Vec<&[u8]> = codes.iter().map(|code| &code.0[..]).collect();
    let insert = "INSERT INTO recovery_codes (digest, user_id) SELECT digest, $2 FROM \
        unnest($1::bytea[]) AS new (digest)";
    db.execute(insert, &[&digests, &user.id.as_str()]).await.map(drop)
}
