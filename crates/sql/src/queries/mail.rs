//! The outbox of e-mail: messages are inserted in the transaction of the change that they report.

use crate::{
    rows,
    sql::{RowLock, Sql},
};
use tua_domain::{
    AccountId, TransactionId, UserId,
    encrypted_secret::EncryptedSecret,
    language::LanguageTag,
    mail::{MailFilter, QueuedMail},
};

/// The columns of a message, as [`rows::mail`] reads them.
macro_rules! mail_columns {
    () => {
        "mail_messages.id, kind, account_id, user_id, transaction_id, language, detail, secret, \
         occurred_at, expires_at,
         status, attempts, due_at, attempted_at, fault"
    };
}
pub(super) use mail_columns;

/// The newest messages, of one account or of all. The parameters: the account, and how many.
const MAIL: &str = concat!(
    "SELECT ",
    mail_columns!(),
    " FROM mail_messages WHERE CAST($1 AS TEXT) IS NULL OR account_id = $1 ORDER BY id DESC LIMIT \
     $2"
);

/// As [`MAIL`], those that were given up.
const MAIL_GIVEN_UP: &str = concat!(
    "SELECT ",
    mail_columns!(),
    " FROM mail_messages WHERE status = 'GIVEN_UP' AND (CAST($1 AS TEXT) IS NULL OR account_id = $1)
      ORDER BY id DESC LIMIT $2"
);

/// Whether messages about an account can be sent: the service has a mail server, or the account.
/// The parameter is the place of the account's id.
#[macro_export]
macro_rules! has_mail_server {
    ($account:literal) => {
        concat!(
            "(serves_all = 1 OR EXISTS (SELECT 1 FROM account_mail_servers
               WHERE account_mail_servers.account_id = ",
            $account,
            " AND in_force IS NOT NULL))"
        )
    };
}
pub use has_mail_server;

/// Inserts a message, if it can be sent. Links are sent only by the service's own mail server
/// ([`tua_domain::mail::MailKind::has_link`]), and receipts only if the account sends receipts.
pub async fn insert<S: Sql>(db: &S, mail: &QueuedMail) -> Result<(), S::Error> {
    let sql = concat!(
        "INSERT INTO mail_messages
             (id, kind, account_id, user_id, transaction_id, language, detail, secret,
              occurred_at, expires_at, status, due_at)
         SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT),
                CAST($5 AS TEXT), CAST($6 AS TEXT), CAST($7 AS TEXT), $8, CAST($9 AS BIGINT),
                CAST($10 AS BIGINT), CAST($11 AS TEXT), CAST($12 AS BIGINT)
         FROM mail_switch
         WHERE ",
        has_mail_server!("$3"),
        " AND ($2 NOT IN ('INVITATION', 'RESET') OR serves_all = 1)
          AND ($2 NOT IN ('RECEIPT', 'REFUND')
            OR EXISTS (SELECT 1 FROM accounts WHERE id = $3 AND receipts = 1))"
    );
    db.execute(
        sql,
        &[
            &mail.id.as_str(),
            &mail.kind.as_str(),
            &mail.account.as_ref().map(AccountId::as_str),
            &mail.user.as_ref().map(UserId::as_str),
            &mail.transaction.as_ref().map(TransactionId::as_str),
            &mail.language.as_ref().map(LanguageTag::as_str),
            &mail.detail,
            &mail.secret.as_ref().map(EncryptedSecret::as_bytes),
            &mail.occurred_at,
            &mail.expires_at,
            &mail.status.as_str(),
            &mail.due_at,
        ],
    )
    .await
    .map(drop)
}

/// As [`insert`], of several messages.
pub(crate) async fn insert_all<S: Sql>(
    db: &S,
    mails: impl Iterator<Item = QueuedMail> + Send,
) -> Result<(), S::Error> {
    for mail in mails {
        insert(db, &mail).await?;
    }
    Ok(())
}

/// Switches the service's own e-mail on or off. Accounts that have a mail server keep theirs.
pub async fn switch<S: Sql>(db: &S, is_on: bool) -> Result<(), S::Error> {
    if is_on {
        let sql = "INSERT INTO mail_switch (one, serves_all) VALUES (1, 1)
                   ON CONFLICT (one) DO UPDATE SET serves_all = 1";
        return db.execute(sql, &[]).await.map(drop);
    }
    db.execute("DELETE FROM mail_switch", &[]).await?;
    switch_on_for_accounts(db).await
}

/// Switches e-mail on for the accounts that have a mail server. The triggers that insert alerts ask
/// whether there is a switch at all; which messages can be sent is asked when they are inserted.
pub(crate) async fn switch_on_for_accounts<S: Sql>(db: &S) -> Result<(), S::Error> {
    // The update changes nothing, and locks the row against `switch_off_without_servers`.
    let sql = "INSERT INTO mail_switch (one, serves_all)
               SELECT 1, 0 WHERE EXISTS (SELECT 1 FROM account_mail_servers
                                         WHERE in_force IS NOT NULL)
               ON CONFLICT (one) DO UPDATE SET serves_all = mail_switch.serves_all";
    db.execute(sql, &[]).await.map(drop)
}

/// Switches e-mail off if neither the service nor an account has a mail server. Alerts that wait
/// for a message get none, so they are not sent late once there is a mail server again.
pub(crate) async fn switch_off_without_servers<S: Sql>(db: &S) -> Result<(), S::Error> {
    // Whoever puts a mail server into use meanwhile has this lock, and is seen after it, or waits.
    let lock = "SELECT one FROM mail_switch WHERE serves_all = 0";
    db.query_locked(lock, RowLock::Update, &[]).await?;
    let delete = "DELETE FROM mail_switch
                  WHERE serves_all = 0 AND NOT EXISTS (SELECT 1 FROM account_mail_servers
                                                       WHERE in_force IS NOT NULL)";
    if db.execute(delete, &[]).await? > 0 {
        let drop_alerts = "UPDATE mail_alerts SET digest_id = 'no mail' WHERE digest_id IS NULL";
        db.execute(drop_alerts, &[]).await?;
    }
    Ok(())
}

/// Whether messages about an account can be sent, or with `None` those about no account.
pub async fn is_on<S: Sql>(db: &S, account: Option<&AccountId>) -> Result<bool, S::Error> {
    let sql = concat!("SELECT 1 FROM mail_switch WHERE ", has_mail_server!("CAST($1 AS TEXT)"));
    Ok(db.query_opt(sql, &[&account.map(AccountId::as_str)]).await?.is_some())
}

/// The newest messages first.
pub async fn list<S: Sql>(
    db: &S,
    filter: &MailFilter,
    limit: u32,
) -> Result<Vec<QueuedMail>, S::Error> {
    let sql = if filter.is_given_up { MAIL_GIVEN_UP } else { MAIL };
    let account = filter.account.as_ref().map(AccountId::as_str);
    db.query(sql, &[&account, &limit]).await?.iter().map(rows::mail).collect()
}

/// Deletes the messages with links to this person that were not sent: the links are dead.
pub(crate) async fn delete_waiting_links<S: Sql>(db: &S, user: &UserId) -> Result<(), S::Error> {
    let sql = "DELETE FROM mail_messages WHERE user_id = $1 AND status = 'WAITING' AND kind IN \
        ('INVITATION', 'RESET')";
    db.execute(sql, &[&user.as_str()]).await.map(drop)
}
