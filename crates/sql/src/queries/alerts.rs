//! Alerts to the people of accounts, and the messages that contain them.

use super::{alert_choices, mail};
use crate::{
    columns::{number, text, word},
    rows::{self, is_enrolled},
    sql::{MissingRow, RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{
    AccountId, MailId, UserId,
    mail::{Alert, AlertDigest, AlertKind, AlertTopic, DIGEST_INTERVAL, GATHERED_FOR, QueuedMail},
};

/// The enrolled owners of an account: those who can be told something. The parameter is the
/// account.
const OWNERS: &str = concat!(
    "SELECT user_id FROM memberships JOIN users ON users.id = user_id
     WHERE role = 'owner' AND account_id = $1 AND ",
    is_enrolled!(),
    " ORDER BY user_id"
);

/// The accounts whose alerts are due to be sent. Alerts of an account without an owner who can be
/// told wait for one. The parameters: alerts up to this time have been collected, and the last
/// message is not later than this time.
const ACCOUNTS_TO_ALERT: &str = concat!(
    "SELECT account_id FROM mail_alerts WHERE digest_id IS NULL GROUP BY account_id
     HAVING min(occurred_at) <= $1
        AND NOT EXISTS (SELECT 1 FROM mail_messages
                        WHERE kind = 'ALERTS' AND mail_messages.account_id = mail_alerts.account_id
                          AND occurred_at > $2)
        AND EXISTS (SELECT 1 FROM memberships JOIN users ON users.id = user_id
                    WHERE role = 'owner' AND memberships.account_id = mail_alerts.account_id AND ",
    is_enrolled!(),
    ")"
);

/// The order of the alerts of a message, of which only the first are described: live mode first,
/// and in each mode first what costs money while nobody looks, so that a storm of other alerts does
/// not hide it.
macro_rules! most_urgent_first {
    () => {
        "ORDER BY CASE mode WHEN 'live' THEN 0 ELSE 1 END,
                  CASE WHEN kind IN ('KEY_EXPOSED', 'CONFLICT', 'NEW_DEVICE') THEN 0 ELSE 1 END,
                  occurred_at, id"
    };
}
pub(super) use most_urgent_first;

/// Makes alerts wait for a message again. The parameters: the digest, and the kinds of alerts that
/// stay in it.
const REVIVE_ALERTS: &str = "UPDATE mail_alerts SET digest_id = NULL
     WHERE digest_id = $1 AND CAST($2 AS TEXT) NOT LIKE '% ' || kind || ' %'";

/// Who was sent the alerts of a digest, or still is to be.
const DIGEST_RECIPIENTS: &str = "SELECT user_id, account_id FROM mail_messages
     WHERE kind = 'ALERTS' AND detail = $1 AND status IN ('WAITING', 'SENT')";

/// Inserts an alert with this digest, if this holds or the account has a channel.
macro_rules! insert_as {
    ($digest:literal, $condition:literal) => {
        concat!(
            "INSERT INTO mail_alerts (id, account_id, mode, kind, subject, occurred_at, digest_id)
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT),
                    CAST($5 AS TEXT), CAST($6 AS BIGINT), ",
            $digest,
            " WHERE ",
            $condition,
            "EXISTS (SELECT 1 FROM alert_channels WHERE account_id = $2 AND mode = $3)
             ON CONFLICT DO NOTHING"
        )
    };
}

/// Inserts an alert, if e-mail is on or the account has a channel, and it is no repetition.
/// Triggers insert some alerts, and for each alert its deliveries to channels.
pub async fn insert<S: Sql>(db: &S, alert: &Alert) -> Result<(), S::Error> {
    let sql = insert_as!(
        "(SELECT 'no mail' WHERE NOT EXISTS (SELECT 1 FROM mail_switch))",
        "EXISTS (SELECT 1 FROM mail_switch) OR "
    );
    execute(db, sql, alert).await
}

/// As [`insert`], for channels alone: no message contains it.
pub(crate) async fn insert_for_channels<S: Sql>(db: &S, alert: &Alert) -> Result<(), S::Error> {
    execute(db, insert_as!("'no mail'", ""), alert).await
}

async fn execute<S: Sql>(db: &S, sql: &str, alert: &Alert) -> Result<(), S::Error> {
    db.execute(
        sql,
        &[
            &alert.id(),
            &alert.scope.account.as_str(),
            &alert.scope.mode.as_str(),
            &alert.kind.as_str(),
            &alert.subject,
            &alert.occurred_at,
        ],
    )
    .await
    .map(drop)
}

/// The accounts whose alerts are due.
pub async fn due_accounts<S: Sql>(db: &S, now: Timestamp) -> Result<Vec<AccountId>, S::Error> {
    let rows =
        db.query(ACCOUNTS_TO_ALERT, &[&(now - GATHERED_FOR), &(now - DIGEST_INTERVAL)]).await?;
    rows.iter().map(|row| Ok(AccountId::new(text(row, "account_id")?))).collect()
}

/// Collects the alerts of accounts in one message for each person who is told about one of them. Of
/// two nodes one finds alerts without a message.
pub async fn dispatch<S: Sql>(db: &S, now: Timestamp) -> Result<(), S::Error> {
    for account in due_accounts(db, now).await? {
        let digest = MailId::mint();
        let update =
            "UPDATE mail_alerts SET digest_id = $2 WHERE account_id = $1 AND digest_id IS NULL";
        if db.execute(update, &[&account.as_str(), &digest.as_str()]).await? == 0 {
            continue;
        }
        let topics = topics_of(db, &digest).await?;
        let people = alert_choices::recipients(db, &account).await?.into_iter();
        let told = people.filter(|one| one.topics.iter().any(|topic| topics.contains(topic)));
        let mails = told.map(|one| QueuedMail::alerts(account.clone(), one.user, &digest, now));
        mail::insert_all(db, mails).await?;
    }
    Ok(())
}

/// What the alerts of a message are about.
async fn topics_of<S: Sql>(db: &S, digest: &MailId) -> Result<Vec<AlertTopic>, S::Error> {
    let sql = "SELECT DISTINCT kind FROM mail_alerts WHERE digest_id = $1";
    let rows = db.query(sql, &[&digest.as_str()]).await?;
    rows.iter().map(|row| Ok(word(row, "kind", AlertKind::parse)?.topic())).collect()
}

/// The owners who have enrolled.
pub(crate) async fn owners<S: Sql>(db: &S, account: &AccountId) -> Result<Vec<UserId>, S::Error> {
    let rows = db.query(OWNERS, &[&account.as_str()]).await?;
    rows.iter().map(|row| Ok(UserId::new(text(row, "user_id")?))).collect()
}

/// Locks the alerts of a digest, so that of the messages with them the last one that ends sees how
/// the others did.
pub(crate) async fn lock<S: Sql>(db: &S, digest: &str) -> Result<(), S::Error> {
    let sql = "SELECT id FROM mail_alerts WHERE digest_id = $1 ORDER BY id";
    db.query_locked(sql, RowLock::Update, &[&digest]).await.map(drop)
}

/// Lets alerts of a digest wait for another message: those that no recipient of a message that was
/// sent, or is still to be, has chosen.
pub(crate) async fn revive<S: Sql>(db: &S, digest: &str) -> Result<(), S::Error> {
    let mut topics = Vec::new();
    for row in db.query(DIGEST_RECIPIENTS, &[&digest]).await? {
        let user = UserId::new(text(&row, "user_id")?);
        let account = AccountId::new(text(&row, "account_id")?);
        let members = alert_choices::recipients(db, &account).await?.into_iter();
        topics.extend(members.filter(|one| one.user == user).flat_map(|one| one.topics));
    }
    db.execute(REVIVE_ALERTS, &[&digest, &kinds_text(&topics)]).await.map(drop)
}

/// The alerts of a message that are about these topics, at most so many of them: the most urgent
/// ones.
pub async fn digest<S: Sql>(
    db: &S,
    id: &str,
    topics: &[AlertTopic],
    limit: u32,
) -> Result<AlertDigest, S::Error> {
    let kinds = kinds_text(topics);
    let sql = "SELECT count(*) AS alerts FROM mail_alerts
               WHERE digest_id = $1 AND CAST($2 AS TEXT) LIKE '% ' || kind || ' %'";
    let count = number(&db.query_opt(sql, &[&id, &kinds]).await?.ok_or(MissingRow)?, "alerts")?;
    let sql = concat!(
        "SELECT account_id, mode, kind, subject, occurred_at FROM mail_alerts
         WHERE digest_id = $1 AND CAST($2 AS TEXT) LIKE '% ' || kind || ' %' ",
        most_urgent_first!(),
        " LIMIT $3"
    );
    let alerts = db.query(sql, &[&id, &kinds, &limit]).await?;
    let alerts = alerts.iter().map(rows::alert).collect::<Result<_, S::Error>>()?;
    Ok(AlertDigest { alerts, count })
}

/// The kinds of these topics, each between spaces: both engines find a kind in it with `LIKE`, also
/// the trigger on alerts.
pub(super) fn kinds_text(topics: &[AlertTopic]) -> String {
    let kinds = AlertKind::of_topics(topics);
    kinds.iter().fold(" ".to_owned(), |text, kind| text + kind.as_str() + " ")
}
