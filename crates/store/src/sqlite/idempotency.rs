//! Idempotency records in SQLite: claimed, completed and replayed.

use crate::subject_end::subject_end;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_domain::{
    idempotency::{Attempt, IdempotencyRecord, RUNNING_TIMEOUT, ResponseSnapshot, StoredResponse},
    verdict::CodeVerdict,
};
use tua_sql::{columns::text, rows, sqlite::record::Record};

/// The records with this scope (`?1`) and key (`?2`) that are kept. `?3` is
/// [`Attempt::retained_since`]: the request is younger, or what it began is pending or ended later.
macro_rules! kept {
    () => {
        concat!(
            "FROM attempts WHERE scope = ?1 AND key = ?2 AND (retained_from > ?3 OR ",
            subject_end!("subject", "9223372036854775807"),
            " > ?3)"
        )
    };
}

/// Whether there is a record for the key of this attempt.
pub(super) fn exists(db: &Connection, attempt: Option<&Attempt>) -> Result<bool> {
    let Some(attempt) = attempt else { return Ok(false) };
    db.prepare_cached(concat!("SELECT EXISTS (SELECT 1 ", kept!(), ")"))?
        .query_row((&attempt.scope, &attempt.key, attempt.retained_since.as_millisecond()), |row| {
            row.get(0)
        })
}

/// Inserts a record. There is none with its key, or one that is no longer kept.
pub(super) fn insert(
    db: &Connection,
    attempt: Option<&Attempt>,
    subject: &str,
    response: Option<ResponseSnapshot>,
    now: Timestamp,
) -> Result<()> {
    let Some(attempt) = attempt else { return Ok(()) };
    db.prepare_cached(
        "INSERT OR REPLACE INTO attempts
             (scope, key, fingerprint, subject, version, verdict, instance, running_until, \
         retained_from)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        attempt.scope,
        attempt.key,
        attempt.fingerprint.0,
        subject,
        response.map(|response| response.version),
        response.and_then(|response| response.verdict).map(CodeVerdict::as_str),
        attempt.instance,
        (now + RUNNING_TIMEOUT).as_millisecond(),
        now.as_millisecond(),
    ])
    .map(drop)
}

/// Finds the record of an idempotency key.
pub(super) fn find(
    db: &Connection,
    attempt: &Attempt,
    now: Timestamp,
) -> Result<Option<IdempotencyRecord>> {
    db.prepare_cached(concat!("SELECT * ", kept!()))?
        .query_row((&attempt.scope, &attempt.key, attempt.retained_since.as_millisecond()), |row| {
            let row = Record::new(row);
            // One process serves the file, so a request of another instance was ended by a crash.
            let may_run = text(&row, "instance")? == attempt.instance;
            rows::idempotency_record(&row, may_run, now)
        })
        .optional()
}

/// Stores the response unless one is stored already, and returns the stored one.
pub(super) fn record_response(
    db: &Connection,
    StoredResponse { attempt, snapshot }: &StoredResponse,
) -> Result<ResponseSnapshot> {
    let updated = db
        .prepare_cached(
            "UPDATE attempts SET version = ?3, verdict = ?4 WHERE scope = ?1 AND key = ?2 AND \
             version IS NULL",
        )?
        .execute((
            &attempt.scope,
            &attempt.key,
            snapshot.version,
            snapshot.verdict.map(CodeVerdict::as_str),
        ))?;
    let first = match updated {
        0 => db
            .prepare_cached("SELECT version, verdict FROM attempts WHERE scope = ?1 AND key = ?2")?
            .query_row((&attempt.scope, &attempt.key), |row| rows::response(&Record::new(row)))
            .optional()?
            .flatten(),
        _ => None,
    };
    Ok(first.unwrap_or(*snapshot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::migrations::migrate;
    use tua_domain::idempotency::Fingerprint;

    /// A request that is repeated while the first one runs may have a response of its own.
    #[test]
    fn the_first_response_to_a_request_stays() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        let attempt = Attempt {
            scope: "key_1/charge".to_owned(),
            key: "order-1".to_owned(),
            fingerprint: Fingerprint([0; 32]),
            earlier_fingerprints: Vec::new(),
            instance: "one".to_owned(),
            retained_since: Timestamp::UNIX_EPOCH,
        };
        let now = Timestamp::UNIX_EPOCH + RUNNING_TIMEOUT;
        insert(&db, Some(&attempt), "txn_1", None, now).unwrap();
        for version in [2, 3] {
            let snapshot = ResponseSnapshot::payment(version);
            let response = StoredResponse { attempt: attempt.clone(), snapshot };
            let stored = record_response(&db, &response).unwrap();
            assert_eq!(stored, ResponseSnapshot::payment(2));
        }
    }
}
