//! Receipts, which are inserted for a batch of payments at once.

use super::{
    batch_ops::column,
    record::{at, maybe_at},
};
use tua_domain::{
    AccountId, TransactionId, UserId, encrypted_secret::EncryptedSecret, language::LanguageTag,
    mail::QueuedMail,
};
use tua_sql::{
    postgres::{db::Db, error::Result},
    queries::mail::has_mail_server,
};

/// As [`tua_sql::queries::mail::insert`], of several messages in one statement.
pub(super) async fn insert(db: &Db, mails: &[QueuedMail]) -> Result<()> {
    if mails.is_empty() {
        return Ok(());
    }
    db.execute(
        concat!(
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
         WHERE ",
            has_mail_server!("new.account_id"),
            " AND (new.kind NOT IN ('RECEIPT', 'REFUND')
            OR EXISTS (SELECT 1 FROM accounts
                       WHERE accounts.id = new.account_id AND receipts = 1))"
        ),
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
