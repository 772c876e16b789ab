//! What is remembered of attempts, by their idempotency keys.

use super::{error::Result, nodes, record::at, session::Db};
use crate::{
    domain::idempotency::{Answer, Attempt, MEMORY, RUNNING, Remembered},
    store::rows,
};
use jiff::Timestamp;

/// Remembers an attempt as begun; false where its key is remembered already. Of two that come at
/// once the second waits here until the first has ended.
pub(super) async fn remember(db: &Db, attempt: Option<&Attempt>, subject: &str, now: Timestamp) -> Result<bool> {
    let Some(attempt) = attempt else { return Ok(true) };
    let written = db
        .run(
            "INSERT INTO attempts AS known (scope, key, fingerprint, subject, instance, running_until, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (scope, key) DO UPDATE
             SET fingerprint = excluded.fingerprint, subject = excluded.subject, instance = excluded.instance,
                 running_until = excluded.running_until, created_at = excluded.created_at, status = NULL, body = NULL
             WHERE known.created_at <= $8",
            &[
                &attempt.scope,
                &attempt.key,
                &&attempt.fingerprint.0[..],
                &subject,
                &attempt.instance,
                &at(now + RUNNING),
                &at(now),
                // Forgotten after seven days.
                &at(now - MEMORY),
            ],
        )
        .await?;
    Ok(written > 0)
}

pub(super) async fn recall(db: &Db, attempt: &Attempt, now: Timestamp) -> Result<Option<Remembered>> {
    let found = db
        .one(
            "SELECT fingerprint, subject, status, body, instance, running_until FROM attempts
             WHERE scope = $1 AND key = $2 AND created_at > $3",
            &[&attempt.scope, &attempt.key, &at(now - MEMORY)],
        )
        .await?;
    let Some(row) = found else { return Ok(None) };
    let remembered = rows::remembered(&row, true, now)?;
    // Whoever has it lives, unless the server has lost sight of it; asked only where it matters.
    let running = remembered.running
        && (remembered.instance == attempt.instance || nodes::is_alive(db, &remembered.instance).await?);
    Ok(Some(Remembered { running, ..remembered }))
}

/// The first answer stands.
pub(super) async fn answer(db: &Db, attempt: &Attempt, answer: &Answer) -> Result<()> {
    db.run(
        "UPDATE attempts SET status = $3, body = $4 WHERE scope = $1 AND key = $2 AND status IS NULL",
        &[&attempt.scope, &attempt.key, &i64::from(answer.status), &answer.body],
    )
    .await
    .map(drop)
}
