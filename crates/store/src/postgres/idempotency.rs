//! Idempotency records in PostgreSQL: claimed, completed and replayed.

use super::{
    batch_ops::{Lookup, by_ordinality, column},
    nodes,
    record::at,
};
use crate::{payment_sql::NewRecord, subject_end::subject_end};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashSet;
use tokio_postgres::Row;
use tua_domain::{
    idempotency::{Attempt, IdempotencyRecord, RUNNING_TIMEOUT, ResponseSnapshot, StoredResponse},
    verdict::CodeVerdict,
};
use tua_sql::{
    postgres::{
        db::{Db, Parameters},
        error::Result,
    },
    rows,
};

/// `$1` to `$9` are columns of the records. `$10` is the earliest [`Attempt::retained_since`]: an
/// older record with the same key is overwritten, if what it began ended before that time too.
const INSERT: &str = concat!(
    "INSERT INTO attempts AS known
         (scope, key, fingerprint, subject, instance, running_until, retained_from, version, \
     verdict)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::bigint[],
                          $7::bigint[], $8::bigint[], $9::text[]) AS attempted (scope, key)
     ORDER BY scope, key
     ON CONFLICT (scope, key) DO UPDATE
     SET fingerprint = excluded.fingerprint, subject = excluded.subject, instance = \
     excluded.instance,
         running_until = excluded.running_until, retained_from = excluded.retained_from, version = \
     excluded.version,
         verdict = excluded.verdict
     WHERE known.retained_from <= $10 AND ",
    subject_end!("known.subject", "9223372036854775807"),
    " <= $10
     RETURNING subject"
);

/// Inserts records and returns the subjects of those inserted. A record with the same key that is
/// kept stays. Of two concurrent inserts the second waits here for the first transaction.
pub(super) async fn insert_records(db: &Db, attempts: &[NewRecord<'_>]) -> Result<HashSet<String>> {
    if attempts.is_empty() {
        return Ok(HashSet::new());
    }
    let retained_since =
        attempts.iter().map(|op| op.attempt.retained_since).min().unwrap_or_default();
    let begun = db
        .query(
            INSERT,
            &[
                &column(attempts, |op| &op.attempt.scope),
                &column(attempts, |op| &op.attempt.key),
                &column(attempts, |op| &op.attempt.fingerprint.0[..]),
                &column(attempts, |op| op.subject),
                &column(attempts, |op| &op.attempt.instance),
                &column(attempts, |op| at(op.now + RUNNING_TIMEOUT)),
                &column(attempts, |op| at(op.now)),
                &column(attempts, |op| op.response.map(|response| i64::from(response.version))),
                &column(attempts, |op| {
                    op.response.and_then(|response| response.verdict).map(CodeVerdict::as_str)
                }),
                &at(retained_since),
            ],
        )
        .await?;
    begun.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Finds the record of an idempotency key.
pub(super) struct FindRecord {
    pub(super) attempt: Attempt,
    pub(super) now: Timestamp,
}

#[async_trait]
impl Lookup for FindRecord {
    type Found = IdempotencyRecord;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<IdempotencyRecord>>> {
        let sql = concat!(
            "SELECT n, fingerprint, subject, version, verdict, instance, running_until
             FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS asked (scope, \
             key, since, n)
             JOIN attempts USING (scope, key) WHERE retained_from > since OR ",
            subject_end!("attempts.subject", "9223372036854775807"),
            " > since"
        );
        let scopes = column(ops, |op| &op.attempt.scope);
        let keys = column(ops, |op| &op.attempt.key);
        let since = column(ops, |op| at(op.attempt.retained_since));
        let found = by_ordinality(ops.len(), db.query(sql, &[&scopes, &keys, &since]).await?, Ok)?;
        let mut records = Vec::with_capacity(ops.len());
        for (one, row) in ops.iter().zip(found) {
            records.push(match row {
                Some(row) => Some(of_row(db, one, &row).await?),
                None => None,
            });
        }
        Ok(records)
    }
}

/// The request still runs if its node is alive. That is checked only for records of other nodes.
async fn of_row(
    db: &Db,
    FindRecord { attempt, now }: &FindRecord,
    row: &Row,
) -> Result<IdempotencyRecord> {
    let record = rows::idempotency_record(row, true, *now)?;
    let running = record.running
        && (record.instance == attempt.instance || nodes::is_alive(db, &record.instance).await?);
    Ok(IdempotencyRecord { running, ..record })
}

/// Locks the record of an attempt. Returns whether there is one.
pub(super) async fn lock_record(db: &Db, attempt: &Attempt) -> Result<bool> {
    let sql = "SELECT 1 FROM attempts WHERE scope = $1 AND key = $2 FOR NO KEY UPDATE";
    Ok(db.query_opt(sql, &[&attempt.scope, &attempt.key]).await?.is_some())
}

/// Stores the response unless one is stored already, and returns the stored one.
pub(super) async fn record_response(
    db: &Db,
    response: &StoredResponse,
) -> Result<ResponseSnapshot> {
    if record_responses(db, vec![response]).await? > 0 {
        return Ok(response.snapshot);
    }
    let sql = "SELECT version, verdict FROM attempts WHERE scope = $1 AND key = $2";
    let first = db.query_opt(sql, &[&response.attempt.scope, &response.attempt.key]).await?;
    let first = first.as_ref().map(rows::response).transpose()?.flatten();
    Ok(first.unwrap_or(response.snapshot))
}

/// Stores responses for records without one, and returns how many were stored. Records are locked
/// in the order of their keys.
pub(super) async fn record_responses(db: &Db, mut responses: Vec<&StoredResponse>) -> Result<u64> {
    if responses.is_empty() {
        return Ok(0);
    }
    responses.sort_unstable_by_key(|response| response.attempt.primary_key());
    let sql = "UPDATE attempts SET version = response.version, verdict = response.verdict
               FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
                    AS response (scope, key, version, verdict)
               WHERE attempts.scope = response.scope AND attempts.key = response.key AND \
        attempts.version IS NULL";
    let columns: Parameters<'_> = &[
        &column(&responses, |response| &response.attempt.scope),
        &column(&responses, |response| &response.attempt.key),
        &column(&responses, |response| i64::from(response.snapshot.version)),
        &column(&responses, |response| response.snapshot.verdict.map(CodeVerdict::as_str)),
    ];
    db.execute(sql, columns).await
}
