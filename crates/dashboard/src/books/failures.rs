//! Why payments of a month failed, in words: the payers' own reasons apart from all others.

use super::{
    model::{Row, Table, count},
    reading::MonthBooks,
    words::text,
};
use crate::language::Language;
use tua_domain::reporting::FailureCount;

/// A table of each group of reasons that occurred in the month or in the days before.
pub(super) fn tables(language: Language, books: &MonthBooks) -> Vec<Table> {
    let groups = [("books-failures-payers", true), ("books-failures-others", false)];
    let tables = groups.map(|(heading, is_the_payers)| Table {
        heading: text(language, heading, &[]),
        columns: vec!["books-reason", "books-this", "books-before"],
        rows: rows(language, books, is_the_payers),
        notes: Vec::new(),
    });
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn rows(language: Language, books: &MonthBooks, is_the_payers: bool) -> Vec<Row> {
    let of_group = |one: &&FailureCount| one.is_the_payers() == is_the_payers;
    let now = books.failures.iter().filter(of_group);
    let is_only_before =
        |one: &&FailureCount| books.failures.iter().all(|other| other.code != one.code);
    let only_before = books.failures_before.iter().filter(of_group).filter(is_only_before);
    let row = |one: &FailureCount| Row {
        label: text(language, &format!("failure-{}", one.code.as_str()), &[]),
        cells: [&books.failures, &books.failures_before]
            .map(|counts| cell(language, counts.iter().find(|other| other.code == one.code)))
            .to_vec(),
        is_total: false,
    };
    now.chain(only_before).map(row).collect()
}

fn cell(language: Language, found: Option<&FailureCount>) -> String {
    let payments = found.map_or(0, |one| one.payments);
    let number = count(i64::try_from(payments).unwrap_or(i64::MAX), language);
    if found.is_some_and(|one| one.is_capped) {
        text(language, "failures-or-more", &[("count", &number)])
    } else {
        number
    }
}
