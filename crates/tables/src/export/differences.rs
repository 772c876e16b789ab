//! What does not agree between statements and transactions, as CSV.

use super::columns::Cell;
use tua_domain::statement::verification::StatementException;

/// The names of the columns.
pub const HEADER: [&str; 10] = [
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

/// The columns of a file for people: the outcome in words, and its code behind everything else.
#[must_use]
pub fn people_header() -> Vec<&'static str> {
    [&HEADER[..], &["outcomeCode"]].concat()
}

/// The cells of an exception for people, one for each column of [`people_header`]. `word` is the
/// text of a code.
#[must_use]
pub fn people_cells(one: &StatementException, word: impl Fn(&str) -> String) -> Vec<Cell> {
    let code = one.outcome.as_str();
    let mut all = Vec::from(cells(one));
    all[0] = Cell::Text(word(code));
    all.push(Cell::Text(code.to_owned()));
    all
}

/// The cells of an exception, one for each column.
#[must_use]
pub fn cells(one: &StatementException) -> [Cell; HEADER.len()] {
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
