//! The outbox of e-mail: messages are inserted in the transaction of the change that they report.

use super::{alerts, record::Record};
use crate::rows::{self, mail_columns};
use jiff::Timestamp;
use rusqlite::{Connection, Result, params};
use tua_domain::{
    AccountId, TransactionId, UserId,
    language::LanguageTag,
    mail::{MailFilter, MailOutcome, QueuedMail},
    webhook::encrypted_secret::EncryptedSecret,
};

/// Inserts a message, if e-mail is on. Receipts are inserted only if the account sends receipts.
pub(super) fn insert(db: &Connection, mail: &QueuedMail) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO mail_messages
             (id, kind, account_id, user_id, transaction_id, language, detail, secret, \
         occurred_at, expires_at, status, due_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM mail_switch
         WHERE ?2 NOT IN ('RECEIPT', 'REFUND') OR EXISTS (SELECT 1 FROM accounts WHERE id = ?3 AND \
         receipts = 1)",
    )?
    .execute(params![
        mail.id.as_str(),
        mail.kind.as_str(),
        mail.account.as_ref().map(AccountId::as_str),
        mail.user.as_ref().map(UserId::as_str),
        mail.transaction.as_ref().map(TransactionId::as_str),
        mail.language.as_ref().map(LanguageTag::as_str),
        mail.detail,
        mail.secret.as_ref().map(EncryptedSecret::as_bytes),
        mail.occurred_at.as_millisecond(),
        mail.expires_at.map(Timestamp::as_millisecond),
        mail.status.as_str(),
        mail.due_at.map(Timestamp::as_millisecond),
    ])
    .map(drop)
}

/// Deletes the messages with links to this person that were not sent: the links are dead.
pub(super) fn delete_waiting_links(db: &Connection, user: &UserId) -> Result<()> {
    db.prepare_cached(
        "DELETE FROM mail_messages WHERE user_id = ?1 AND status = 'WAITING' AND kind IN \
         ('INVITATION', 'RESET')",
    )?
    .execute([user.as_str()])
    .map(drop)
}

pub(super) fn is_anything_due(db: &Connection, now: Timestamp) -> Result<bool> {
    db.prepare_cached("SELECT EXISTS (SELECT 1 FROM mail_messages WHERE due_at <= ?1)")?
        .query_row([now.as_millisecond()], |row| row.get(0))
}

pub(super) fn lease(
    db: &Connection,
    now: Timestamp,
    until: Timestamp,
    most: u32,
) -> Result<Vec<QueuedMail>> {
    let mut leased: Vec<QueuedMail> = db
        .prepare_cached(concat!(
            "UPDATE mail_messages SET due_at = ?2
             WHERE id IN (SELECT id FROM mail_messages WHERE due_at <= ?1 ORDER BY due_at, id \
             LIMIT ?3) RETURNING ",
            mail_columns!()
        ))?
        .query_map((now.as_millisecond(), until.as_millisecond(), most), |row| {
            rows::mail(&Record::new(row))
        })?
        .collect::<Result<_>>()?;
    leased.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(leased)
}

/// Updates a message that was not leased again since it was leased.
pub(super) fn record(
    db: &Connection,
    sent: &QueuedMail,
    outcome: &MailOutcome,
    now: Timestamp,
) -> Result<()> {
    let mut after = sent.clone();
    after.take(outcome, now);
    db.prepare_cached(
        "UPDATE mail_messages SET status = ?4, attempts = ?5, due_at = ?6, attempted_at = ?7, \
         fault = ?8, secret = ?9
         WHERE id = ?1 AND attempts = ?2 AND due_at IS ?3",
    )?
    .execute(params![
        after.id.as_str(),
        sent.attempts,
        sent.due_at.map(Timestamp::as_millisecond),
        after.status.as_str(),
        after.attempts,
        after.due_at.map(Timestamp::as_millisecond),
        after.attempted_at.map(Timestamp::as_millisecond),
        after.fault,
        after.secret.as_ref().map(EncryptedSecret::as_bytes),
    ])?;
    after.unsent_digest().map_or(Ok(()), |digest| alerts::revive(db, digest))
}

pub(super) fn list(db: &Connection, filter: &MailFilter, most: u32) -> Result<Vec<QueuedMail>> {
    let sql = if filter.is_given_up { rows::MAIL_GIVEN_UP } else { rows::MAIL };
    db.prepare_cached(sql)?
        .query_map((filter.account.as_ref().map(AccountId::as_str), most), |row| {
            rows::mail(&Record::new(row))
        })?
        .collect()
}
