//! Rows of the books of a month.

use super::ledger::postings;
use crate::columns::{self as read, Columns, number, text, word};
use tua_domain::{
    books::sums::{LedgerDaySum, OpeningBalance, PostedDay},
    refund::TransactionType,
    routing::{OperatorFingerprint, OperatorName, PinnedOperator},
};

/// The sums of a day.
pub(crate) fn ledger_day_sum<R: Columns>(row: &R) -> Result<LedgerDaySum, R::Error> {
    Ok(LedgerDaySum {
        day: read::day(row, "day")?,
        scope: read::scope(row)?,
        operator: operator(row)?,
        transaction_type: word(row, "type", TransactionType::parse)?,
        network: read::network(row)?,
        payments: number(row, "payments")?,
        unknown_fees: number(row, "unknown_fees")?,
        entries: number(row, "entries")?,
        postings: postings(row)?,
    })
}

/// The balances of an operator under one name.
pub(crate) fn opening_balance<R: Columns>(row: &R) -> Result<OpeningBalance, R::Error> {
    Ok(OpeningBalance { operator: operator(row)?, postings: postings(row)? })
}

/// What was posted on a day, over all accounts and modes.
pub(crate) fn posted_day<R: Columns>(row: &R) -> Result<PostedDay, R::Error> {
    Ok(PostedDay {
        day: read::day(row, "day")?,
        entries: number(row, "entries")?,
        postings: postings(row)?,
    })
}

/// The operator of a row; both columns are empty for the sandbox.
fn operator<R: Columns>(row: &R) -> Result<Option<PinnedOperator>, R::Error> {
    let name = text(row, "operator")?;
    let fingerprint = text(row, "operator_fingerprint")?;
    Ok((!name.is_empty()).then(|| PinnedOperator {
        name: OperatorName::of_row(name),
        fingerprint: OperatorFingerprint::of_row(fingerprint),
    }))
}
