//! Rows of the ledger.

use super::transaction;
use crate::columns::{self as read, Columns, day, maybe_text, number, word};
use tua_domain::{
    ledger::{LedgerBalance, LedgerDay, Postings, verification::PostedTransaction},
    refund::TransactionType,
    routing::OperatorName,
};

/// Reads the sums of postings, in pesewas, one for each account of the ledger.
pub(crate) fn postings<R: Columns>(row: &R) -> Result<Postings, R::Error> {
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
pub(crate) fn ledger_balance<R: Columns>(row: &R) -> Result<LedgerBalance, R::Error> {
    Ok(LedgerBalance {
        scope: read::scope(row)?,
        operator: maybe_text(row, "operator")?.map(OperatorName::of_row),
        postings: postings(row)?,
    })
}

/// The sums of a day.
pub(crate) fn ledger_day<R: Columns>(row: &R) -> Result<LedgerDay, R::Error> {
    Ok(LedgerDay {
        day: day(row, "day")?,
        scope: read::scope(row)?,
        operator: maybe_text(row, "operator")?.map(OperatorName::of_row),
        transaction_type: word(row, "type", TransactionType::parse)?,
        transactions: number(row, "transactions")?,
        unknown_fees: number(row, "unknown_fees")?,
        postings: postings(row)?,
    })
}

/// A transaction with the sums of its postings.
pub(crate) fn posted_transaction<R: Columns>(row: &R) -> Result<PostedTransaction, R::Error> {
    Ok(PostedTransaction {
        transaction: transaction(row)?,
        posted: postings(row)?,
        bad_entries: number(row, "bad_entries")?,
    })
}
