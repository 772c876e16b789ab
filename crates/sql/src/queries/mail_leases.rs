//! Leases of messages in the outbox of e-mail, so that one worker sends each.

use super::mail::mail_columns;
use crate::{
    rows,
    sql::{Parameters, RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::mail::{MailLease, MailShare, QueuedMail};

/// What is due: at most `$2` messages.
const DUE: &str = concat!(
    "SELECT ",
    mail_columns!(),
    " FROM mail_messages WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2"
);

/// As [`DUE`], the oldest due message of each account that is not in `$3`. Messages about no
/// account count as one account.
const DUE_OF_OTHERS: &str = concat!(
    "SELECT ",
    mail_columns!(),
    " FROM mail_messages WHERE due_at <= $1 AND id IN (
          SELECT (SELECT one.id FROM mail_messages AS one
                  WHERE one.account_id = accounts.id AND one.due_at <= $1
                  ORDER BY one.due_at, one.id LIMIT 1)
          FROM accounts WHERE CAST($3 AS TEXT) NOT LIKE '% ' || accounts.id || ' %'
          UNION ALL
          SELECT (SELECT one.id FROM mail_messages AS one
                  WHERE one.account_id IS NULL AND one.due_at <= $1
                  ORDER BY one.due_at, one.id LIMIT 1))
      ORDER BY due_at, id LIMIT $2"
);

/// Whether any message is due, also of an account that a lease leaves out.
pub async fn is_any_due<S: Sql>(db: &S, now: Timestamp) -> Result<bool, S::Error> {
    let sql = "SELECT 1 FROM mail_messages WHERE due_at <= $1 LIMIT 1";
    Ok(db.query_opt(sql, &[&now]).await?.is_some())
}

/// Leases due messages. Those that another node is leasing are left to it.
pub async fn lease<S: Sql>(db: &S, lease: &MailLease) -> Result<Vec<QueuedMail>, S::Error> {
    let found = match &lease.share {
        MailShare::All => due(db, DUE, &[&lease.now, &lease.limit]).await?,
        MailShare::OneOfOthers(accounts) => {
            let accounts =
                accounts.iter().fold(" ".to_owned(), |text, one| text + one.as_str() + " ");
            due(db, DUE_OF_OTHERS, &[&lease.now, &lease.limit, &accounts]).await?
        }
    };
    let mut leased: Vec<QueuedMail> =
        found.iter().map(rows::mail).collect::<Result<_, S::Error>>()?;
    for mail in &mut leased {
        let update = "UPDATE mail_messages SET due_at = $2 WHERE id = $1";
        db.execute(update, &[&mail.id.as_str(), &lease.until]).await?;
        mail.due_at = Some(lease.until);
    }
    leased.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(leased)
}

async fn due<S: Sql>(
    db: &S,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<Vec<S::Row>, S::Error> {
    db.query_locked(sql, RowLock::NoKeyUpdateUnlocked, parameters).await
}
