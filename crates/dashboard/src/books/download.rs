//! The downloads of a month.

use super::{
    MonthQuery,
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
    extract::{Query, State},
    response::Response,
};
use tua_contract::plain_text::visible;
use tua_domain::{audit::Action, books::month::Month};
use tua_tables::export::{self, ExportError, ExportFormat, xlsx::XlsxExport};

/// The formats of the monthly report.
#[derive(Clone, Copy)]
enum BookFormat {
    Table(ExportFormat),
    Pdf,
}

impl BookFormat {
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

/// `GET /reports/month.csv?month=2026-11`: the report of a month, or of the running one.
pub(crate) async fn csv(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(query): Query<MonthQuery>,
) -> Result<Response, DashboardError> {
    download(BookFormat::Table(ExportFormat::Csv), &state, &visitor, query).await
}

/// `GET /reports/month-excel.csv`: as [`csv`], as Excel opens it.
pub(crate) async fn excel_csv(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(query): Query<MonthQuery>,
) -> Result<Response, DashboardError> {
    download(BookFormat::Table(ExportFormat::ExcelCsv), &state, &visitor, query).await
}

/// `GET /reports/month.xlsx`: as [`csv`], as a workbook.
pub(crate) async fn xlsx(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(query): Query<MonthQuery>,
) -> Result<Response, DashboardError> {
    download(BookFormat::Table(ExportFormat::Xlsx), &state, &visitor, query).await
}

/// `GET /reports/month.pdf`: as [`csv`], to print.
pub(crate) async fn pdf(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(query): Query<MonthQuery>,
) -> Result<Response, DashboardError> {
    download(BookFormat::Pdf, &state, &visitor, query).await
}

/// The report as a file. It is in the audit log before anything of it is sent.
async fn download(
    format: BookFormat,
    state: &DashboardState,
    visitor: &Visitor,
    MonthQuery { month }: MonthQuery,
) -> Result<Response, DashboardError> {
    let month = match &*visible(&month) {
        "" => state.monthly_reports.current(),
        text => Month::parse(text).ok_or(DashboardError::NotFound)?,
    };
    let books = match read(state, visitor, month).await? {
        Read::Books(books) => books,
        // The page says how far the sums are.
        Read::Preparing(_) => {
            return Ok(redirect(&visitor.href(&format!("/reports/month?month={month}"))));
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
    state.exports.begin(change, &visitor.audit(state)).await?;
    let body = match format {
        BookFormat::Table(format) => table(visitor, &books, format).await,
        BookFormat::Pdf => render_pdf(state, visitor, &books).await,
    };
    let file = Attachment {
        contents: "monthly-report",
        days: month.to_string(),
        media_type: format.media_type(),
        extension: format.extension(),
    };
    Ok(attached(body.map_err(refused)?, visitor, file))
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
async fn render_pdf(
    state: &DashboardState,
    visitor: &Visitor,
    books: &MonthBooks,
) -> Result<Body, ExportError> {
    let report = pdf_report(visitor, books, state.clock.now());
    let written = tokio::task::spawn_blocking(move || export::pdf::write(&report)).await;
    Ok(Body::from(written.map_err(|error| ExportError::File(error.to_string()))??))
}
