//! Security notices, inserted in the transaction of what they report.

use super::{alerts, mail};
use crate::rows::is_enrolled;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    AccountId, Mode, Scope, SecretKey, UserId,
    audit::AuditContext,
    mail::{SecurityEvent, SecurityNotice},
    people::{BROWSER_KEPT, Device, Role, Session, User},
};

/// The member of an account with an address, if they have enrolled.
const MEMBER: &str = concat!(
    "SELECT users.id FROM users JOIN memberships ON user_id = users.id WHERE email = ?1 AND \
     account_id = ?2 AND ",
    is_enrolled!()
);

/// Tells a person about the own access.
pub(super) fn tell(
    db: &Connection,
    event: SecurityEvent,
    user: &UserId,
    by: &AuditContext,
) -> Result<()> {
    mail::insert(db, &SecurityNotice::new(event, by).to(user.clone(), None, by.at))
}

/// Tells a person about the own role, and the owners of the account.
pub(super) fn tell_role(
    db: &Connection,
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
    let others = alerts::owners(db, account)?.into_iter().filter(|owner| *owner != user.id);
    others
        .chain(own)
        .try_for_each(|person| mail::insert(db, &notice.to(person, Some(account), by.at)))
}

/// Tells the owners of the account about a key of live mode, and the person who made it.
pub(super) fn tell_key(db: &Connection, key: &SecretKey, by: &AuditContext) -> Result<()> {
    if key.scope.mode != Mode::Live {
        return Ok(());
    }
    let account = &key.scope.account;
    let subject = key.id.as_str().to_owned();
    let notice = SecurityNotice { subject, ..SecurityNotice::new(SecurityEvent::LiveKeyMade, by) };
    let mut people = alerts::owners(db, account)?;
    let maker: Option<String> = db
        .prepare_cached(MEMBER)?
        .query_row([by.person().unwrap_or_default(), account.as_str()], |row| row.get(0))
        .optional()?;
    people.extend(maker.map(UserId::new).filter(|maker| !people.contains(maker)));
    people
        .into_iter()
        .try_for_each(|person| mail::insert(db, &notice.to(person, Some(account), by.at)))
}

/// Tells the owners of the account about a change of its limits or webhook endpoints.
pub(super) fn tell_owners(
    db: &Connection,
    event: SecurityEvent,
    scope: &Scope,
    subject: &str,
    by: &AuditContext,
) -> Result<()> {
    let notice = SecurityNotice::about(event, scope, subject, by);
    let owners = alerts::owners(db, &scope.account)?;
    owners
        .into_iter()
        .try_for_each(|owner| mail::insert(db, &notice.to(owner, Some(&scope.account), by.at)))
}

/// Stores the browser of a sign-in, and tells the person if it is another one than those before.
pub(super) fn note_browser(db: &Connection, session: &Session, device: &Device) -> Result<()> {
    let user = session.user.id.as_str();
    let at = session.created_at.as_millisecond();
    let is_first: bool = db
        .prepare_cached("SELECT NOT EXISTS (SELECT 1 FROM known_browsers WHERE user_id = ?1)")?
        .query_row([user], |row| row.get(0))?;
    // After that: a sign-in after a long time without one is not the first one.
    db.prepare_cached("DELETE FROM known_browsers WHERE user_id = ?1 AND seen_at <= ?2")?
        .execute((user, (session.created_at - BROWSER_KEPT).as_millisecond()))?;
    let is_new = db
        .prepare_cached(
            "INSERT INTO known_browsers (user_id, digest, seen_at) VALUES (?1, ?2, ?3) ON CONFLICT \
             DO NOTHING",
        )?
        .execute((user, device.browser.0, at))?
        == 1;
    db.prepare_cached("UPDATE known_browsers SET seen_at = ?3 WHERE user_id = ?1 AND digest = ?2")?
        .execute((user, device.browser.0, at))?;
    if is_new && !is_first {
        mail::insert(db, &SecurityNotice::of_sign_in(session, device))
    } else {
        Ok(())
    }
}
