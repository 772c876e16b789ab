//! Messages in the outbox of e-mail, and alerts.

use crate::columns::{
    self as read, Columns, maybe_secret, maybe_text, maybe_time, maybe_word, number, text, time,
    word,
};
use tua_domain::{
    AccountId, MailId, TransactionId, UserId,
    language::LanguageTag,
    mail::{Alert, AlertKind, MailKind, MailStatus, QueuedMail},
};

pub(crate) fn mail<R: Columns>(row: &R) -> Result<QueuedMail, R::Error> {
    Ok(QueuedMail {
        id: MailId::new(text(row, "id")?),
        kind: word(row, "kind", MailKind::parse)?,
        account: maybe_text(row, "account_id")?.map(AccountId::new),
        user: maybe_text(row, "user_id")?.map(UserId::new),
        transaction: maybe_text(row, "transaction_id")?.map(TransactionId::new),
        language: maybe_word(row, "language", LanguageTag::parse)?,
        detail: maybe_text(row, "detail")?,
        secret: maybe_secret(row, "secret")?,
        occurred_at: time(row, "occurred_at")?,
        expires_at: maybe_time(row, "expires_at")?,
        status: word(row, "status", MailStatus::parse)?,
        attempts: number(row, "attempts")?,
        due_at: maybe_time(row, "due_at")?,
        attempted_at: maybe_time(row, "attempted_at")?,
        fault: maybe_text(row, "fault")?,
    })
}

pub(crate) fn alert<R: Columns>(row: &R) -> Result<Alert, R::Error> {
    Ok(Alert {
        scope: read::scope(row)?,
        kind: word(row, "kind", AlertKind::parse)?,
        subject: text(row, "subject")?,
        occurred_at: time(row, "occurred_at")?,
    })
}
