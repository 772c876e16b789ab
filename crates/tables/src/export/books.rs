//! The monthly report as a table: one row for the total, for the days with which it is compared,
//! for each network and each operator, and for days of an operator that have one agreement with its
//! statements.

use super::columns::Cell;
use jiff::civil::Date;
use std::ops::RangeInclusive;
use tua_domain::{
    Mode,
    books::{
        agreement::{DayAgreement, OperatorAgreement, runs},
        movements::{FloatMovement, Movements},
        report::MonthlyReport,
    },
    routing::{SANDBOX, written_operator_name},
};

/// The names of the columns.
pub const HEADER: [&str; 22] = [
    "part",
    "name",
    "from",
    "to",
    "mode",
    "currency",
    "payments",
    "moneyIn",
    "refundCount",
    "refunds",
    "payoutCount",
    "payouts",
    "fees",
    "unknownFees",
    "net",
    "openingFloat",
    "inTransit",
    "suspense",
    "difference",
    "closingFloat",
    "agreement",
    "exceptions",
];

/// A row of the table.
pub type BookRow = [Cell; HEADER.len()];

/// The rows of a report, with the days of operators whose statements the reader may see.
#[must_use]
pub fn rows<'a>(
    report: &MonthlyReport,
    mode: Mode,
    agreements: impl IntoIterator<Item = &'a OperatorAgreement>,
) -> Vec<BookRow> {
    let period = &report.period;
    let days = &period.days;
    let of = |part: &str, name: &str, movements: &Movements| {
        movements_row(part, name, days, mode, movements, None)
    };
    let mut rows = vec![
        of("total", "", &report.total),
        movements_row("before", "", &period.before, mode, &report.before, None),
    ];
    rows.extend(report.networks.iter().map(|(network, one)| of("network", network.as_str(), one)));
    rows.extend(report.operators.iter().map(|one| {
        let name = one
            .operator
            .as_ref()
            .map_or_else(|| written_operator_name(SANDBOX), |pin| pin.name.written());
        movements_row("operator", name, days, mode, &one.movements, Some(&one.float))
    }));
    rows.extend(agreements.into_iter().flat_map(|one| agreement_rows(one, mode)));
    rows
}

/// A table of the report: the rows of one part.
#[derive(Debug)]
pub struct BookTable {
    /// The part, as the column `part` has it.
    pub part: String,
    /// The names of its columns, without `part`.
    pub header: Vec<&'static str>,
    /// Its rows, without the part.
    pub rows: Vec<Vec<Cell>>,
}

/// The tables of the rows, one for each part, without the columns in which none of its rows has a
/// value. A sum over a column of one table counts nothing twice.
#[must_use]
pub fn tables(rows: Vec<BookRow>) -> Vec<BookTable> {
    let mut parts: Vec<(String, Vec<BookRow>)> = Vec::new();
    for row in rows {
        let Cell::Text(part) = &row[0] else { continue };
        match parts.iter_mut().find(|(known, _)| known == part) {
            Some((_, rows)) => rows.push(row),
            None => parts.push((part.clone(), vec![row])),
        }
    }
    parts.into_iter().map(|(part, rows)| table(part, rows)).collect()
}

fn table(part: String, rows: Vec<BookRow>) -> BookTable {
    let has_value = |cell: &Cell| match cell {
        Cell::Empty => false,
        Cell::Text(text) => !text.is_empty(),
        _ => true,
    };
    let used: Vec<usize> = (1..HEADER.len())
        .filter(|column| rows.iter().any(|row| has_value(&row[*column])))
        .collect();
    let cells = |row: BookRow| used.iter().map(|column| row[*column].clone()).collect();
    BookTable {
        part,
        header: used.iter().map(|column| HEADER[*column]).collect(),
        rows: rows.into_iter().map(cells).collect(),
    }
}

fn movements_row(
    part: &str,
    name: &str,
    days: &RangeInclusive<Date>,
    mode: Mode,
    movements: &Movements,
    float: Option<&FloatMovement>,
) -> BookRow {
    let maybe =
        |of: fn(&FloatMovement) -> i64| float.map_or(Cell::Empty, |one| Cell::Money(of(one)));
    let difference =
        float.map_or(Cell::Empty, |one| Cell::Money(one.difference_pesewas(movements)));
    [
        Cell::Text(part.to_owned()),
        Cell::Text(name.to_owned()),
        Cell::Day(*days.start()),
        Cell::Day(*days.end()),
        Cell::Text(mode.as_str().to_owned()),
        Cell::Text("GHS".to_owned()),
        Cell::Number(movements.charges.count),
        Cell::Money(movements.charges.pesewas),
        Cell::Number(movements.refunds.count),
        Cell::Money(movements.refunds.pesewas),
        Cell::Number(movements.payouts.count),
        Cell::Money(movements.payouts.pesewas),
        movements.fees.known_pesewas().map_or(Cell::Empty, Cell::Money),
        Cell::Number(movements.fees.unknown),
        Cell::Money(movements.net_pesewas()),
        maybe(|one| one.opening_pesewas),
        Cell::Money(movements.in_transit_pesewas),
        Cell::Money(movements.suspense_pesewas),
        difference,
        maybe(|one| one.closing_pesewas),
        Cell::Empty,
        Cell::Empty,
    ]
}

/// The name of an agreement in the column `agreement`, and how many lines and transactions did not
/// agree.
const fn agreement_name(one: DayAgreement) -> (&'static str, u64) {
    match one {
        DayAgreement::Compared { exceptions: 0 } => ("agrees", 0),
        DayAgreement::Compared { exceptions } => ("differs", exceptions),
        DayAgreement::NothingToCompare => ("nothing-to-compare", 0),
        DayAgreement::Changed => ("changed-after-closing", 0),
        DayAgreement::OpenWithStatement => ("not-closed-with-statement", 0),
        DayAgreement::OpenWithoutStatement => ("not-closed-without-statement", 0),
    }
}

/// One row for each run of days with the same agreement, by agreement. A day that differs has a
/// row of its own, so that the exceptions of the rows add up.
fn agreement_rows(agreement: &OperatorAgreement, mode: Mode) -> Vec<BookRow> {
    let mut kinds: Vec<DayAgreement> = Vec::new();
    for (_, one) in &agreement.days {
        if !kinds.contains(one) {
            kinds.push(*one);
        }
    }
    let mut rows = Vec::new();
    for kind in kinds {
        let (name, exceptions) = agreement_name(kind);
        let days = agreement.of(|one| one == kind);
        let spans = match exceptions {
            0 => runs(&days),
            _ => days.iter().map(|day| (*day, *day)).collect(),
        };
        for (from, to) in spans {
            let mut row = [const { Cell::Empty }; HEADER.len()];
            row[0] = Cell::Text("agreement".to_owned());
            row[1] = Cell::Text(agreement.operator.name.written().to_owned());
            row[2] = Cell::Day(from);
            row[3] = Cell::Day(to);
            row[4] = Cell::Text(mode.as_str().to_owned());
            row[20] = Cell::Text(name.to_owned());
            row[21] = Cell::Count(exceptions);
            rows.push(row);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use tua_domain::routing::{OperatorFingerprint, OperatorName, PinnedOperator};

    #[test]
    fn each_part_is_a_table_of_its_own_without_empty_columns() {
        let row = |part: &str, name: &str, opening: Cell| {
            let mut row = [const { Cell::Empty }; HEADER.len()];
            row[0] = Cell::Text(part.to_owned());
            row[1] = Cell::Text(name.to_owned());
            row[7] = Cell::Money(1_050);
            row[15] = opening;
            row
        };
        let rows = vec![
            row("total", "", Cell::Empty),
            row("operator", "MTN MoMo", Cell::Money(1)),
            row("operator", "Test operator", Cell::Empty),
        ];
        let [total, operators] = &tables(rows)[..] else { panic!("a table for each part") };
        assert_eq!((&*total.part, &*total.header), ("total", &["moneyIn"][..]));
        assert_eq!(total.rows, [vec![Cell::Money(1_050)]]);
        assert_eq!(operators.header, ["name", "moneyIn", "openingFloat"]);
        assert_eq!(operators.rows.len(), 2);
    }

    #[test]
    fn neighbouring_days_that_differ_have_exceptions_that_add_up() {
        let differs = DayAgreement::Compared { exceptions: 1 };
        let open = DayAgreement::OpenWithoutStatement;
        let days = [differs, differs, open, open].into_iter().zip(3..);
        let agreement = OperatorAgreement {
            operator: PinnedOperator {
                name: OperatorName::of_row("mtn".to_owned()),
                fingerprint: OperatorFingerprint::of_row("a".to_owned()),
            },
            days: days.map(|(one, day)| (date(2026, 11, day), one)).collect(),
        };
        let rows = agreement_rows(&agreement, Mode::Live);
        let spans: Vec<_> = rows.iter().map(|row| [&row[2], &row[3], &row[21]]).collect();
        let row = |from, to, exceptions| {
            let day = |day| Cell::Day(date(2026, 11, day));
            [day(from), day(to), Cell::Count(exceptions)]
        };
        let expected = [row(3, 3, 1), row(4, 4, 1), row(5, 6, 0)];
        assert_eq!(format!("{spans:?}"), format!("{expected:?}"));
    }
}
