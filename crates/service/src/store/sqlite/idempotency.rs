//! What is remembered of attempts, by their idempotency keys.

use crate::{
    domain::idempotency::{Answer, Attempt, MEMORY, RUNNING, Remembered},
    store::{columns::text, rows},
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, named_params};

/// Whether an attempt's key is remembered.
pub(super) fn is_known(db: &Connection, attempt: Option<&Attempt>, now: Timestamp) -> Result<bool> {
    attempt.map_or(Ok(false), |attempt| Ok(recall(db, attempt, now)?.is_some()))
}

/// Remembers an attempt as begun. Its key is not known, or was forgotten after seven days.
pub(super) fn remember(db: &Connection, attempt: Option<&Attempt>, subject: &str, now: Timestamp) -> Result<()> {
    let Some(attempt) = attempt else { return Ok(()) };
    db.prepare_cached(
        "INSERT OR REPLACE INTO attempts (scope, key, fingerprint, subject, instance, running_until, created_at)
         VALUES (:scope, :key, :fingerprint, :subject, :instance, :running_until, :now)",
    )?
    .execute(named_params! {
        ":scope": attempt.scope,
        ":key": attempt.key,
        ":fingerprint": attempt.fingerprint.0,
        ":subject": subject,
        ":instance": attempt.instance,
        ":running_until": (now + RUNNING).as_millisecond(),
        ":now": now.as_millisecond(),
    })
    .map(drop)
}

pub(super) fn recall(db: &Connection, attempt: &Attempt, now: Timestamp) -> Result<Option<Remembered>> {
    db.prepare_cached("SELECT * FROM attempts WHERE scope = ?1 AND key = ?2 AND created_at > ?3")?
        .query_row((&attempt.scope, &attempt.key, (now - MEMORY).as_millisecond()), |row| {
            // One process serves a file: another one's attempt was cut off by a crash.
            let is_attended = text(row, "instance")? == attempt.instance;
            rows::remembered(row, is_attended, now)
        })
        .optional()
}

/// The first answer stands.
pub(super) fn answer(db: &Connection, attempt: &Attempt, answer: &Answer) -> Result<()> {
    db.prepare_cached("UPDATE attempts SET status = ?3, body = ?4 WHERE scope = ?1 AND key = ?2 AND status IS NULL")?
        .execute((&attempt.scope, &attempt.key, answer.status, &answer.body))
        .map(drop)
}
