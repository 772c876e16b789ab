//! Idempotency records.

use super::record::Record;
use crate::{
    domain::idempotency::{Answer, Attempt, IdempotencyRecord, MEMORY, RUNNING, Reply},
    store::{columns::text, rows},
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};

/// Whether there is a record for the key of this attempt.
pub(super) fn is_known(db: &Connection, attempt: Option<&Attempt>, now: Timestamp) -> Result<bool> {
    let Some(attempt) = attempt else { return Ok(false) };
    db.prepare_cached("SELECT EXISTS (SELECT 1 FROM attempts WHERE scope = ?1 AND key = ?2 AND created_at > ?3)")?
        .query_row((&attempt.scope, &attempt.key, (now - MEMORY).as_millisecond()), |row| row.get(0))
}

/// Inserts a record. There is none with its key, or one that has expired after seven days.
pub(super) fn remember(
    db: &Connection,
    attempt: Option<&Attempt>,
    subject: &str,
    answer: Option<&Answer>,
    now: Timestamp,
) -> Result<()> {
    let Some(attempt) = attempt else { return Ok(()) };
    db.prepare_cached(
        "INSERT OR REPLACE INTO attempts
             (scope, key, fingerprint, subject, status, body, instance, running_until, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        attempt.scope,
        attempt.key,
        attempt.fingerprint.0,
        subject,
        answer.map(|answer| answer.status),
        answer.map(|answer| &answer.body),
        attempt.instance,
        (now + RUNNING).as_millisecond(),
        now.as_millisecond(),
    ])
    .map(drop)
}

pub(super) fn recall(db: &Connection, attempt: &Attempt, now: Timestamp) -> Result<Option<IdempotencyRecord>> {
    db.prepare_cached("SELECT * FROM attempts WHERE scope = ?1 AND key = ?2 AND created_at > ?3")?
        .query_row((&attempt.scope, &attempt.key, (now - MEMORY).as_millisecond()), |row| {
            let row = Record::new(row);
            // One process serves the file, so a request of another instance was ended by a crash.
            let is_in_flight = text(&row, "instance")? == attempt.instance;
            rows::remembered(&row, is_in_flight, now)
        })
        .optional()
}

/// Stores the response unless one is stored already, and returns the stored one.
pub(super) fn answer(db: &Connection, Reply { attempt, answer }: &Reply) -> Result<Answer> {
    let kept = db
        .prepare_cached("UPDATE attempts SET status = ?3, body = ?4 WHERE scope = ?1 AND key = ?2 AND status IS NULL")?
        .execute((&attempt.scope, &attempt.key, answer.status, &answer.body))?;
    let first = match kept {
        0 => db
            .prepare_cached("SELECT status, body FROM attempts WHERE scope = ?1 AND key = ?2")?
            .query_row((&attempt.scope, &attempt.key), |row| rows::answer(&Record::new(row)))
            .optional()?
            .flatten(),
        _ => None,
    };
    Ok(first.unwrap_or_else(|| answer.clone()))
}
