//! Messages that wait when the mail server of their account is removed.

use super::mail;
use crate::sql::Sql;
use tua_domain::{AccountId, encrypted_secret::EncryptedSecret};

/// Ends the waiting messages and alerts of an account, unless the service's own mail server sends
/// them. Security notices are still sent, with the settings of the removed mail server: otherwise
/// whoever removes it could keep the owners from reading what was done just before.
///
/// Alerts of messages that end keep that message, so they are not sent late through another mail
/// server. Messages with links were never for this one.
pub(crate) async fn end<S: Sql>(
    db: &S,
    account: &AccountId,
    removed: &EncryptedSecret,
) -> Result<(), S::Error> {
    if mail::is_on(db, None).await? {
        return Ok(());
    }
    let alerts = "UPDATE mail_alerts SET digest_id = 'no mail'
                  WHERE account_id = $1 AND digest_id IS NULL";
    db.execute(alerts, &[&account.as_str()]).await?;
    let keep = "UPDATE mail_messages SET secret = $2
                WHERE account_id = $1 AND due_at IS NOT NULL AND kind = 'SECURITY'
                  AND secret IS NULL";
    db.execute(keep, &[&account.as_str(), &removed.as_bytes()]).await?;
    let end = "UPDATE mail_messages
               SET status = 'MOOT', due_at = NULL, fault = 'the mail server was removed'
               WHERE account_id = $1 AND due_at IS NOT NULL
                 AND kind NOT IN ('SECURITY', 'INVITATION', 'RESET')";
    db.execute(end, &[&account.as_str()]).await.map(drop)
}
