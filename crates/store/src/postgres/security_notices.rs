//! Security notices, inserted in the transaction of what they report.

use super::{
    alerts,
    db::Db,
    error::{Error, Result},
    mail,
    record::at,
};
use crate::rows::is_enrolled;
use tua_domain::{
    AccountId, Mode, Scope, SecretKey, UserId,
    audit::AuditContext,
    mail::{QueuedMail, SecurityEvent, SecurityNotice},
    people::{BROWSER_KEPT, Device, Role, Session, User},
};

/// The member of an account with an address, if they have enrolled.
const MEMBER: &str = concat!(
    "SELECT users.id FROM users JOIN memberships ON user_id = users.id WHERE email = $1 AND \
     account_id = $2 AND ",
    is_enrolled!()
);

/// Tells a person about the own access.
pub(super) async fn tell(
    db: &Db,
    event: SecurityEvent,
    user: &UserId,
    by: &AuditContext,
) -> Result<()> {
    mail::insert(db, &[SecurityNotice::new(event, by).to(user.clone(), None, by.at)]).await
}

/// Tells a person about the own role, and the owners of the account.
pub(super) async fn tell_role(
    db: &Db,
    event: SecurityEvent,
    user: &User,
    account: &AccountId,
    role: Role,
    by: &AuditContext,
) -> Result<()> {
    let subject = user.email.as_str().to_owned();
    let role = role.as_str().to_owned();
    let notice = SecurityNotice { subject, role, ..SecurityNotice::new(event, by) };
    // Who has not enrolled has the invitation.
    let own = user.is_enrolled.then(|| user.id.clone());
    let others = alerts::owners(db, account).await?.into_iter().filter(|owner| *owner != user.id);
    let mails: Vec<QueuedMail> =
        others.chain(own).map(|person| notice.to(person, Some(account), by.at)).collect();
    mail::insert(db, &mails).await
}

/// Tells the owners of the account about a key of live mode, and the person who made it.
pub(super) async fn tell_key(db: &Db, key: &SecretKey, by: &AuditContext) -> Result<()> {
    if key.scope.mode != Mode::Live {
        return Ok(());
    }
    let account = &key.scope.account;
    let subject = key.id.as_str().to_owned();
    let notice = SecurityNotice { subject, ..SecurityNotice::new(SecurityEvent::LiveKeyMade, by) };
    let mut people = alerts::owners(db, account).await?;
    let maker =
        db.query_opt(MEMBER, &[&by.person().unwrap_or_default(), &account.as_str()]).await?;
    if let Some(row) = maker {
        let maker = UserId::new(row.try_get::<_, String>(0)?);
        if !people.contains(&maker) {
            people.push(maker);
        }
    }
    let mails: Vec<QueuedMail> =
        people.into_iter().map(|person| notice.to(person, Some(account), by.at)).collect();
    mail::insert(db, &mails).await
}

/// Tells the owners of the account about a change of its limits or webhook endpoints.
pub(super) async fn tell_owners(
    db: &Db,
    event: SecurityEvent,
    scope: &Scope,
    subject: &str,
    by: &AuditContext,
) -> Result<()> {
    let notice = SecurityNotice::about(event, scope, subject, by);
    let owners = alerts::owners(db, &scope.account).await?;
    let mails: Vec<QueuedMail> =
        owners.into_iter().map(|owner| notice.to(owner, Some(&scope.account), by.at)).collect();
    mail::insert(db, &mails).await
}

/// Stores the browser of a sign-in, and tells the person if it is another one than those before.
pub(super) async fn note_browser(db: &Db, session: &Session, device: &Device) -> Result<()> {
    let user = session.user.id.as_str();
    let seen_at = at(session.created_at);
    let first = "SELECT NOT EXISTS (SELECT 1 FROM known_browsers WHERE user_id = $1)";
    let is_first: bool =
        db.query_opt(first, &[&user]).await?.ok_or(Error::MissingRow)?.try_get(0)?;
    // After that: a sign-in after a long time without one is not the first one.
    let delete = "DELETE FROM known_browsers WHERE user_id = $1 AND seen_at <= $2";
    db.execute(delete, &[&user, &at(session.created_at - BROWSER_KEPT)]).await?;
    let insert = "INSERT INTO known_browsers (user_id, digest, seen_at) VALUES ($1, $2, $3) ON \
        CONFLICT DO NOTHING";
    let is_new = db.execute(insert, &[&user, &&device.browser.0[..], &seen_at]).await? == 1;
    let update = "UPDATE known_browsers SET seen_at = $3 WHERE user_id = $1 AND digest = $2";
    db.execute(update, &[&user, &&device.browser.0[..], &seen_at]).await?;
    if is_new && !is_first {
        mail::insert(db, &[SecurityNotice::of_sign_in(session, device)]).await
    } else {
        Ok(())
    }
}
