//! The rows of batches of payouts, and of their lines.

use crate::{
    rows::{self, transaction_columns},
    sql::{RowLock, Sql},
};
use jiff::Timestamp;
use tua_domain::{
    BatchId, KeyId, Scope, Transaction, UserId,
    payout_batch::{BatchSummary, NewBatch, PayoutBatch, RepeatedPayout},
};

macro_rules! summaries {
    ($wanted:literal, $order:literal) => {
        concat!(
            "SELECT batch.id, batch.account_id, batch.mode, batch.reference, batch.key_id, \
             batch.user_id, batch.created_at,
                 count(*) AS lines, CAST(sum(line.amount) AS BIGINT) AS pesewas,
                 count(CASE line.status WHEN 'PENDING' THEN 1 END) AS pending,
                 count(CASE line.status WHEN 'FAILED' THEN 1 END) AS failed,
                 count(CASE line.failure WHEN 'approval_refused' THEN 1 END) AS not_approved, \
             min(line.approval_due) AS approval_due
             FROM payout_batches AS batch JOIN transactions AS line ON line.batch_id = batch.id
             WHERE batch.id IN (",
            $wanted,
            ") GROUP BY batch.id, batch.account_id, batch.mode, batch.reference, batch.key_id, \
             batch.user_id,
                 batch.created_at
             ORDER BY ",
            $order
        )
    };
}

macro_rules! select_lines {
    () => {
        concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM transactions WHERE batch_id = $1 ORDER BY id"
        )
    };
}

/// Inserts the row of a batch. Returns `false` where there is one with this id.
pub async fn insert<S: Sql>(
    db: &S,
    new: &NewBatch,
    warnings: &[RepeatedPayout],
    now: Timestamp,
) -> Result<bool, S::Error> {
    let sql = "INSERT INTO payout_batches (id, account_id, mode, reference, key_id, user_id, \
         warnings, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING";
    let inserted = db
        .execute(
            sql,
            &[
                &new.id.as_str(),
                &new.scope.account.as_str(),
                &new.scope.mode.as_str(),
                &new.reference,
                &new.asked_by.key().map(KeyId::as_str),
                &new.asked_by.user().map(UserId::as_str),
                &rows::write_warnings(warnings),
                &now,
            ],
        )
        .await?;
    Ok(inserted > 0)
}

/// Finds a batch with its lines. They are read last: they are inserted with the batch, so none is
/// missing once it is there.
pub async fn by_id<S: Sql>(db: &S, id: &BatchId) -> Result<Option<PayoutBatch>, S::Error> {
    let Some(batch) = without_lines(db, id).await? else { return Ok(None) };
    let lines = lines::<S>(&db.query(select_lines!(), &[&id.as_str()]).await?)?;
    Ok(Some(PayoutBatch { lines, ..batch }))
}

/// As [`by_id`], and locks the rows of the lines first, by id.
pub async fn lock<S: Sql>(db: &S, id: &BatchId) -> Result<Option<PayoutBatch>, S::Error> {
    let locked = db.query_locked(select_lines!(), RowLock::NoKeyUpdate, &[&id.as_str()]).await?;
    let Some(batch) = without_lines(db, id).await? else { return Ok(None) };
    Ok(Some(PayoutBatch { lines: lines::<S>(&locked)?, ..batch }))
}

fn lines<S: Sql>(rows: &[S::Row]) -> Result<Vec<Transaction>, S::Error> {
    rows.iter().map(rows::transaction).collect()
}

async fn without_lines<S: Sql>(db: &S, id: &BatchId) -> Result<Option<PayoutBatch>, S::Error> {
    let sql = "SELECT id, account_id, mode, reference, key_id, user_id, warnings, created_at
         FROM payout_batches WHERE id = $1";
    let found = db.query_opt(sql, &[&id.as_str()]).await?;
    found.as_ref().map(rows::payout_batch).transpose()
}

/// The newest batches first: of an account and mode, or all.
pub async fn newest<S: Sql>(
    db: &S,
    scope: Option<&Scope>,
    limit: u32,
) -> Result<Vec<BatchSummary>, S::Error> {
    let sql = summaries!(
        "SELECT id FROM payout_batches
         WHERE CAST($1 AS TEXT) IS NULL OR (account_id = $1 AND mode = $2)
         ORDER BY id DESC LIMIT $3",
        "batch.id DESC"
    );
    let (account, mode) = columns(scope);
    db.query(sql, &[&account, &mode, &limit]).await?.iter().map(rows::batch_summary).collect()
}

/// The batches with lines that wait for an approval, the longest waiting first: of an account and
/// mode, or all.
pub async fn unapproved<S: Sql>(
    db: &S,
    scope: Option<&Scope>,
) -> Result<Vec<BatchSummary>, S::Error> {
    let sql = summaries!(
        "SELECT batch_id FROM transactions
         WHERE approval_due IS NOT NULL AND batch_id IS NOT NULL
           AND (CAST($1 AS TEXT) IS NULL OR (account_id = $1 AND mode = $2))",
        "min(line.approval_due), batch.id"
    );
    let (account, mode) = columns(scope);
    db.query(sql, &[&account, &mode]).await?.iter().map(rows::batch_summary).collect()
}

fn columns(scope: Option<&Scope>) -> (Option<&str>, Option<&str>) {
    scope.map(|scope| (scope.account.as_str(), scope.mode.as_str())).unzip()
}
