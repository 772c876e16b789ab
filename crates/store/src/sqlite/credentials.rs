//! Enrolment of people, and what they prove themselves with.

use super::sql::ready;
use super::{passkeys, record::Record, sessions};
use crate::queries::accounts;
use crate::queries::audit;
use crate::queries::{mail, security_notices};
use crate::queries::{memberships, users};
use crate::{
    audit_values,
    rows::{self, credentials_of, user_columns},
};
use rusqlite::{Connection, OptionalExtension, Result, params};
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

pub(super) fn is_anybody_enrolled(db: &Connection) -> Result<bool> {
    db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM users WHERE password IS NOT NULL)
             OR EXISTS (SELECT 1 FROM passkeys)
             OR EXISTS (SELECT 1 FROM identities)",
    )?
    .query_row([], |row| row.get(0))
}

pub(super) fn add_link(
    db: &Connection,
    link: &EnrolmentLink,
    mail: Option<&QueuedMail>,
    by: &AuditContext,
) -> Result<()> {
    let user = link.user.as_ref().map(UserId::as_str);
    db.prepare_cached("DELETE FROM enrolment_links WHERE user_id IS ?1 OR expires_at <= ?2")?
        .execute((user, by.at.as_millisecond()))?;
    db.prepare_cached(
        "INSERT INTO enrolment_links (digest, user_id, expires_at) VALUES (?1, ?2, ?3)",
    )?
    .execute((link.digest.0, user, link.expires_at.as_millisecond()))?;
    if let Some(user) = &link.user {
        ready(mail::delete_waiting_links(db, user))?;
    }
    if let Some(mail) = mail {
        ready(mail::insert(db, mail))?;
    }
    ready(audit::append(db, by, &audit_values::people::link_created(link)))
}

pub(super) fn link(
    db: &Connection,
    token: SecretDigest,
) -> Result<Option<(EnrolmentLink, Option<User>)>> {
    let found = db
        .prepare_cached(
            "SELECT digest, user_id, expires_at FROM enrolment_links WHERE digest = ?1",
        )?
        .query_row([token.0], |row| rows::enrolment_link(&Record::new(row)))
        .optional()?;
    let Some(link) = found else { return Ok(None) };
    let user = match &link.user {
        Some(id) => Some(user(db, id)?),
        None => None,
    };
    Ok(Some((link, user)))
}

fn user(db: &Connection, id: &UserId) -> Result<User> {
    db.prepare_cached(concat!("SELECT ", user_columns!(), " FROM users WHERE id = ?1"))?
        .query_row([id.as_str()], |row| rows::user(&Record::new(row)))
}

pub(super) fn enrol(
    db: &Connection,
    minted: &UserId,
    enrolment: &Enrolment,
    by: &AuditContext,
) -> Result<Option<User>> {
    let found = link(db, enrolment.link)?.filter(|(link, _)| by.at < link.expires_at);
    let password = enrolment.credential.password();
    let passkey = enrolment.credential.passkey();
    // The device has made the passkey for an id: the person's, or the one that a new person gets.
    let minted = passkey.map_or(minted, |passkey| &passkey.user);
    let user = match (found, &enrolment.first) {
        (Some((_, Some(user))), None) if passkey.is_none_or(|passkey| passkey.user == user.id) => {
            user
        }
        (Some((_, None)), Some(first)) if !is_anybody_enrolled(db)? => {
            let user = match ready(users::by_email(db, &first.email))? {
                Some(user) => user,
                None => ready(users::add(db, minted, &first.email, by))?,
            };
            if passkey.is_some_and(|passkey| passkey.user != user.id) {
                return Ok(None);
            }
            if let Some(account) = &first.account {
                ready(accounts::create_account(db, account, &[], by))?;
            }
            for account in ready(accounts::accounts(db))? {
                ready(memberships::insert(db, &user.id, &account.id, Role::Owner, None, by))?;
                ready(audit::append(
                    db,
                    by,
                    &audit_values::people::role_set(&user, &account.id, None, Role::Owner),
                ))?;
            }
            user
        }
        _ => return Ok(None),
    };
    let id = user.id.as_str();
    db.prepare_cached(
        "UPDATE users SET name = ?2, password = ?3, totp_secret = ?4, totp_last_step = ?5 WHERE id \
         = ?1",
    )?
    .execute(params![
        id,
        enrolment.name,
        password.map(|new| new.password.as_str()),
        password.map(|new| new.totp.as_bytes()),
        password.map(|new| new.totp_step)
    ])?;
    db.prepare_cached("DELETE FROM enrolment_links WHERE digest = ?1")?
        .execute([enrolment.link.0])?;
    ready(mail::delete_waiting_links(db, &user.id))?;
    end_earlier(db, &user.id)?;
    if let Some(passkey) = passkey {
        passkeys::insert(db, passkey)?;
    }
    insert_recovery_codes(db, &user, &enrolment.recovery)?;
    ready(audit::append(db, by, &audit_values::people::user_changed(Action::UserEnrolled, &user)))?;
    ready(security_notices::tell(db, SecurityEvent::Enrolled, &user.id, by))?;
    Ok(Some(user))
}

/// Ends what the person could sign in with before an enrolment, except the password.
pub(super) fn end_earlier(db: &Connection, user: &UserId) -> Result<()> {
    [
        "DELETE FROM enrolment_links WHERE user_id = ?1",
        "DELETE FROM dashboard_sessions WHERE user_id = ?1",
        "DELETE FROM passkeys WHERE user_id = ?1",
        "DELETE FROM identities WHERE user_id = ?1",
        "DELETE FROM recovery_codes WHERE user_id = ?1",
    ]
    .into_iter()
    .try_for_each(|sql| db.prepare_cached(sql)?.execute([user.as_str()]).map(drop))
}

pub(super) fn find(
    db: &Connection,
    email: &StaffEmail,
    browser: Option<SecretDigest>,
) -> Result<Vec<Credentials>> {
    db.prepare_cached(credentials_of!("?1", "?2"))?
        .query_map((email.as_str(), browser.map(|digest| digest.0)), |row| {
            rows::credentials(&Record::new(row))
        })?
        .collect()
}

/// Ends the links of a person, with the messages that were not sent.
pub(super) fn end_links(db: &Connection, user: &UserId) -> Result<()> {
    db.prepare_cached("DELETE FROM enrolment_links WHERE user_id = ?1")?
        .execute([user.as_str()])?;
    ready(mail::delete_waiting_links(db, user))
}

pub(super) fn use_second_factor(
    db: &Connection,
    user: &UserId,
    factor: SecondFactor,
    by: &AuditContext,
) -> Result<bool> {
    let is_recovery = matches!(factor, SecondFactor::Recovery(_));
    let used = match factor {
        SecondFactor::Totp(step) => db
            .prepare_cached(
                "UPDATE users SET totp_last_step = ?2
                 WHERE id = ?1 AND (totp_last_step IS NULL OR totp_last_step < ?2)",
            )?
            .execute((user.as_str(), step))?,
        SecondFactor::Recovery(digest) => db
            .prepare_cached("DELETE FROM recovery_codes WHERE digest = ?2 AND user_id = ?1")?
            .execute((user.as_str(), digest.0))?,
    };
    if used == 1 && is_recovery {
        ready(security_notices::tell(db, SecurityEvent::RecoveryCodeUsed, user, by))?;
    }
    Ok(used == 1)
}

pub(super) fn change_password(
    db: &Connection,
    PasswordChange { password, kept }: &PasswordChange,
    by: &AuditContext,
) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE users SET password = ?2
             WHERE id = ?1 AND EXISTS (SELECT 1 FROM dashboard_sessions WHERE id = ?3)",
        )?
        .execute((kept.user.id.as_str(), password.as_str(), kept.id.as_str()))?;
    if changed == 1 {
        password_changed(db, kept, by)?;
    }
    Ok(changed == 1)
}

pub(super) fn add_password(
    db: &Connection,
    new: &NewPassword,
    kept: &Session,
    by: &AuditContext,
) -> Result<bool> {
    let added = db
        .prepare_cached(
            "UPDATE users SET password = ?2, totp_secret = ?3, totp_last_step = ?4 WHERE id = ?1 \
             AND password IS NULL
                AND EXISTS (SELECT 1 FROM dashboard_sessions WHERE id = ?5)",
        )?
        .execute(params![
            kept.user.id.as_str(),
            new.password.as_str(),
            new.totp.as_bytes(),
            new.totp_step,
            kept.id.as_str()
        ])?;
    if added == 1 {
        password_changed(db, kept, by)?;
    }
    Ok(added == 1)
}

/// Ends the other sessions and the links with which another password could be set, and audits and
/// reports the new one.
fn password_changed(db: &Connection, kept: &Session, by: &AuditContext) -> Result<()> {
    let user = &kept.user;
    db.prepare_cached("DELETE FROM dashboard_sessions WHERE user_id = ?1 AND id <> ?2")?
        .execute((user.id.as_str(), kept.id.as_str()))?;
    db.prepare_cached("DELETE FROM enrolment_links WHERE user_id = ?1")?
        .execute([user.id.as_str()])?;
    ready(audit::append(
        db,
        by,
        &audit_values::people::user_changed(Action::PasswordChanged, user),
    ))?;
    ready(security_notices::tell(db, SecurityEvent::PasswordChanged, &user.id, by))
}

pub(super) fn replace_recovery_codes(
    db: &Connection,
    session: &Session,
    codes: &[SecretDigest],
    by: &AuditContext,
) -> Result<bool> {
    let user = &session.user;
    if !sessions::exists(db, &session.id)? {
        return Ok(false);
    }
    insert_recovery_codes(db, user, codes)?;
    ready(audit::append(
        db,
        by,
        &audit_values::people::user_changed(Action::RecoveryCodesReplaced, user),
    ))?;
    ready(security_notices::tell(db, SecurityEvent::RecoveryCodesReplaced, &user.id, by))?;
    Ok(true)
}

fn insert_recovery_codes(db: &Connection, user: &User, codes: &[SecretDigest]) -> Result<()> {
    db.prepare_cached("DELETE FROM recovery_codes WHERE user_id = ?1")?
        .execute([user.id.as_str()])?;
    let mut insert =
        db.prepare_cached("INSERT INTO recovery_codes (digest, user_id) VALUES (?1, ?2)")?;
    codes.iter().try_for_each(|code| insert.execute((code.0, user.id.as_str())).map(drop))
}
