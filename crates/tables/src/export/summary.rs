//! The sums of the ledger by day, operator and type of transactions.

use super::{ExportError, columns::Cell, csv::heading};
use tua_domain::ledger::{LedgerAccount, LedgerDay};

/// The names of the columns. The accounts of the ledger have positive debits. New columns are
/// the last ones, because programs read the others by their number.
pub const HEADER: [&str; 14] = [
    "day",
    "accountId",
    "mode",
    "operator",
    "type",
    "transactions",
    "currency",
    "operatorFloat",
    "inTransit",
    "fees",
    "merchant",
    "refunds",
    "suspense",
    "unknownFees",
];

/// The first line: the names of the columns.
///
/// # Errors
/// [`ExportError::File`].
pub fn header() -> Result<Vec<u8>, ExportError> {
    heading(&HEADER)
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
        text("GHS"),
        posted(LedgerAccount::OperatorFloat),
        posted(LedgerAccount::InTransit),
        fees(one),
        posted(LedgerAccount::Merchant),
        posted(LedgerAccount::Refunds),
        posted(LedgerAccount::Suspense),
        Cell::Number(one.unknown_fees),
    ]
}

/// The fees; empty where none is known, which is something else than a fee of nought.
fn fees(one: &LedgerDay) -> Cell {
    let pesewas = one.postings.amount(LedgerAccount::Fees);
    if pesewas == 0 && one.unknown_fees > 0 { Cell::Empty } else { Cell::Money(pesewas) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_domain::{AccountId, Mode, Scope, ledger::Postings, refund::TransactionType};

    #[test]
    fn the_columns_of_earlier_versions_keep_their_numbers() {
        assert_eq!(&HEADER[5..7], ["transactions", "currency"]);
        assert_eq!(HEADER.last(), Some(&"unknownFees"));
    }

    #[test]
    fn fees_that_are_not_known_are_no_nought() {
        let fees = |pesewas: i64, unknown_fees: i64| {
            let day = LedgerDay {
                day: jiff::civil::date(2026, 11, 1),
                scope: Scope { account: AccountId::new("acc_1"), mode: Mode::Live },
                operator: None,
                transaction_type: TransactionType::Charge,
                transactions: 2,
                unknown_fees,
                postings: Postings::new([1_050, 0, pesewas, -1_050 - pesewas, 0, 0]),
            };
            let column = HEADER.iter().position(|name| *name == "fees").unwrap();
            cells(&day)[column].clone()
        };
        assert_eq!(fees(0, 1), Cell::Empty);
        assert_eq!(fees(0, 0), Cell::Money(0));
        assert_eq!(fees(15, 1), Cell::Money(15), "of the other payment");
    }
}
