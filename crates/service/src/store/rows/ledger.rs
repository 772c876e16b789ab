//! Rows of the ledger.

use super::transaction;
use crate::{
    domain::{
        ledger::{LedgerBalance, Postings, verification::PostedTransaction},
        routing::OperatorName,
    },
    store::columns::{self as read, Columns, maybe_text, number},
};

/// Sums of postings.
pub(super) fn postings<R: Columns>(row: &R) -> Result<Postings, R::Error> {
    Ok(Postings::new([
        number(row, "posted_operator_float")?,
        number(row, "posted_in_transit")?,
        number(row, "posted_fees")?,
        number(row, "posted_merchant")?,
        number(row, "posted_refunds")?,
        number(row, "posted_suspense")?,
    ]))
}

/// The balances of a merchant account, mode and operator.
pub(in crate::store) fn ledger_balance<R: Columns>(row: &R) -> Result<LedgerBalance, R::Error> {
    Ok(LedgerBalance {
        scope: read::scope(row)?,
        operator: maybe_text(row, "operator")?.map(OperatorName::of_row),
        postings: postings(row)?,
    })
}

/// A transaction with the sums of its postings.
pub(in crate::store) fn posted_transaction<R: Columns>(row: &R) -> Result<PostedTransaction, R::Error> {
    Ok(PostedTransaction {
        transaction: transaction(row)?,
        posted: postings(row)?,
        bad_entries: number(row, "bad_entries")?,
    })
}
