//! The rows below a workbook that sum up the rows above. CSV has none: programs read it row by row,
//! and would take a total for one more transaction.

use super::{
    columns::{Cell, cedis, column_of},
    summary,
};
use rust_xlsxwriter::{Formula, utility::column_number_to_name};

/// A row that sums up columns of the rows which have certain texts.
#[derive(Debug)]
pub(super) struct Total {
    /// What the row is called, in the first column.
    pub(super) label: String,
    /// The texts of the rows that are summed up, each with its column.
    conditions: Vec<(u16, String)>,
    /// The columns that are summed up, each with its sum so far.
    sums: Vec<(u16, Sum)>,
    /// Whether a row was summed up.
    pub(super) has_rows: bool,
}

/// A sum of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sum {
    /// In pesewas.
    Money(i64),
    /// A number of things.
    Count(i64),
}

impl Total {
    /// Adds a row, if it is one of those that are summed up.
    pub(super) fn add(&mut self, row: &[Cell]) {
        let cell = |column: u16| row.get(usize::from(column));
        let is_counted = self.conditions.iter().all(
            |(column, wanted)| matches!(cell(*column), Some(Cell::Text(text)) if text == wanted),
        );
        if !is_counted {
            return;
        }
        self.has_rows = true;
        for (column, sum) in &mut self.sums {
            *sum = match (*sum, row.get(usize::from(*column))) {
                (Sum::Money(sum), Some(Cell::Money(pesewas))) => Sum::Money(sum + pesewas),
                (Sum::Count(sum), Some(Cell::Count(count))) => {
                    Sum::Count(sum + i64::try_from(*count).unwrap_or_default())
                }
                (Sum::Count(sum), Some(Cell::Number(number))) => Sum::Count(sum + number),
                (sum, _) => sum,
            };
        }
    }

    /// The formulas of the sums over the rows from 2 to this one, with their results for programs
    /// that compute nothing.
    pub(super) fn formulas(&self, last_row: u32) -> impl Iterator<Item = (u16, Sum, Formula)> {
        self.sums.iter().map(move |(column, sum)| {
            let range = |column: u16| {
                let name = column_number_to_name(column);
                format!("{name}2:{name}{last_row}")
            };
            let conditions: String = self
                .conditions
                .iter()
                .map(|(column, text)| format!(",{},\"{text}\"", range(*column)))
                .collect();
            let summed = range(*column);
            let formula = if conditions.is_empty() {
                format!("=SUM({summed})")
            } else {
                format!("=SUMIFS({summed}{conditions})")
            };
            let result = match sum {
                Sum::Money(pesewas) => cedis(*pesewas),
                Sum::Count(count) => count.to_string(),
            };
            (*column, *sum, Formula::new(formula).set_result(result))
        })
    }
}

/// The totals of transactions: of the successful ones of each type. Sums over failed ones, or of
/// money in and money out together, would mean nothing.
/// `header` has the columns of the workbook, `word` translates the words of its texts.
pub(super) fn of_transactions(header: &[&str], word: impl Fn(&str) -> String) -> Vec<Total> {
    let sums = ["amount", "operatorFee", "expectedFee"];
    let total = |label, transaction_type| Total {
        label: word(label),
        conditions: vec![
            (column(header, "type"), word(transaction_type)),
            (column(header, "status"), word("SUCCESSFUL")),
        ],
        sums: sums.map(|name| (column(header, name), Sum::Money(0))).to_vec(),
        has_rows: false,
    };
    vec![
        total("Total of successful charges", "CHARGE"),
        total("Total of successful payouts", "PAYOUT"),
        total("Total of successful refunds", "REFUND"),
    ]
}

/// The total of the sums of the ledger.
/// `word` translates the words of the workbook.
pub(super) fn of_summary(word: impl Fn(&str) -> String) -> Vec<Total> {
    let accounts = ["operatorFloat", "inTransit", "fees", "merchant", "refunds", "suspense"];
    let money = accounts.map(|name| (column(&summary::HEADER, name), Sum::Money(0)));
    let counts = ["transactions", "unknownFees"];
    let counts = counts.map(|name| (column(&summary::HEADER, name), Sum::Count(0)));
    let sums = counts.into_iter().chain(money).collect();
    vec![Total { label: word("Total"), conditions: Vec::new(), sums, has_rows: false }]
}

/// The number of a column, from 0.
fn column(header: &[&str], name: &str) -> u16 {
    column_of(header, name).and_then(|place| u16::try_from(place).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{super::columns, *};

    #[test]
    fn every_summed_column_is_there() {
        let people = columns::people_header();
        for (header, totals) in [
            (&columns::HEADER[..], of_transactions(&columns::HEADER, str::to_owned)),
            (&people[..], of_transactions(&people, str::to_owned)),
            (&summary::HEADER[..], of_summary(str::to_owned)),
        ] {
            for total in totals {
                let conditions = total.conditions.iter().map(|(column, _)| *column);
                let used: Vec<u16> =
                    conditions.chain(total.sums.iter().map(|(column, _)| *column)).collect();
                assert!(!used.contains(&0), "a name that is no column: {total:?}");
                assert!(used.iter().all(|column| usize::from(*column) < header.len()));
            }
        }
    }

    #[test]
    fn only_rows_with_the_texts_are_summed_up() {
        let mut totals = of_transactions(&columns::HEADER, str::to_owned);
        let mut row = [const { Cell::Empty }; columns::HEADER.len()];
        for (kind, status, pesewas) in [
            ("CHARGE", "SUCCESSFUL", 1_050),
            ("CHARGE", "FAILED", 300),
            ("PAYOUT", "SUCCESSFUL", 200),
            ("CHARGE", "SUCCESSFUL", 50),
        ] {
            row[4] = Cell::Text(kind.to_owned());
            row[5] = Cell::Text(status.to_owned());
            row[7] = Cell::Money(pesewas);
            totals.iter_mut().for_each(|total| total.add(&row));
        }
        let sums: Vec<(bool, Sum)> =
            totals.iter().map(|total| (total.has_rows, total.sums[0].1)).collect();
        let expected = [(true, Sum::Money(1_100)), (true, Sum::Money(200)), (false, Sum::Money(0))];
        assert_eq!(sums, expected);
    }
}
