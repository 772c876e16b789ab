//! Security notices: e-mail that is inserted in the transaction of the change that it reports.

use super::{alerts, mail, memberships};
use crate::{columns::text, rows::is_enrolled, sql::Sql};
use tua_domain::{
    AccountId, Mode, Scope, SecretKey, UserId,
    audit::AuditContext,
    encrypted_secret::EncryptedSecret,
    mail::{Alert, AlertKind, QueuedMail, SecurityEvent, SecurityNotice},
    people::{BROWSER_KEPT, Device, Role, Session, User},
};

/// The member of an account with an address, if they have enrolled.
const MEMBER: &str = concat!(
    "SELECT users.id AS user_id FROM users JOIN memberships ON user_id = users.id
     WHERE email = $1 AND account_id = $2 AND ",
    is_enrolled!()
);

/// Inserts a notice to a person about a change of their own access.
pub(crate) async fn notify_user<S: Sql>(
    db: &S,
    event: SecurityEvent,
    user: &UserId,
    by: &AuditContext,
) -> Result<(), S::Error> {
    mail::insert(db, &SecurityNotice::new(event, by).to(user.clone(), None, by.at)).await
}

/// Inserts notices about a person's role to the person and to the owners of the account.
pub(crate) async fn notify_of_role<S: Sql>(
    db: &S,
    event: SecurityEvent,
    user: &User,
    account: &AccountId,
    role: Role,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let subject = user.email.as_str().to_owned();
    let role = role.as_str().to_owned();
    let notice = SecurityNotice { subject, role, ..SecurityNotice::new(event, by) };
    // A person who has not enrolled gets the invitation instead.
    let own = user.is_enrolled.then(|| user.id.clone());
    let others = alerts::owners(db, account).await?.into_iter().filter(|owner| *owner != user.id);
    let mails = others.chain(own).map(|person| notice.to(person, Some(account), by.at));
    mail::insert_all(db, mails).await
}

/// Inserts notices about a new key of live mode to the owners of the account and to the person who
/// created it.
pub(crate) async fn notify_of_key<S: Sql>(
    db: &S,
    key: &SecretKey,
    by: &AuditContext,
) -> Result<(), S::Error> {
    if key.scope.mode != Mode::Live {
        return Ok(());
    }
    let account = &key.scope.account;
    let subject = key.id.as_str().to_owned();
    let notice = SecurityNotice { subject, ..SecurityNotice::new(SecurityEvent::LiveKeyMade, by) };
    let mut people = alerts::owners(db, account).await?;
    let creator =
        db.query_opt(MEMBER, &[&by.person().unwrap_or_default(), &account.as_str()]).await?;
    if let Some(row) = creator {
        let creator = UserId::new(text(&row, "user_id")?);
        if !people.contains(&creator) {
            people.push(creator);
        }
    }
    let mails = people.into_iter().map(|person| notice.to(person, Some(account), by.at));
    mail::insert_all(db, mails).await
}

/// Inserts notices to the owners of the account about a change of its limits, webhook endpoints,
/// channels, connected operators or mail server.
pub(crate) async fn notify_owners<S: Sql>(
    db: &S,
    event: SecurityEvent,
    scope: &Scope,
    subject: &str,
    by: &AuditContext,
) -> Result<(), S::Error> {
    notify_owners_through(db, NoticeWay::AccountServer, event, scope, subject, by).await
}

/// The mail server through which a notice is sent, where the settings file has none.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoticeWay<'a> {
    /// That of the account at the time when the notice is sent.
    AccountServer,
    /// One with these settings, encrypted for the account.
    Through(&'a EncryptedSecret),
}

/// As [`notify_owners`], in this way.
pub(crate) async fn notify_owners_through<S: Sql>(
    db: &S,
    way: NoticeWay<'_>,
    event: SecurityEvent,
    scope: &Scope,
    subject: &str,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let notice = SecurityNotice::about(event, scope, subject, by);
    let secret = match way {
        NoticeWay::AccountServer => None,
        NoticeWay::Through(settings) => Some(settings.clone()),
    };
    let owners = alerts::owners(db, &scope.account).await?;
    let mails = owners.into_iter().map(|owner| QueuedMail {
        secret: secret.clone(),
        ..notice.to(owner, Some(&scope.account), by.at)
    });
    mail::insert_all(db, mails).await
}

/// Stores the browser of a sign-in. Inserts a notice to the person if the browser is new and not
/// the first one, and returns whether it is.
pub(crate) async fn note_browser<S: Sql>(
    db: &S,
    session: &Session,
    device: &Device,
) -> Result<bool, S::Error> {
    let user = session.user.id.as_str();
    let seen_at = session.created_at;
    let known = "SELECT 1 FROM known_browsers WHERE user_id = $1 LIMIT 1";
    let is_first = db.query_opt(known, &[&user]).await?.is_none();
    // Deleted after the check above, so that a sign-in after a long time is not the first one.
    let delete = "DELETE FROM known_browsers WHERE user_id = $1 AND seen_at <= $2";
    db.execute(delete, &[&user, &(seen_at - BROWSER_KEPT)]).await?;
    let insert = "INSERT INTO known_browsers (user_id, digest, seen_at) VALUES ($1, $2, $3) ON \
        CONFLICT DO NOTHING";
    let is_new = db.execute(insert, &[&user, &device.browser, &seen_at]).await? == 1;
    let update = "UPDATE known_browsers SET seen_at = $3 WHERE user_id = $1 AND digest = $2";
    db.execute(update, &[&user, &device.browser, &seen_at]).await?;
    let is_another = is_new && !is_first;
    if is_another {
        mail::insert(db, &SecurityNotice::of_sign_in(session, device)).await?;
        alert_channels_of(db, session).await?;
    }
    Ok(is_another)
}

/// Tells the channels of the person's accounts about a sign-in from a new device.
async fn alert_channels_of<S: Sql>(db: &S, session: &Session) -> Result<(), S::Error> {
    let user = &session.user.id;
    for membership in memberships::of_user(db, user).await? {
        let alert = Alert {
            scope: Scope { account: membership.account, mode: Mode::Live },
            kind: AlertKind::NewDevice,
            subject: user.as_str().to_owned(),
            occurred_at: session.created_at,
        };
        alerts::insert_for_channels(db, &alert).await?;
    }
    Ok(())
}
