//! Enrolment of people, and what they prove themselves with.

use super::{accounts, audit, mail, memberships, passkeys, security_notices, sessions, users};
use crate::{
    audit_values,
    columns::number,
    rows::{self, user_columns},
    sql::{Absent, MissingRow, RowLock, Sql},
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

const LINK: &str = "SELECT digest, user_id, expires_at FROM enrolment_links WHERE digest = $1";

/// The credentials of everybody with an address, and whether they have signed in with a browser.
/// Others than people with password and codes, or with a passkey, have none.
const OF_ADDRESS: &str = concat!(
    "SELECT ",
    user_columns!(),
    ", password, totp_secret,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM known_browsers
                              WHERE known_browsers.user_id = users.id
                                  AND known_browsers.digest = $2)
            THEN 1 ELSE 0 END AS BIGINT) AS is_browser_known
     FROM users
     WHERE email = $1
         AND CASE WHEN password IS NULL
             THEN EXISTS (SELECT 1 FROM passkeys WHERE user_id = users.id)
             ELSE totp_secret IS NOT NULL END
     ORDER BY users.id"
);

/// Whether anybody has a password, a passkey or an identity to sign in with.
pub async fn is_anybody_enrolled<S: Sql>(db: &S) -> Result<bool, S::Error> {
    let sql = "SELECT 1 WHERE EXISTS (SELECT 1 FROM users WHERE password IS NOT NULL)
                  OR EXISTS (SELECT 1 FROM passkeys)
                  OR EXISTS (SELECT 1 FROM identities)";
    Ok(db.query_opt(sql, &[]).await?.is_some())
}

/// Stores a link to enrol with instead of the earlier ones of the person, with its message.
pub async fn add_link<S: Sql>(
    db: &S,
    link: &EnrolmentLink,
    mail: Option<&QueuedMail>,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let user = link.user.as_ref().map(UserId::as_str);
    if user.is_none() {
        db.lock_absent(&Absent::FirstPerson).await?;
    }
    let delete = "DELETE FROM enrolment_links
                  WHERE user_id IS NOT DISTINCT FROM CAST($1 AS TEXT) OR expires_at <= $2";
    db.execute(delete, &[&user, &by.at]).await?;
    let insert = "INSERT INTO enrolment_links (digest, user_id, expires_at) VALUES ($1, $2, $3)";
    db.execute(insert, &[&link.digest, &user, &link.expires_at]).await?;
    if let Some(user) = &link.user {
        mail::delete_waiting_links(db, user).await?;
    }
    if let Some(mail) = mail {
        mail::insert(db, mail).await?;
    }
    audit::append(db, by, &audit_values::people::link_created(link)).await
}

/// Appends that a code was refused behind the right password of a person.
pub async fn append_refused_code<S: Sql>(
    db: &S,
    user: &User,
    by: &AuditContext,
) -> Result<(), S::Error> {
    audit::append(db, by, &audit_values::people::code_refused(user, by.device.as_deref())).await
}

/// The link whose token has this digest, and its person. A link of the first set-up has none.
pub async fn link<S: Sql>(
    db: &S,
    token: SecretDigest,
) -> Result<Option<(EnrolmentLink, Option<User>)>, S::Error> {
    let found = db.query_opt(LINK, &[&token]).await?;
    with_user(db, found.as_ref().map(rows::enrolment_link).transpose()?).await
}

/// As [`link`], with a lock, so that a link is used once.
pub(crate) async fn locked_link<S: Sql>(
    db: &S,
    token: SecretDigest,
) -> Result<Option<(EnrolmentLink, Option<User>)>, S::Error> {
    let found = db.query_locked(LINK, RowLock::Update, &[&token]).await?;
    with_user(db, found.first().map(rows::enrolment_link).transpose()?).await
}

async fn with_user<S: Sql>(
    db: &S,
    link: Option<EnrolmentLink>,
) -> Result<Option<(EnrolmentLink, Option<User>)>, S::Error> {
    let Some(link) = link else { return Ok(None) };
    let user = match &link.user {
        Some(id) => Some(users::by_id(db, id).await?.ok_or(MissingRow)?),
        None => None,
    };
    Ok(Some((link, user)))
}

/// Enrols the person of a link with new credentials instead of the earlier ones. `None` where the
/// link has ended or does not fit.
pub async fn enrol<S: Sql>(
    db: &S,
    minted: &UserId,
    enrolment: &Enrolment,
    by: &AuditContext,
) -> Result<Option<User>, S::Error> {
    let found = locked_link(db, enrolment.link).await?.filter(|(link, _)| by.at < link.expires_at);
    let mut owned = Vec::new();
    if enrolment.first.is_some() {
        // Another node may enrol the first person with another link.
        db.lock_absent(&Absent::FirstPerson).await?;
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
    db.execute("DELETE FROM enrolment_links WHERE digest = $1", &[&enrolment.link]).await?;
    mail::delete_waiting_links(db, &user.id).await?;
    end_earlier(db, &user.id).await?;
    if let Some(passkey) = passkey {
        passkeys::insert(db, passkey).await?;
    }
    insert_recovery_codes(db, &user, &enrolment.recovery).await?;
    security_notices::notify_user(db, SecurityEvent::Enrolled, &user.id, by).await?;
    for account in owned {
        audit::append(db, by, &audit_values::people::role_set(&user, &account, None, Role::Owner))
            .await?;
    }
    audit::append(db, by, &audit_values::people::user_changed(Action::UserEnrolled, &user)).await?;
    Ok(Some(user))
}

/// Ends what the person could sign in with before an enrolment, except the password.
pub(crate) async fn end_earlier<S: Sql>(db: &S, user: &UserId) -> Result<(), S::Error> {
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

/// The credentials of the people with this address who can sign in.
pub async fn find<S: Sql>(
    db: &S,
    email: &StaffEmail,
    browser: Option<SecretDigest>,
) -> Result<Vec<Credentials>, S::Error> {
    db.query(OF_ADDRESS, &[&email.as_str(), &browser])
        .await?
        .iter()
        .map(rows::credentials)
        .collect()
}

/// Whether somebody has signed in with this browser before.
pub async fn is_browser_known<S: Sql>(db: &S, browser: SecretDigest) -> Result<bool, S::Error> {
    let sql = "SELECT 1 FROM known_browsers WHERE digest = $1 LIMIT 1";
    Ok(db.query_opt(sql, &[&browser]).await?.is_some())
}

/// Ends the links of a person, with the messages that were not sent.
pub(crate) async fn end_links<S: Sql>(db: &S, user: &UserId) -> Result<(), S::Error> {
    db.execute("DELETE FROM enrolment_links WHERE user_id = $1", &[&user.as_str()]).await?;
    mail::delete_waiting_links(db, user).await
}

/// Uses up a second factor. `false` where it was used before, or never was one.
pub async fn use_second_factor<S: Sql>(
    db: &S,
    user: &UserId,
    factor: SecondFactor,
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let is_recovery = matches!(factor, SecondFactor::Recovery(_));
    let used = match factor {
        SecondFactor::Totp(step) => {
            let sql = "UPDATE users SET totp_last_step = $2
                       WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2)";
            db.execute(sql, &[&user.as_str(), &step]).await?
        }
        SecondFactor::Recovery(digest) => {
            let sql = "DELETE FROM recovery_codes WHERE digest = $2 AND user_id = $1";
            db.execute(sql, &[&user.as_str(), &digest]).await?
        }
    };
    if used == 1 && is_recovery {
        security_notices::notify_user(db, SecurityEvent::RecoveryCodeUsed, user, by).await?;
    }
    Ok(used == 1)
}

/// Changes the password of the person of a session, and ends the other sessions. `false` where the
/// session has ended.
pub async fn change_password<S: Sql>(
    db: &S,
    PasswordChange { password, kept }: &PasswordChange,
    by: &AuditContext,
) -> Result<bool, S::Error> {
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

/// Gives a person without a password one, and ends the other sessions. `false` where they have one,
/// or where the session has ended.
pub async fn add_password<S: Sql>(
    db: &S,
    new: &NewPassword,
    kept: &Session,
    by: &AuditContext,
) -> Result<bool, S::Error> {
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
async fn password_changed<S: Sql>(
    db: &S,
    kept: &Session,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let user = &kept.user;
    let delete = "DELETE FROM dashboard_sessions WHERE user_id = $1 AND id <> $2";
    db.execute(delete, &[&user.id.as_str(), &kept.id.as_str()]).await?;
    db.execute("DELETE FROM enrolment_links WHERE user_id = $1", &[&user.id.as_str()]).await?;
    security_notices::notify_user(db, SecurityEvent::PasswordChanged, &user.id, by).await?;
    audit::append(db, by, &audit_values::people::user_changed(Action::PasswordChanged, user)).await
}

/// Replaces the recovery codes of the person of a session. `false` where the session has ended.
pub async fn replace_recovery_codes<S: Sql>(
    db: &S,
    session: &Session,
    codes: &[SecretDigest],
    by: &AuditContext,
) -> Result<bool, S::Error> {
    let user = &session.user;
    sessions::lock_person(db, &user.id).await?;
    if !sessions::exists(db, &session.id).await? {
        return Ok(false);
    }
    insert_recovery_codes(db, user, codes).await?;
    security_notices::notify_user(db, SecurityEvent::RecoveryCodesReplaced, &user.id, by).await?;
    audit::append(db, by, &audit_values::people::user_changed(Action::RecoveryCodesReplaced, user))
        .await?;
    Ok(true)
}

async fn insert_recovery_codes<S: Sql>(
    db: &S,
    user: &User,
    codes: &[SecretDigest],
) -> Result<(), S::Error> {
    db.execute("DELETE FROM recovery_codes WHERE user_id = $1", &[&user.id.as_str()]).await?;
    let insert = "INSERT INTO recovery_codes (digest, user_id) VALUES ($1, $2)";
    for code in codes {
        db.execute(insert, &[code, &user.id.as_str()]).await?;
    }
    Ok(())
}

/// How many recovery codes a person has left.
pub async fn recovery_codes_left<S: Sql>(db: &S, user: &UserId) -> Result<u32, S::Error> {
    let sql = "SELECT count(*) AS found FROM recovery_codes WHERE user_id = $1";
    number(&db.query_opt(sql, &[&user.as_str()]).await?.ok_or(MissingRow)?, "found")
}
