//! What became of messages: an alert whose messages have all failed waits for another one.

use super::alerts;
use crate::sql::Sql;
use jiff::Timestamp;
use tua_domain::mail::{MailOutcome, QueuedMail};

/// Updates a message that is unchanged since it was leased. A message that still waits keeps its
/// secret, which it may have got since.
pub async fn record<S: Sql>(
    db: &S,
    sent: &QueuedMail,
    outcome: &MailOutcome,
    now: Timestamp,
) -> Result<(), S::Error> {
    let mut after = sent.clone();
    after.record_outcome(outcome, now);
    if let Some(digest) = after.unsent_digest() {
        alerts::lock(db, digest).await?;
    }
    let stored = db
        .execute(
            "UPDATE mail_messages SET status = $4, attempts = $5, due_at = $6, attempted_at = $7, \
         fault = $8, secret = CASE WHEN $4 = 'WAITING' THEN secret END
         WHERE id = $1 AND attempts = $2 AND due_at IS NOT DISTINCT FROM $3",
            &[
                &after.id.as_str(),
                &sent.attempts,
                &sent.due_at,
                &after.status.as_str(),
                &after.attempts,
                &after.due_at,
                &after.attempted_at,
                &after.fault,
            ],
        )
        .await?;
    // It was leased again since, or has ended: then its alerts have ended with it.
    if stored == 0 {
        return Ok(());
    }
    match after.unsent_digest() {
        Some(digest) => alerts::revive(db, digest).await,
        None => Ok(()),
    }
}
