//! The outbox of e-mail: messages are inserted in the transaction of the change that they report.

use super::{
    alerts,
    batch_ops::column,
    db::Db,
    error::Result,
    record::{at, maybe_at},
};
use crate::rows::{self, mail_columns};
use jiff::Timestamp;
use tua_domain::{
    AccountId, TransactionId, UserId,
    language::LanguageTag,
    mail::{MailOutcome, QueuedMail},
    webhook::encrypted_secret::EncryptedSecret,
};

/// Inserts messages, if e-mail is on. Receipts are inserted only if the account sends receipts.
pub(super) async fn insert(db: &Db, mails: &[QueuedMail]) -> Result<()> {
    if mails.is_empty() {
        return Ok(());
    }
    db.execute(
        "INSERT INTO mail_messages
             (id, kind, account_id, user_id, transaction_id, language, detail, secret, \
         occurred_at, expires_at, status, due_at)
         SELECT new.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], \
         $6::text[], $7::text[],
                                  $8::bytea[], $9::bigint[], $10::bigint[], $11::text[], \
         $12::bigint[])
             AS new (id, kind, account_id, user_id, transaction_id, language, detail, secret, \
         occurred_at, expires_at,
                     status, due_at), mail_switch
         WHERE new.kind NOT IN ('RECEIPT', 'REFUND')
            OR EXISTS (SELECT 1 FROM accounts WHERE accounts.id = new.account_id AND receipts = 1)",
        &[
            &column(mails, |new| new.id.as_str()),
            &column(mails, |new| new.kind.as_str()),
            &column(mails, |new| new.account.as_ref().map(AccountId::as_str)),
            &column(mails, |new| new.user.as_ref().map(UserId::as_str)),
            &column(mails, |new| new.transaction.as_ref().map(TransactionId::as_str)),
            &column(mails, |new| new.language.as_ref().map(LanguageTag::as_str)),
            &column(mails, |new| new.detail.as_deref()),
            &column(mails, |new| new.secret.as_ref().map(EncryptedSecret::as_bytes)),
            &column(mails, |new| at(new.occurred_at)),
            &column(mails, |new| maybe_at(new.expires_at)),
            &column(mails, |new| new.status.as_str()),
            &column(mails, |new| maybe_at(new.due_at)),
        ],
    )
    .await
    .map(drop)
}

/// Deletes the messages with links to this person that were not sent: the links are dead.
pub(super) async fn delete_waiting_links(db: &Db, user: &UserId) -> Result<()> {
    let sql = "DELETE FROM mail_messages WHERE user_id = $1 AND status = 'WAITING' AND kind IN \
        ('INVITATION', 'RESET')";
    db.execute(sql, &[&user.as_str()]).await.map(drop)
}

pub(super) async fn is_anything_due(db: &Db, now: Timestamp) -> Result<bool> {
    Ok(db
        .query_opt("SELECT 1 FROM mail_messages WHERE due_at <= $1 LIMIT 1", &[&at(now)])
        .await?
        .is_some())
}

pub(super) async fn lease(
    db: &Db,
    now: Timestamp,
    until: Timestamp,
    most: u32,
) -> Result<Vec<QueuedMail>> {
    let sql = concat!(
        "WITH due AS (SELECT id FROM mail_messages WHERE due_at <= $1
                      ORDER BY due_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE mail_messages SET due_at = $2 FROM due WHERE mail_messages.id = due.id RETURNING ",
        mail_columns!()
    );
    let leased = db.query(sql, &[&at(now), &at(until), &i64::from(most)]).await?;
    let mut leased: Vec<QueuedMail> = leased.iter().map(rows::mail).collect::<Result<_>>()?;
    leased.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(leased)
}

/// Updates a message that is unchanged since it was leased.
pub(super) async fn record(
    db: &Db,
    sent: &QueuedMail,
    outcome: &MailOutcome,
    now: Timestamp,
) -> Result<()> {
    let mut after = sent.clone();
    after.take(outcome, now);
    if let Some(digest) = after.unsent_digest() {
        alerts::lock(db, digest).await?;
    }
    db.execute(
        "UPDATE mail_messages SET status = $4, attempts = $5, due_at = $6, attempted_at = $7, \
         fault = $8, secret = $9
         WHERE id = $1 AND attempts = $2 AND due_at IS NOT DISTINCT FROM $3",
        &[
            &after.id.as_str(),
            &i64::from(sent.attempts),
            &maybe_at(sent.due_at),
            &after.status.as_str(),
            &i64::from(after.attempts),
            &maybe_at(after.due_at),
            &maybe_at(after.attempted_at),
            &after.fault,
            &after.secret.as_ref().map(EncryptedSecret::as_bytes),
        ],
    )
    .await?;
    match after.unsent_digest() {
        Some(digest) => alerts::revive(db, digest).await,
        None => Ok(()),
    }
}
