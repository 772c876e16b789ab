//! The monthly report: the books of a month as a page and as files
//! (docs/reference/dashboard.md#monthly-report).

mod agreement;
mod contents;
mod download;
mod failures;
mod figures;
mod home_difference;
mod model;
mod reading;
mod words;

use super::{error::DashboardError, language::Language, state::DashboardState, visitor::Visitor};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::{Value, context};
use model::{OperatorLines, Table};
use reading::{MonthBooks, Read, read};
use serde::Deserialize;
use tua_contract::plain_text::visible;
use tua_domain::books::month::Month;

pub(super) use download::{csv, excel_csv, pdf, xlsx};

/// The query of `GET /reports/month`.
#[derive(Debug, Deserialize)]
pub(super) struct MonthQuery {
    /// The month as `2026-11`; empty for the running one.
    #[serde(default)]
    month: String,
}

/// `GET /reports/month`: the report of a month. One that cannot be read, or has not begun, leads to
/// the running one with a note.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(MonthQuery { month }): Query<MonthQuery>,
) -> Result<Response, DashboardError> {
    let current = state.monthly_reports.current();
    let asked = &*visible(&month);
    let chosen = Month::parse(asked).filter(|month| *month <= current);
    let is_unreadable = chosen.is_none() && !asked.is_empty();
    let month = chosen.unwrap_or(current);
    let language = visitor.person.language;
    let contents = match read(&state, &visitor, month).await? {
        Read::Books(books) => contents(language, &books),
        Read::Preparing(until) => {
            context! { preparing => words::long_day(language, until) }
        }
    };
    let values = context! {
        month => month.to_string(),
        current => current.to_string(),
        previous => month.previous().to_string(),
        next => (month < current).then(|| month.next().to_string()),
        is_unreadable,
        ..contents
    };
    Ok(visitor.page("books.html", values))
}

fn contents(language: Language, books: &MonthBooks) -> Value {
    let MonthBooks { report, statements, .. } = books;
    let mut tables = vec![
        figures::summary(language, report),
        figures::by_network(language, report),
        figures::by_operator(language, report),
    ];
    tables.extend(failures::tables(language, books));
    let floats = figures::floats(language, report);
    let lines = statements
        .iter()
        .map(|one| operator_lines(&agreement::lines(language, one, &report.period.days)));
    context! {
        preparing => "",
        title => words::title(language, &report.period),
        period => words::period(language, &report.period),
        tables => tables.iter().map(table).collect::<Vec<_>>(),
        floats => floats.iter().map(table).collect::<Vec<_>>(),
        operators => lines.collect::<Vec<_>>(),
    }
}

fn table(table: &Table) -> Value {
    let rows = table.rows.iter().map(|row| {
        let cells = row.cells.iter().zip(table.columns.iter().skip(1));
        context! {
            label => &row.label,
            is_total => row.is_total,
            cells => cells
                .map(|(text, column)| context! { text, column => *column })
                .collect::<Vec<_>>(),
        }
    });
    context! {
        heading => &table.heading,
        first_column => table.columns.first().copied(),
        columns => table.columns.iter().skip(1).copied().collect::<Vec<_>>(),
        rows => rows.collect::<Vec<_>>(),
        notes => &table.notes,
    }
}

fn operator_lines(one: &OperatorLines) -> Value {
    let lines = one.lines.iter().map(|line| {
        context! { class => line.tone.class(), text => &line.text, href => &line.href }
    });
    context! {
        operator => &one.operator,
        lines => lines.collect::<Vec<_>>(),
        compare => &one.compare,
    }
}
