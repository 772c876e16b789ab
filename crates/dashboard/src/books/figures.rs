//! The tables of a month.

use super::{
    home_difference::compared_with_home,
    model::{Row, Table, change, count, money},
    words::{counted, day_of_month, text},
};
use crate::{formats, language::Language};
use tua_domain::{
    books::{
        month::{MonthPeriod, MonthProgress},
        movements::{FeeSum, Movements},
        report::{MonthlyReport, OperatorBook},
    },
    routing::SANDBOX,
};

/// The money of the month beside that of the days with which it is compared.
pub(super) fn summary(language: Language, report: &MonthlyReport) -> Table {
    let total = &report.total;
    let before = &report.before;
    let amount = |key: &str, of: fn(&Movements) -> i64| {
        let now = of(total);
        let then = of(before);
        Row {
            label: text(language, key, &[]),
            cells: vec![money(now, language), money(then, language), change(now - then, language)],
            is_total: key == "books-net",
        }
    };
    let number = |key: &str, of: fn(&Movements) -> i64| {
        let now = of(total);
        let then = of(before);
        let sign = if now > then { "+" } else { "" };
        Row {
            label: text(language, key, &[]),
            cells: vec![
                count(now, language),
                count(then, language),
                format!("{sign}{}", count(now - then, language)),
            ],
            is_total: false,
        }
    };
    let can_compare = total.fees.is_comparable_with(before.fees);
    let compared = |row| if can_compare { row } else { without_change(row) };
    Table {
        heading: text(language, "books-summary", &[]),
        columns: vec!["books-item", "books-this", "books-before", "books-change"],
        rows: vec![
            amount("books-in", |one| one.charges.pesewas),
            compared(maybe_amount(language, "books-kept", total.known_kept(), before.known_kept())),
            amount("books-refunds", |one| one.refunds.pesewas),
            amount("books-payouts", |one| one.payouts.pesewas),
            compared(fees(language, total.fees, before.fees)),
            compared(amount("books-net", Movements::net_pesewas)),
            number("books-count", |one| one.charges.count),
            number("books-count-refunds", |one| one.refunds.count),
            number("books-count-payouts", |one| one.payouts.count),
        ],
        notes: notes(language, report),
    }
}

fn notes(language: Language, report: &MonthlyReport) -> Vec<String> {
    let unknown = |key, fees: FeeSum| {
        let count = u64::try_from(fees.unknown).unwrap_or_default();
        (count > 0).then(|| counted(language, key, "", count))
    };
    let net = text(language, "books-net-help", &[]);
    let fees = unknown("books-fees-unknown", report.total.fees);
    let fees_before = unknown("books-fees-unknown-before", report.before.fees);
    let home = compared_with_home(language, report);
    [Some(net), fees, fees_before].into_iter().flatten().chain(home).collect()
}

/// The same row where the two months cannot be compared.
fn without_change(row: Row) -> Row {
    let mut cells = row.cells;
    cells[2] = NO_CHANGE.to_owned();
    Row { cells, ..row }
}

/// In place of a change that is not known.
const NO_CHANGE: &str = "–";

/// A row of sums of which one or both may be unknown.
fn maybe_amount(language: Language, key: &str, now: Option<i64>, then: Option<i64>) -> Row {
    let cell = |sum: Option<i64>| {
        sum.map_or_else(|| text(language, "books-unknown", &[]), |sum| money(sum, language))
    };
    let difference = now
        .zip(then)
        .map_or_else(|| NO_CHANGE.to_owned(), |(now, then)| change(now - then, language));
    Row {
        label: text(language, key, &[]),
        cells: vec![cell(now), cell(then), difference],
        is_total: false,
    }
}

/// The row of the fees.
fn fees(language: Language, now: FeeSum, then: FeeSum) -> Row {
    let row = maybe_amount(language, "books-fees", now.known_pesewas(), then.known_pesewas());
    let mut cells = row.cells;
    cells[0] = fee(language, now);
    cells[1] = fee(language, then);
    Row { cells, ..row }
}

/// The known fees, with the number of those that are not known.
fn fee(language: Language, fees: FeeSum) -> String {
    match fees.known_pesewas() {
        None => text(language, "books-unknown", &[]),
        Some(pesewas) if fees.unknown <= 0 => money(pesewas, language),
        Some(pesewas) => {
            let values =
                [("amount", &*money(pesewas, language)), ("count", &count(fees.unknown, language))];
            text(language, "books-fees-partly", &values)
        }
    }
}

/// The movements by network, with their total.
pub(super) fn by_network(language: Language, report: &MonthlyReport) -> Table {
    let row = |network: tua_contract::Network, movements: &Movements| {
        let label = text(language, &format!("network-{}", network.as_str()), &[]);
        movements_row(language, label, movements)
    };
    let rows = report.networks.iter().map(|(network, one)| row(*network, one)).collect();
    movements_table(language, "books-by-network", "books-network", rows, &report.total)
}

/// The movements by operator, with their total.
pub(super) fn by_operator(language: Language, report: &MonthlyReport) -> Table {
    let row =
        |one: &OperatorBook| movements_row(language, operator_name(language, one), &one.movements);
    let rows = report.operators.iter().map(row).collect();
    movements_table(language, "books-by-operator", "books-operator", rows, &report.total)
}

/// The name of an operator in the settings, or the sandbox.
pub(super) fn operator_name(language: Language, book: &OperatorBook) -> String {
    formats::operator(language, book.operator.as_ref().map_or(SANDBOX, |pin| pin.name.as_str()))
}

fn movements_table(
    language: Language,
    heading: &str,
    first_column: &'static str,
    mut rows: Vec<Row>,
    total: &Movements,
) -> Table {
    let notes = if rows.is_empty() { vec![text(language, "books-none", &[])] } else { Vec::new() };
    let label = text(language, "books-total", &[]);
    rows.push(Row { is_total: true, ..movements_row(language, label, total) });
    Table {
        heading: text(language, heading, &[]),
        columns: vec![
            first_column,
            "books-count",
            "books-in",
            "books-refunds",
            "books-payouts",
            "books-fees",
            "books-net",
        ],
        rows,
        notes,
    }
}

fn movements_row(language: Language, label: String, movements: &Movements) -> Row {
    let cells = vec![
        count(movements.charges.count, language),
        money(movements.charges.pesewas, language),
        money(movements.refunds.pesewas, language),
        money(movements.payouts.pesewas, language),
        fee(language, movements.fees),
        money(movements.net_pesewas(), language),
    ];
    Row { label, cells, is_total: false }
}

/// The money at each operator before and after the month, and what moved between.
pub(super) fn floats(language: Language, report: &MonthlyReport) -> Vec<Table> {
    report.operators.iter().map(|one| float(language, &report.period, one)).collect()
}

fn float(language: Language, period: &MonthPeriod, book: &OperatorBook) -> Table {
    let cell = |label: String, cell: String, is_total| Row { label, cells: vec![cell], is_total };
    let line =
        |label: String, pesewas: i64, is_total| cell(label, money(pesewas, language), is_total);
    let named = |key: &str, pesewas| line(text(language, key, &[]), pesewas, false);
    let movements = &book.movements;
    let opening =
        text(language, "books-opening", &[("day", &day_of_month(language, *period.days.start()))]);
    let closing = match period.progress {
        MonthProgress::Finished => {
            text(language, "books-closing", &[("day", &day_of_month(language, *period.days.end()))])
        }
        MonthProgress::Running => text(language, "books-closing-now", &[]),
    };
    let mut rows = vec![
        line(opening, book.float.opening_pesewas, false),
        named("books-in", movements.charges.pesewas),
        cell(
            text(language, "books-less-fees", &[]),
            fee(language, FeeSum { pesewas: -movements.fees.pesewas, ..movements.fees }),
            false,
        ),
        named("books-less-refunds", -movements.refunds.pesewas),
        named("books-less-payouts", -movements.payouts.pesewas),
    ];
    let others = [
        ("books-in-transit", -movements.in_transit_pesewas),
        ("books-suspense", -movements.suspense_pesewas),
        ("books-difference", book.float.difference_pesewas(movements)),
    ];
    let moved = others.into_iter().filter(|(_, pesewas)| *pesewas != 0);
    rows.extend(moved.map(|(key, pesewas)| named(key, pesewas)));
    rows.push(line(closing, book.float.closing_pesewas, true));
    Table {
        heading: operator_name(language, book),
        columns: vec!["books-line", "books-amount"],
        rows,
        notes: Vec::new(),
    }
}
