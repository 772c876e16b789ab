//! What does not agree between statements and transactions, as CSV.

use super::{
    ExportError,
    columns::Cell,
    csv::{lines, write},
};
use tua_domain::statement::verification::StatementException;

const HEADER: [&str; 10] = [
    "outcome",
    "statementId",
    "line",
    "operatorTransactionId",
    "transactionId",
    "accountId",
    "statementAmount",
    "statementFee",
    "amount",
    "fee",
];

/// The first line: the names of the columns.
///
/// # Errors
/// [`ExportError::File`].
pub fn header() -> Result<Vec<u8>, ExportError> {
    write([HEADER.map(str::to_owned)])
}

/// The lines of these exceptions.
///
/// # Errors
/// [`ExportError::File`].
pub fn rows(exceptions: &[StatementException]) -> Result<Vec<u8>, ExportError> {
    lines(exceptions.iter().map(cells))
}

fn cells(one: &StatementException) -> [Cell; HEADER.len()] {
    let text = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
    let money = |pesewas: Option<i64>| pesewas.map_or(Cell::Empty, Cell::Money);
    [
        Cell::Text(one.outcome.as_str().to_owned()),
        text(one.line.as_ref().map(|(statement, _)| statement.to_string())),
        text(one.line.as_ref().map(|(_, number)| number.to_string())),
        text(one.operator_transaction_id.clone()),
        text(one.transaction.as_ref().map(ToString::to_string)),
        text(one.scope.as_ref().map(|scope| scope.account.to_string())),
        money(one.theirs.map(|(pesewas, _)| pesewas)),
        money(one.theirs.and_then(|(_, fee)| fee)),
        money(one.ours.map(|(pesewas, _)| pesewas)),
        money(one.ours.and_then(|(_, fee)| fee)),
    ]
}
