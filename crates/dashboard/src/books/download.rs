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
    table_words::TableStyle,
    visitor::Visitor,
};
use axum::{
    body::Body,
    extract::{Query, State},
    response::Response,
};
use tua_contract::plain_text::visible;
use tua_domain::{audit::Action, books::month::Month};
use tua_tables::export::{
    self, ExportError, ExportFormat,
    books::{BookTable, HEADER, tables},
    xlsx::XlsxExport,
};

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
    let style = TableStyle { format, language: visitor.person.language };
    let rows = book_rows(visitor, books).into_iter();
    let rows = rows.map(|row| style.with_words(row, &HEADER, &["name", "mode", "agreement"]));
    match format {
        ExportFormat::Csv | ExportFormat::ExcelCsv => {
            let rows = rows.map(|row| style.with_words(row, &HEADER, &["part"]));
            Ok(Body::from([style.csv_header(&HEADER)?, style.csv_lines(rows)?].concat()))
        }
        // The parts are the names of sheets, which the workbook translates.
        ExportFormat::Xlsx => saved(workbook(style, tables(rows.collect()))?).await,
    }
}

/// A workbook with a sheet for each part of the report.
fn workbook(style: TableStyle, tables: Vec<BookTable>) -> Result<XlsxExport, ExportError> {
    let mut workbook: Option<XlsxExport> = None;
    for BookTable { part, header, rows } in tables {
        let word = |one: &str| style.word(one);
        let sheet = match &mut workbook {
            Some(workbook) => {
                workbook.add_sheet(&part, &header, word)?;
                workbook
            }
            None => workbook.insert(XlsxExport::new(&part, &header, word)?),
        };
        sheet.add(rows)?;
    }
    workbook.ok_or_else(|| ExportError::File("the report has no rows".to_owned()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use tua_tables::{
        export::columns::Cell,
        table_file::{TableFault, TableFile, TableForm},
    };

    #[test]
    fn a_workbook_has_a_sheet_for_each_table_in_the_language_of_the_page() {
        let table = |part: &str, name: &str| BookTable {
            part: part.to_owned(),
            header: vec!["name", "moneyIn"],
            rows: vec![vec![Cell::Text(name.to_owned()), Cell::Money(1_050)]],
        };
        let style = TableStyle { format: ExportFormat::Xlsx, language: Language::French };
        let parts = ["total", "before", "network", "operator", "agreement"];
        let tables = parts.map(|part| table(&style.word(part), "MTN"));
        let mut file = std::io::Cursor::new(Vec::new());
        workbook(style, tables.into()).unwrap().finish(&mut file).unwrap();
        let bytes = file.into_inner();
        let several = TableFile::read(bytes.clone(), &TableForm::default()).unwrap_err();
        let names = ["Mois", "Jours d’avant", "Réseau", "Opérateur", "Relevés"];
        assert_eq!(several, TableFault::SeveralSheets(names.map(str::to_owned).into()));
        let form = TableForm { sheet: Some("Réseau".to_owned()), ..TableForm::default() };
        let text = TableFile::read(bytes, &form).unwrap().into_text();
        assert_eq!(text.replace("\r\n", "\n"), "Nom,Encaissé\nMTN,10.5\n");
    }
}
