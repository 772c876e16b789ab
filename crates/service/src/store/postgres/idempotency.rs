//! What is remembered of attempts, by their idempotency keys.

use super::{error::Result, nodes, record::at, session::Db};
use crate::{
    domain::idempotency::{Answer, Attempt, MEMORY, RUNNING, Remembered, Reply},
    store::rows,
};
use jiff::Timestamp;

/// Remembers an attempt as begun; false where its key is remembered already. Of two that come at
/// once the second waits here until the first has ended.
pub(super) async fn remember(
    db: &Db,
    attempt: Option<&Attempt>,
    subject: &str,
    answer: Option<&Answer>,
    now: Timestamp,
) -> Result<bool> {
    let Some(attempt) = attempt else { return Ok(true) };
    let written = db
        .run(
            "INSERT INTO attempts AS known
                 (scope, key, fingerprint, subject, instance, running_until, created_at, status, body)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $9, $10)
             ON CONFLICT (scope, key) DO UPDATE
             SET fingerprint = excluded.fingerprint, subject = excluded.subject, instance = excluded.instance,
                 running_until = excluded.running_until, created_at = excluded.created_at, status = excluded.status,
                 body = excluded.body
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
                &answer.map(|answer| i64::from(answer.status)),
                &answer.map(|answer| &answer.body),
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

/// The first answer stands, and is returned.
pub(super) async fn answer(db: &Db, Reply { attempt, answer }: &Reply) -> Result<Answer> {
    let sql = "UPDATE attempts SET status = $3, body = $4 WHERE scope = $1 AND key = $2 AND status IS NULL";
    if db.run(sql, &[&attempt.scope, &attempt.key, &i64::from(answer.status), &answer.body]).await? > 0 {
        return Ok(answer.clone());
    }
    let sql = "SELECT status, body FROM attempts WHERE scope = $1 AND key = $2";
    let first = db.one(sql, &[&attempt.scope, &attempt.key]).await?.as_ref().map(rows::answer).transpose()?;
    Ok(first.flatten().unwrap_or_else(|| answer.clone()))
}
