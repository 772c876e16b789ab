//! What is remembered of attempts, by their idempotency keys.

use crate::domain::idempotency::{Answer, Attempt, Fingerprint, MEMORY, RUNNING, Remembered};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, Row, named_params};

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
            remembered(row, &attempt.instance, now)
        })
        .optional()
}

/// The first answer stands.
pub(super) fn answer(db: &Connection, attempt: &Attempt, answer: &Answer) -> Result<()> {
    db.prepare_cached("UPDATE attempts SET status = ?3, body = ?4 WHERE scope = ?1 AND key = ?2 AND status IS NULL")?
        .execute((&attempt.scope, &attempt.key, answer.status, &answer.body))
        .map(drop)
}

fn remembered(row: &Row<'_>, instance: &str, now: Timestamp) -> Result<Remembered> {
    let status: Option<u16> = row.get("status")?;
    let body: Option<String> = row.get("body")?;
    let attended_here = row.get_ref("instance")?.as_str()? == instance;
    let in_time = row.get::<_, i64>("running_until")? > now.as_millisecond();
    Ok(Remembered {
        fingerprint: Fingerprint(row.get("fingerprint")?),
        subject: row.get("subject")?,
        running: status.is_none() && attended_here && in_time,
        answer: status.zip(body).map(|(status, body)| Answer { status, body }),
    })
}
