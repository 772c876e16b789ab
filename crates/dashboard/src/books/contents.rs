//! What the files of a month contain: rows for CSV and XLSX, and the blocks of the PDF.

use super::{
    agreement, failures,
    figures::{by_network, by_operator, floats, summary},
    model::{OperatorStatements, Table},
    reading::MonthBooks,
    words::{self, text},
};
use crate::{language::Language, visitor::Visitor};
use jiff::Timestamp;
use tua_tables::export::{
    books::{BookRow, rows},
    pdf::{PdfBlock, PdfReport, PdfRow, PdfTable},
};

/// The rows of CSV and XLSX.
pub(super) fn book_rows(visitor: &Visitor, books: &MonthBooks) -> Vec<BookRow> {
    let known = books.statements.iter().filter_map(|one| match one {
        OperatorStatements::Known(agreement) => Some(agreement),
        _ => None,
    });
    rows(&books.report, visitor.scope.mode, known)
}

/// The report as its PDF shows it: what the page shows, in the same order.
pub(super) fn pdf_report(visitor: &Visitor, books: &MonthBooks, made_at: Timestamp) -> PdfReport {
    let language = visitor.person.language;
    let report = &books.report;
    let shop = &visitor.account.name;
    let shop = if shop.is_empty() { visitor.account.id.as_str() } else { shop };
    let month = words::title(language, &report.period);
    let mode = text(language, &format!("books-mode-{}", visitor.scope.mode.as_str()), &[]);
    let paragraph = |key: &str| PdfBlock::Paragraph(text(language, key, &[]));
    let heading = |key: &str| PdfBlock::Heading(text(language, key, &[]));
    let mut blocks = vec![
        PdfBlock::Paragraph(mode.clone()),
        PdfBlock::Paragraph(words::period(language, &report.period)),
        paragraph("books-help"),
    ];
    let tables =
        [summary(language, report), by_network(language, report), by_operator(language, report)];
    for table in tables.into_iter().chain(failures::tables(language, books)) {
        blocks.push(PdfBlock::Heading(table.heading.clone()));
        add_table(language, &mut blocks, table);
    }
    blocks.push(heading("books-floats"));
    blocks.push(paragraph("books-floats-help"));
    for table in floats(language, report) {
        blocks.push(PdfBlock::Subheading(table.heading.clone()));
        add_table(language, &mut blocks, table);
    }
    blocks.push(heading("books-agreement"));
    blocks.push(paragraph("books-agreement-help"));
    add_agreement(language, &mut blocks, books);
    let made = words::moment(language, made_at);
    let page = [("page", "{page}"), ("pages", "{pages}")];
    PdfReport {
        language: language.code(),
        title: format!("{shop} · {month}"),
        author: shop.to_owned(),
        running_head: format!("{shop} · {month} · {mode}"),
        made: text(language, "books-made", &[("at", &made)]),
        made_at,
        page_number: text(language, "books-page", &page),
        blocks,
    }
}

fn add_table(language: Language, blocks: &mut Vec<PdfBlock>, table: Table) {
    let columns = table.columns.iter().map(|key| text(language, key, &[])).collect();
    let rows = table
        .rows
        .into_iter()
        .map(|row| PdfRow { label: row.label, cells: row.cells, is_total: row.is_total })
        .collect();
    blocks.push(PdfBlock::Table(PdfTable { columns, rows }));
    blocks.extend(table.notes.into_iter().map(PdfBlock::Paragraph));
}

fn add_agreement(language: Language, blocks: &mut Vec<PdfBlock>, books: &MonthBooks) {
    if books.statements.is_empty() {
        blocks.push(PdfBlock::Paragraph(text(language, "books-not-compared", &[])));
    }
    for one in &books.statements {
        let lines = agreement::lines(language, one, &books.report.period.days);
        blocks.push(PdfBlock::Subheading(lines.operator));
        blocks.push(PdfBlock::List(lines.lines.into_iter().map(|line| line.text).collect()));
    }
}
