//! Rows of closed days, and of the entries of a day.

use super::ledger::postings;
use crate::{
    closed_day_json,
    columns::{self as read, Columns, number, text, time, word},
};
use tua_domain::{
    TransactionId,
    routing::{OperatorFingerprint, OperatorName, PinnedOperator},
    statement::closing::{ClosedDay, LedgerEntry},
};

/// Reads a closed day with its figures, which are JSON in the column `report`.
pub(crate) fn closed_day<R: Columns>(row: &R) -> Result<ClosedDay, R::Error> {
    let digest = read::bytes(row, "digest")?;
    let (figures, outcomes, exceptions) =
        word(row, "report", |text| closed_day_json::read(text, digest))?;
    Ok(ClosedDay {
        operator: PinnedOperator {
            name: OperatorName::of_row(text(row, "operator")?),
            fingerprint: OperatorFingerprint::of_row(text(row, "operator_fingerprint")?),
        },
        day: read::day(row, "day")?,
        closed_at: time(row, "closed_at")?,
        closed_by: text(row, "closed_by")?,
        figures,
        outcomes,
        exceptions,
    })
}

/// An entry of the ledger.
pub(crate) fn ledger_entry<R: Columns>(row: &R) -> Result<LedgerEntry, R::Error> {
    Ok(LedgerEntry {
        transaction: TransactionId::new(text(row, "transaction_id")?),
        version: number(row, "version")?,
        at: time(row, "at")?,
        scope: read::scope(row)?,
        postings: postings(row)?,
    })
}
