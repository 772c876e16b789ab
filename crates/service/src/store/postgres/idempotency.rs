//! Idempotency records.

use super::{
    batch_ops::{Lookup, by_ordinality, column},
    db::{Db, Parameters},
    error::Result,
    nodes,
    record::at,
};
use crate::{
    domain::idempotency::{Answer, Attempt, IdempotencyRecord, MEMORY, RUNNING, Reply},
    store::rows,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashSet;
use tokio_postgres::Row;

/// An idempotency record to insert.
pub(super) struct Memory<'a> {
    pub(super) attempt: &'a Attempt,
    /// The id of the transaction or checkout session that the request creates.
    pub(super) subject: &'a str,
    pub(super) answer: Option<&'a Answer>,
    pub(super) now: Timestamp,
}

/// Inserts records and returns the subjects of those inserted. A record with the same key that is younger than seven days
/// stays. Of two concurrent inserts the second waits here for the first transaction.
pub(super) async fn remember(db: &Db, attempts: &[Memory<'_>]) -> Result<HashSet<String>> {
    if attempts.is_empty() {
        return Ok(HashSet::new());
    }
    let begun = db
        .query(
            "INSERT INTO attempts AS known
                 (scope, key, fingerprint, subject, instance, running_until, created_at, status, body)
             SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::bigint[],
                                  $7::bigint[], $8::bigint[], $9::text[]) AS attempted (scope, key)
             ORDER BY scope, key
             ON CONFLICT (scope, key) DO UPDATE
             SET fingerprint = excluded.fingerprint, subject = excluded.subject, instance = excluded.instance,
                 running_until = excluded.running_until, created_at = excluded.created_at, status = excluded.status,
                 body = excluded.body
             WHERE known.created_at <= excluded.created_at - $10
             RETURNING subject",
            &[
                &column(attempts, |op| &op.attempt.scope),
                &column(attempts, |op| &op.attempt.key),
                &column(attempts, |op| &op.attempt.fingerprint.0[..]),
                &column(attempts, |op| op.subject),
                &column(attempts, |op| &op.attempt.instance),
                &column(attempts, |op| at(op.now + RUNNING)),
                &column(attempts, |op| at(op.now)),
                &column(attempts, |op| op.answer.map(|answer| i64::from(answer.status))),
                &column(attempts, |op| op.answer.map(|answer| &answer.body)),
                // Older records with the same key are overwritten.
                &memory(),
            ],
        )
        .await?;
    begun.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

fn memory() -> i64 {
    i64::try_from(MEMORY.as_millis()).unwrap_or(i64::MAX)
}

/// Finds the record of an idempotency key.
pub(super) struct Recall {
    pub(super) attempt: Attempt,
    pub(super) now: Timestamp,
}

#[async_trait]
impl Lookup for Recall {
    type Found = IdempotencyRecord;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<IdempotencyRecord>>> {
        let sql = "SELECT n, fingerprint, subject, status, body, instance, running_until
                   FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS asked (scope, key, since, n)
                   JOIN attempts USING (scope, key) WHERE created_at > since";
        let scopes = column(ops, |op| &op.attempt.scope);
        let keys = column(ops, |op| &op.attempt.key);
        let since = column(ops, |op| at(op.now - MEMORY));
        let found = by_ordinality(ops.len(), db.query(sql, &[&scopes, &keys, &since]).await?, Ok)?;
        let mut remembered = Vec::with_capacity(ops.len());
        for (one, row) in ops.iter().zip(found) {
            remembered.push(match row {
                Some(row) => Some(of_row(db, one, &row).await?),
                None => None,
            });
        }
        Ok(remembered)
    }
}

/// The request still runs if its node is alive. That is checked only for records of other nodes.
async fn of_row(db: &Db, Recall { attempt, now }: &Recall, row: &Row) -> Result<IdempotencyRecord> {
    let remembered = rows::remembered(row, true, *now)?;
    let running = remembered.running
        && (remembered.instance == attempt.instance || nodes::is_alive(db, &remembered.instance).await?);
    Ok(IdempotencyRecord { running, ..remembered })
}

/// Stores the response unless one is stored already, and returns the stored one.
pub(super) async fn answer(db: &Db, reply: &Reply) -> Result<Answer> {
    if answer_all(db, &[reply]).await? > 0 {
        return Ok(reply.answer.clone());
    }
    let sql = "SELECT status, body FROM attempts WHERE scope = $1 AND key = $2";
    let first = db.query_opt(sql, &[&reply.attempt.scope, &reply.attempt.key]).await?;
    let first = first.as_ref().map(rows::answer).transpose()?.flatten();
    Ok(first.unwrap_or_else(|| reply.answer.clone()))
}

/// Stores responses for records without one, and returns how many were stored.
pub(super) async fn answer_all(db: &Db, replies: &[&Reply]) -> Result<u64> {
    if replies.is_empty() {
        return Ok(0);
    }
    let sql = "UPDATE attempts SET status = reply.status, body = reply.body
               FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS reply (scope, key, status, body)
               WHERE attempts.scope = reply.scope AND attempts.key = reply.key AND attempts.status IS NULL";
    let columns: Parameters<'_> = &[
        &column(replies, |reply| &reply.attempt.scope),
        &column(replies, |reply| &reply.attempt.key),
        &column(replies, |reply| i64::from(reply.answer.status)),
        &column(replies, |reply| &reply.answer.body),
    ];
    db.execute(sql, columns).await
}
