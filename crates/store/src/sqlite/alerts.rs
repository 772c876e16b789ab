//! Alerts to the owners of accounts, and the messages that contain them.

use super::{mail, record::Record};
use crate::{
    alert_sql::{REVIVE_ALERTS, accounts_to_alert, most_urgent_first, owners_of},
    rows,
};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use tua_domain::{
    AccountId, MailId, UserId,
    mail::{Alert, AlertDigest, DIGEST_INTERVAL, GATHERED_FOR, QueuedMail},
};

/// Inserts an alert, if e-mail is on and it is no repetition.
pub(super) fn insert(db: &Connection, alert: &Alert) -> Result<()> {
    db.prepare_cached(
        "INSERT OR IGNORE INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM mail_switch",
    )?
    .execute((
        alert.id(),
        alert.scope.account.as_str(),
        alert.scope.mode.as_str(),
        alert.kind.as_str(),
        &alert.subject,
        alert.occurred_at.as_millisecond(),
    ))
    .map(drop)
}

/// The accounts whose alerts are due.
pub(super) fn due_accounts(db: &Connection, now: Timestamp) -> Result<Vec<AccountId>> {
    db.prepare_cached(accounts_to_alert!("?1", "?2"))?
        .query_map(
            ((now - GATHERED_FOR).as_millisecond(), (now - DIGEST_INTERVAL).as_millisecond()),
            |row| row.get(0).map(|id: String| AccountId::new(id)),
        )?
        .collect()
}

/// Collects the alerts of accounts in one message for each owner.
pub(super) fn dispatch(db: &Connection, now: Timestamp) -> Result<()> {
    for account in due_accounts(db, now)? {
        let digest = MailId::mint();
        db.prepare_cached(
            "UPDATE mail_alerts SET digest_id = ?2 WHERE account_id = ?1 AND digest_id IS NULL",
        )?
        .execute((account.as_str(), digest.as_str()))?;
        for owner in owners(db, &account)? {
            mail::insert(db, &QueuedMail::alerts(account.clone(), owner, &digest, now))?;
        }
    }
    Ok(())
}

/// The owners who have enrolled.
pub(super) fn owners(db: &Connection, account: &AccountId) -> Result<Vec<UserId>> {
    db.prepare_cached(owners_of!("?1"))?
        .query_map([account.as_str()], |row| row.get(0).map(|id: String| UserId::new(id)))?
        .collect()
}

/// Lets the alerts of a message wait for another one, if none of the messages with them was sent or
/// is still to be.
pub(super) fn revive(db: &Connection, digest: &str) -> Result<()> {
    db.prepare_cached(REVIVE_ALERTS)?.execute([digest]).map(drop)
}

/// The alerts of a message, at most so many of them: the most urgent ones.
pub(super) fn digest(db: &Connection, id: &str, most: u32) -> Result<AlertDigest> {
    let count = db
        .prepare_cached("SELECT count(*) FROM mail_alerts WHERE digest_id = ?1")?
        .query_row([id], |row| row.get(0))?;
    let alerts = db
        .prepare_cached(concat!(
            "SELECT * FROM mail_alerts WHERE digest_id = ?1 ",
            most_urgent_first!(),
            " LIMIT ?2"
        ))?
        .query_map((id, most), |row| rows::alert(&Record::new(row)))?
        .collect::<Result<_>>()?;
    Ok(AlertDigest { alerts, count })
}
