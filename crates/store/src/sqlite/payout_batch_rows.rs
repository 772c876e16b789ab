//! The rows of batches of payouts, of their lines, and of the payouts that they repeat.

use super::record::Record;
use crate::rows;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result};
use std::collections::BTreeSet;
use tua_domain::{
    BatchId, Scope, Transaction,
    payout_batch::{self, BatchSummary, NewBatch, PayoutBatch, REPEATED_WITHIN, RepeatedPayout},
};

/// Finds payouts to the same phones within [`REPEATED_WITHIN`] that did not fail.
pub(super) fn repeated(
    db: &Connection,
    new: &NewBatch,
    now: Timestamp,
) -> Result<Vec<RepeatedPayout>> {
    let phones: BTreeSet<&str> =
        new.lines.iter().map(|line| line.transfer.phone.as_str()).collect();
    // As JSON, because SQLite has no arrays. Phone numbers are digits.
    let phones = format!(
        "[{}]",
        phones.into_iter().map(|one| format!("\"{one}\"")).collect::<Vec<_>>().join(",")
    );
    let earlier: Vec<Transaction> = db
        .prepare_cached(
            "SELECT * FROM transactions INDEXED BY transactions_by_phone
             WHERE account_id = ?1 AND mode = ?2 AND phone IN (SELECT value FROM json_each(?3)) \
             AND created_at > ?4
               AND kind = 'PAYOUT' AND refund_of IS NULL AND status <> 'FAILED' ORDER BY \
             created_at, id",
        )?
        .query_map(
            (
                new.scope.account.as_str(),
                new.scope.mode.as_str(),
                phones,
                (now - REPEATED_WITHIN).as_millisecond(),
            ),
            |row| rows::transaction(&Record::new(row)),
        )?
        .collect::<Result<_>>()?;
    Ok(payout_batch::repeated(&new.lines, earlier.iter().map(|payout| &*payout.begun)))
}

fn lines(db: &Connection, id: &BatchId) -> Result<Vec<Transaction>> {
    db.prepare_cached("SELECT * FROM transactions WHERE batch_id = ?1 ORDER BY id")?
        .query_map([id.as_str()], |row| rows::transaction(&Record::new(row)))?
        .collect()
}

pub(super) fn by_id(db: &Connection, id: &BatchId) -> Result<Option<PayoutBatch>> {
    let found = db
        .prepare_cached("SELECT * FROM payout_batches WHERE id = ?1")?
        .query_row([id.as_str()], |row| rows::payout_batch(&Record::new(row), Vec::new()))
        .optional()?;
    found.map(|batch| Ok(PayoutBatch { lines: lines(db, id)?, ..batch })).transpose()
}

pub(super) fn list(
    db: &Connection,
    sql: &str,
    scope: Option<&Scope>,
    most: Option<u32>,
) -> Result<Vec<BatchSummary>> {
    let (account, mode) = scope.map(|scope| (scope.account.as_str(), scope.mode.as_str())).unzip();
    let mut statement = db.prepare_cached(sql)?;
    let read = |row: &rusqlite::Row<'_>| rows::batch_summary(&Record::new(row));
    match most {
        Some(most) => statement.query_map((account, mode, most), read)?.collect(),
        None => statement.query_map((account, mode), read)?.collect(),
    }
}
