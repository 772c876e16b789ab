//! The sums of the ledger by day, operator and type of transactions.

use super::{
    ExportError,
    columns::Cell,
    csv::{lines, write},
};
use tua_domain::ledger::{LedgerAccount, LedgerDay};

/// The names of the columns. The last ones are the accounts of the ledger: debits are positive.
pub const HEADER: [&str; 14] = [
    "day",
    "accountId",
    "mode",
    "operator",
    "type",
    "transactions",
    "unknownFees",
    "currency",
    "operatorFloat",
    "inTransit",
    "fees",
    "merchant",
    "refunds",
    "suspense",
];

/// The first line: the names of the columns.
///
/// # Errors
/// [`ExportError::File`].
pub fn header() -> Result<Vec<u8>, ExportError> {
    write([HEADER.map(str::to_owned)])
}

/// The lines of these sums.
///
/// # Errors
/// [`ExportError::File`].
pub fn rows(days: &[LedgerDay]) -> Result<Vec<u8>, ExportError> {
    lines(days.iter().map(cells))
}

/// The cells of a sum, one for each column.
#[must_use]
pub fn cells(one: &LedgerDay) -> [Cell; HEADER.len()] {
    let text = |text: &str| Cell::Text(text.to_owned());
    let posted = |account| Cell::Money(one.postings.amount(account));
    [
        Cell::Day(one.day),
        text(one.scope.account.as_str()),
        text(one.scope.mode.as_str()),
        one.operator.as_ref().map_or(Cell::Empty, |operator| text(operator.as_str())),
        text(one.transaction_type.as_str()),
        Cell::Count(one.transactions),
        Cell::Number(one.unknown_fees),
        text("GHS"),
        posted(LedgerAccount::OperatorFloat),
        posted(LedgerAccount::InTransit),
        posted(LedgerAccount::Fees),
        posted(LedgerAccount::Merchant),
        posted(LedgerAccount::Refunds),
        posted(LedgerAccount::Suspense),
    ]
}
