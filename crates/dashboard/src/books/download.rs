//! The downloads of a month.

use super::{
    contents::{book_rows, pdf_report},
    reading::{MonthBooks, Read, read},
};
use crate::{
    download::{Attachment, attached, refused, saved},
    error::{DashboardError, redirect},
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    body::Body,
    extract::{Path, Query, State},
    response::Response,
};
use std::collections::HashMap;
use tua_domain::{audit::Action, books::month::Month};
use tua_tables::export::{self, ExportError, ExportFormat, xlsx::XlsxExport};

/// The formats of the monthly report.
#[derive(Clone, Copy)]
enum BookFormat {
    Table(ExportFormat),
    Pdf,
}

impl BookFormat {
    fn parse(name: &str) -> Option<Self> {
        if name == "pdf" { Some(Self::Pdf) } else { ExportFormat::parse(name).map(Self::Table) }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Table(format) => format.as_str(),
            Self::Pdf => "pdf",
        }
    }

    const fn media_type(self) -> &'static str {
        match self {
            Self::Table(format) => format.media_type(),
            Self::Pdf => "application/pdf",
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Table(format) => format.extension(),
            Self::Pdf => "pdf",
        }
    }
}

/// `GET /books/export/{format}?month=2026-11`: the report of a month as CSV, XLSX or PDF. It is in
/// the audit log before anything of it is sent.
pub(crate) async fn download(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path(path): Path<HashMap<String, String>>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, DashboardError> {
    let format = path.get("format").and_then(|name| BookFormat::parse(name));
    let format = format.ok_or(DashboardError::NotFound)?;
    let month = query.get("month").and_then(|text| Month::parse(text));
    let month = month.ok_or(DashboardError::NotFound)?;
    let books = match read(&state, &visitor, month).await? {
        Read::Books(books) => books,
        // The page says how far the sums are.
        Read::Preparing(_) => {
            return Ok(redirect(&visitor.href(&format!("/books?month={month}"))));
        }
    };
    let days = &books.report.period.days;
    let change = export::audit_change(
        Action::SummaryExported,
        Some(&visitor.scope.account),
        Some(visitor.scope.mode),
        (Some(*days.start()), Some(*days.end())),
        false,
        format.as_str(),
    );
    state.exports.begin(change, &visitor.audit(&state)).await?;
    let body = match format {
        BookFormat::Table(format) => table(&visitor, &books, format).await,
        BookFormat::Pdf => pdf(&state, &visitor, &books).await,
    };
    let file = Attachment {
        contents: "monthly-report",
        days: month.to_string(),
        media_type: format.media_type(),
        extension: format.extension(),
    };
    Ok(attached(body.map_err(refused)?, &visitor, file))
}

async fn table(
    visitor: &Visitor,
    books: &MonthBooks,
    format: ExportFormat,
) -> Result<Body, ExportError> {
    let rows = book_rows(visitor, books);
    match format {
        ExportFormat::Csv | ExportFormat::ExcelCsv => {
            Ok(Body::from([format.prefix().as_bytes(), &export::books::csv(rows)?].concat()))
        }
        ExportFormat::Xlsx => {
            let mut workbook = XlsxExport::new("Monthly report", &export::books::HEADER)?;
            workbook.add(rows)?;
            saved(workbook).await
        }
    }
}

/// Drawing takes some milliseconds, so it is done on a thread for blocking work.
async fn pdf(
    state: &DashboardState,
    visitor: &Visitor,
    books: &MonthBooks,
) -> Result<Body, ExportError> {
    let report = pdf_report(visitor, books, state.clock.now());
    let written = tokio::task::spawn_blocking(move || export::pdf::write(&report)).await;
    Ok(Body::from(written.map_err(|error| ExportError::File(error.to_string()))??))
}
