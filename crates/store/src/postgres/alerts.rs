//! Alerts to the owners of accounts, and the messages that contain them.

use super::{
    db::Db,
    error::{Error, Result},
    mail,
    record::at,
};
use crate::{
    alert_sql::{REVIVE_ALERTS, accounts_to_alert, most_urgent_first, owners_of},
    rows,
};
use jiff::Timestamp;
use tua_domain::{
    AccountId, MailId, UserId,
    mail::{Alert, AlertDigest, DIGEST_INTERVAL, GATHERED_FOR, QueuedMail},
};

/// Inserts an alert, if e-mail is on and it is no repetition.
pub(super) async fn insert(db: &Db, alert: &Alert) -> Result<()> {
    db.execute(
        "INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at)
         SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::bigint FROM mail_switch ON \
         CONFLICT DO NOTHING",
        &[
            &alert.id(),
            &alert.scope.account.as_str(),
            &alert.scope.mode.as_str(),
            &alert.kind.as_str(),
            &alert.subject,
            &at(alert.occurred_at),
        ],
    )
    .await
    .map(drop)
}

/// The accounts whose alerts are due.
pub(super) async fn due_accounts(db: &Db, now: Timestamp) -> Result<Vec<AccountId>> {
    let rows = db
        .query(
            accounts_to_alert!("$1", "$2"),
            &[&at(now - GATHERED_FOR), &at(now - DIGEST_INTERVAL)],
        )
        .await?;
    rows.iter().map(|row| Ok(AccountId::new(row.try_get::<_, String>(0)?))).collect()
}

/// Collects the alerts of accounts in one message for each owner. Of two nodes one finds alerts
/// without a message.
pub(super) async fn dispatch(db: &Db, now: Timestamp) -> Result<()> {
    for account in due_accounts(db, now).await? {
        let digest = MailId::mint();
        let update =
            "UPDATE mail_alerts SET digest_id = $2 WHERE account_id = $1 AND digest_id IS NULL";
        if db.execute(update, &[&account.as_str(), &digest.as_str()]).await? == 0 {
            continue;
        }
        let owned = |owner| QueuedMail::alerts(account.clone(), owner, &digest, now);
        let mails: Vec<QueuedMail> = owners(db, &account).await?.into_iter().map(owned).collect();
        mail::insert(db, &mails).await?;
    }
    Ok(())
}

/// The owners who have enrolled.
pub(super) async fn owners(db: &Db, account: &AccountId) -> Result<Vec<UserId>> {
    let rows = db.query(owners_of!("$1"), &[&account.as_str()]).await?;
    rows.iter().map(|row| Ok(UserId::new(row.try_get::<_, String>(0)?))).collect()
}

/// Locks the alerts of a message, so that of its owners' messages the last one that ends sees how
/// the others did.
pub(super) async fn lock(db: &Db, digest: &str) -> Result<()> {
    db.query("SELECT id FROM mail_alerts WHERE digest_id = $1 ORDER BY id FOR UPDATE", &[&digest])
        .await
        .map(drop)
}

/// Lets the alerts of a message wait for another one, if none of the messages with them was sent or
/// is still to be.
pub(super) async fn revive(db: &Db, digest: &str) -> Result<()> {
    db.execute(REVIVE_ALERTS, &[&digest]).await.map(drop)
}

/// The alerts of a message, at most so many of them: the most urgent ones.
pub(super) async fn digest(db: &Db, id: &str, most: u32) -> Result<AlertDigest> {
    let counted =
        db.query_opt("SELECT count(*) FROM mail_alerts WHERE digest_id = $1", &[&id]).await?;
    let count: i64 = counted.ok_or(Error::MissingRow)?.try_get(0)?;
    let sql = concat!(
        "SELECT account_id, mode, kind, subject, occurred_at FROM mail_alerts WHERE digest_id = $1 \
         ",
        most_urgent_first!(),
        " LIMIT $2"
    );
    let alerts = db.query(sql, &[&id, &i64::from(most)]).await?;
    let alerts = alerts.iter().map(rows::alert).collect::<Result<_>>()?;
    Ok(AlertDigest { alerts, count: u32::try_from(count).unwrap_or(u32::MAX) })
}
