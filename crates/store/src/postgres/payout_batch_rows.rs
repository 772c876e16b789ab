//! The rows of batches of payouts, of their lines, and of the payouts that they repeat.

use super::{db::Db, error::Result, record::at};
use crate::rows::{self, transaction_columns};
use jiff::Timestamp;
use std::collections::BTreeSet;
use tua_domain::{
    BatchId, KeyId, Transaction, UserId,
    payout_batch::{self, NewBatch, PayoutBatch, REPEATED_WITHIN, RepeatedPayout},
};

/// Inserts the row of a batch. Returns `false` where there is one with this id.
pub(super) async fn insert(
    db: &Db,
    new: &NewBatch,
    warnings: &[RepeatedPayout],
    now: Timestamp,
) -> Result<bool> {
    let (key, user) =
        (new.asked_by.key().map(KeyId::as_str), new.asked_by.user().map(UserId::as_str));
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
                &key,
                &user,
                &rows::write_warnings(warnings),
                &at(now),
            ],
        )
        .await?;
    Ok(inserted > 0)
}

/// Finds payouts to the same phones within [`REPEATED_WITHIN`] that did not fail.
pub(super) async fn repeated(
    db: &Db,
    new: &NewBatch,
    now: Timestamp,
) -> Result<Vec<RepeatedPayout>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions
         WHERE account_id = $1 AND mode = $2 AND phone = ANY($3::text[]) AND created_at > $4 AND \
         kind = 'PAYOUT'
           AND refund_of IS NULL AND status <> 'FAILED' ORDER BY created_at, id"
    );
    let phones: BTreeSet<&str> =
        new.lines.iter().map(|line| line.transfer.phone.as_str()).collect();
    let phones: Vec<&str> = phones.into_iter().collect();
    let (account, mode, since) =
        (new.scope.account.as_str(), new.scope.mode.as_str(), at(now - REPEATED_WITHIN));
    let found = db.query(sql, &[&account, &mode, &phones, &since]).await?;
    let earlier: Vec<Transaction> = found.iter().map(rows::transaction).collect::<Result<_>>()?;
    Ok(payout_batch::repeated(&new.lines, earlier.iter().map(|payout| &*payout.begun)))
}

pub(super) async fn by_id(
    db: &Db,
    id: &BatchId,
    lines: Vec<Transaction>,
) -> Result<Option<PayoutBatch>> {
    let sql = "SELECT id, account_id, mode, reference, key_id, user_id, warnings, created_at FROM \
        payout_batches
               WHERE id = $1";
    let found = db.query_opt(sql, &[&id.as_str()]).await?;
    found.map(|row| rows::payout_batch(&row, lines)).transpose()
}

pub(super) async fn lines(db: &Db, id: &BatchId) -> Result<Vec<Transaction>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE batch_id = $1 ORDER BY id"
    );
    db.query(sql, &[&id.as_str()]).await?.iter().map(rows::transaction).collect()
}

/// Locks the rows of the lines, by id, and returns the lines.
pub(super) async fn lock_lines(db: &Db, id: &BatchId) -> Result<Vec<Transaction>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE batch_id = $1 ORDER BY id FOR NO KEY UPDATE"
    );
    db.query(sql, &[&id.as_str()]).await?.iter().map(rows::transaction).collect()
}
