//! What is remembered of attempts, by their idempotency keys.

use super::{
    db::{Db, Parameters},
    error::Result,
    nodes,
    record::at,
    together::{Lookup, column, placed},
};
use crate::{
    domain::idempotency::{Answer, Attempt, IdempotencyRecord, MEMORY, RUNNING, Reply},
    store::rows,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashSet;
use tokio_postgres::Row;

/// An attempt, and what is to be remembered with it.
pub(super) struct Memory<'a> {
    pub(super) attempt: &'a Attempt,
    /// The transaction or session that comes of it.
    pub(super) subject: &'a str,
    pub(super) answer: Option<&'a Answer>,
    pub(super) now: Timestamp,
}

/// Remembers attempts as begun, and returns the subjects of those that are: the others' keys are remembered already.
/// Of two that come at once the second waits here until the first has ended.
pub(super) async fn remember(db: &Db, attempts: &[Memory<'_>]) -> Result<HashSet<String>> {
    if attempts.is_empty() {
        return Ok(HashSet::new());
    }
    let begun = db
        .all(
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
                &column(attempts, |one| &one.attempt.scope),
                &column(attempts, |one| &one.attempt.key),
                &column(attempts, |one| &one.attempt.fingerprint.0[..]),
                &column(attempts, |one| one.subject),
                &column(attempts, |one| &one.attempt.instance),
                &column(attempts, |one| at(one.now + RUNNING)),
                &column(attempts, |one| at(one.now)),
                &column(attempts, |one| one.answer.map(|answer| i64::from(answer.status))),
                &column(attempts, |one| one.answer.map(|answer| &answer.body)),
                // Forgotten after seven days.
                &memory(),
            ],
        )
        .await?;
    begun.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

fn memory() -> i64 {
    i64::try_from(MEMORY.as_millis()).unwrap_or(i64::MAX)
}

/// What is asked about an attempt.
pub(super) struct Recall {
    pub(super) attempt: Attempt,
    pub(super) now: Timestamp,
}

#[async_trait]
impl Lookup for Recall {
    type Found = IdempotencyRecord;

    async fn find(db: &Db, these: &[&Self]) -> Result<Vec<Option<IdempotencyRecord>>> {
        let sql = "SELECT n, fingerprint, subject, status, body, instance, running_until
                   FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS asked (scope, key, since, n)
                   JOIN attempts USING (scope, key) WHERE created_at > since";
        let scopes = column(these, |one| &one.attempt.scope);
        let keys = column(these, |one| &one.attempt.key);
        let since = column(these, |one| at(one.now - MEMORY));
        let found = placed(these.len(), db.all(sql, &[&scopes, &keys, &since]).await?, Ok)?;
        let mut remembered = Vec::with_capacity(these.len());
        for (one, row) in these.iter().zip(found) {
            remembered.push(match row {
                Some(row) => Some(of_row(db, one, &row).await?),
                None => None,
            });
        }
        Ok(remembered)
    }
}

/// Whoever has it lives, unless the server has lost sight of it; asked only where it matters.
async fn of_row(db: &Db, Recall { attempt, now }: &Recall, row: &Row) -> Result<IdempotencyRecord> {
    let remembered = rows::remembered(row, true, *now)?;
    let running = remembered.running
        && (remembered.instance == attempt.instance || nodes::is_alive(db, &remembered.instance).await?);
    Ok(IdempotencyRecord { running, ..remembered })
}

/// The first answer stands, and is returned.
pub(super) async fn answer(db: &Db, reply: &Reply) -> Result<Answer> {
    if answer_all(db, &[reply]).await? > 0 {
        return Ok(reply.answer.clone());
    }
    let sql = "SELECT status, body FROM attempts WHERE scope = $1 AND key = $2";
    let first = db.one(sql, &[&reply.attempt.scope, &reply.attempt.key]).await?;
    let first = first.as_ref().map(rows::answer).transpose()?.flatten();
    Ok(first.unwrap_or_else(|| reply.answer.clone()))
}

/// Answers those that are unanswered, and returns how many: the others' first answers stand.
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
    db.run(sql, columns).await
}
