//! Downloads of a list as a file, of exactly its filter, and of the sums of a period.

use super::{
    error::DashboardError, fields::typed_day, list_query::ListQuery, security_headers,
    state::DashboardState, table_words::TableStyle, texts, visitor::Visitor,
};
use axum::{
    body::Body,
    extract::{Path, Query, RawQuery, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use fluent_bundle::FluentArgs;
use futures_util::stream;
use jiff::civil::Date;
use std::{collections::HashMap, fs::File, io::Seek};
use tokio_util::io::ReaderStream;
use tua_domain::{audit::Action, calendar::day_of};
use tua_tables::export::{self, ExportError, ExportFormat, columns, summary, xlsx::XlsxExport};
use tua_use_cases::reports::Export;

/// `GET /payments/export/{format}`: all payments that match, as CSV or XLSX. It is in the audit log
/// before its first byte is sent.
pub(super) async fn download(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path(path): Path<HashMap<String, String>>,
    RawQuery(query): RawQuery,
) -> Result<Response, DashboardError> {
    let format = path
        .get("format")
        .and_then(|name| ExportFormat::parse(name))
        .ok_or(DashboardError::NotFound)?;
    let list = ListQuery::read(query.as_deref());
    // A filter that is not understood would export more than was asked for.
    if !list.unknown.is_empty() {
        return Err(DashboardError::NotFound);
    }
    let filter = visitor.seen(list.filter);
    let period = (filter.from, filter.to);
    let account = Some(&visitor.scope.account);
    let mode = Some(visitor.scope.mode);
    let change = export::audit_change(
        Action::TransactionsExported,
        account,
        mode,
        (filter.from, filter.to),
        filter.search.is_some(),
        format.as_str(),
    );
    let export = state.exports.begin(change, &visitor.audit(&state)).await?;
    let export = export.transactions(visitor.scope.clone(), filter);
    let style = TableStyle { format, language: visitor.person.language };
    let body = match format {
        ExportFormat::Csv | ExportFormat::ExcelCsv => csv(export, style),
        ExportFormat::Xlsx => xlsx(export, style).await.map_err(refused)?,
    };
    let days = days_of(&visitor, period, day_of(state.clock.now()));
    Ok(attached(body, &visitor, attachment("payments", days, format)))
}

/// `GET /home/export/{format}`: what the ledger posted on each day of a period, by operator and
/// type. It is in the audit log too.
pub(super) async fn summary(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path(path): Path<HashMap<String, String>>,
    Query(period): Query<HashMap<String, String>>,
) -> Result<Response, DashboardError> {
    let format = path
        .get("format")
        .and_then(|name| ExportFormat::parse(name))
        .ok_or(DashboardError::NotFound)?;
    let day =
        |name| period.get(name).and_then(|text| typed_day(text)).ok_or(DashboardError::NotFound);
    let from = day("from")?;
    let to = day("to")?;
    let account = Some(&visitor.scope.account);
    let mode = Some(visitor.scope.mode);
    let change = export::audit_change(
        Action::SummaryExported,
        account,
        mode,
        (Some(from), Some(to)),
        false,
        format.as_str(),
    );
    let export = state.exports.begin(change, &visitor.audit(&state)).await?;
    let days = export.ledger_days(from..=to, account, mode).await?;
    let style = TableStyle { format, language: visitor.person.language };
    let rows = days
        .iter()
        .map(|day| style.with_words(summary::cells(day), &summary::HEADER, &["mode", "type"]));
    let body = match format {
        ExportFormat::Csv | ExportFormat::ExcelCsv => {
            let header = style.csv_header(&summary::HEADER).map_err(refused)?;
            Body::from([header, style.csv_lines(rows).map_err(refused)?].concat())
        }
        ExportFormat::Xlsx => {
            let mut workbook = XlsxExport::summary(|one| style.word(one)).map_err(refused)?;
            workbook.add(rows).map_err(refused)?;
            saved(workbook).await.map_err(refused)?
        }
    };
    let days = days_of(&visitor, (Some(from), Some(to)), to);
    Ok(attached(body, &visitor, attachment("summary", days, format)))
}

/// What the name and the headers of a file are made from.
pub(super) struct Attachment {
    /// What the file contains: a key of the texts behind `export-file-`.
    pub(super) contents: &'static str,
    /// The days or the month, as the name has them.
    pub(super) days: String,
    pub(super) media_type: &'static str,
    pub(super) extension: &'static str,
}

fn attachment(contents: &'static str, days: String, format: ExportFormat) -> Attachment {
    Attachment { contents, days, media_type: format.media_type(), extension: format.extension() }
}

/// The days of a file. A period without an end ends today.
fn days_of(visitor: &Visitor, (from, to): (Option<Date>, Option<Date>), today: Date) -> String {
    let to = to.unwrap_or(today);
    match from {
        Some(from) if from == to => to.to_string(),
        Some(from) => format!("{from}-{}-{to}", name_part(visitor, "to")),
        None => format!("{}-{to}", name_part(visitor, "until")),
    }
}

/// A part of the name of a file, in the language of the page.
fn name_part(visitor: &Visitor, part: &str) -> String {
    let key = format!("export-file-{part}");
    texts::text(visitor.person.language, &key, &FluentArgs::new())
        .unwrap_or_else(|| part.to_owned())
}

/// A file that browsers save under a name: shop, contents, mode and days.
pub(super) fn attached(body: Body, visitor: &Visitor, file: Attachment) -> Response {
    let shop = file_name_of(&visitor.account.name);
    let shop = if shop.is_empty() { visitor.account.id.as_str() } else { &shop };
    let Attachment { contents, days, media_type, extension } = file;
    let mut response = body.into_response();
    let headers = response.headers_mut();
    security_headers::add(headers);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    let contents = name_part(visitor, contents);
    let mode = name_part(visitor, visitor.scope.mode.as_str());
    let name = format!("attachment; filename=\"{shop}-{contents}-{mode}-{days}.{extension}\"");
    headers
        .extend(HeaderValue::try_from(name).ok().map(|name| (header::CONTENT_DISPOSITION, name)));
    response
}

/// A name as every file system has it: letters without accents, digits and hyphens.
fn file_name_of(name: &str) -> String {
    let plain = name.to_lowercase();
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Rows are read while earlier ones are sent. If a read fails, the connection is cut, so that
/// nobody takes the file for complete.
fn csv(export: Export, style: TableStyle) -> Body {
    let rows = stream::try_unfold(
        (export, style, true),
        async |(mut export, style, is_first)| -> Result<_, ExportError> {
            if is_first {
                return Ok(Some((style.transactions_header()?, (export, style, false))));
            }
            let Some(transactions) = export.next().await? else { return Ok(None) };
            Ok(Some((style.transaction_lines(&transactions)?, (export, style, false))))
        },
    );
    Body::from_stream(rows)
}

async fn xlsx(mut export: Export, style: TableStyle) -> Result<Body, ExportError> {
    let word = |one: &str| style.word(one);
    let mut workbook = XlsxExport::transactions_for_people(word)?;
    while let Some(transactions) = export.next().await? {
        workbook.add(transactions.iter().map(|one| columns::people_cells(one, word)))?;
    }
    saved(workbook).await
}

/// Writes a workbook on a thread for blocking work.
pub(super) async fn saved(workbook: XlsxExport) -> Result<Body, ExportError> {
    let written = tokio::task::spawn_blocking(move || write(workbook)).await;
    let file = written.map_err(|error| ExportError::File(error.to_string()))??;
    Ok(Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(file))))
}

/// Writes the workbook to a temporary file without a name, and goes back to its beginning.
fn write(workbook: XlsxExport) -> Result<File, ExportError> {
    let fault = |error: std::io::Error| ExportError::File(error.to_string());
    let mut file = tempfile::tempfile().map_err(fault)?;
    workbook.finish(&file)?;
    file.rewind().map_err(fault)?;
    Ok(file)
}

/// Logs why a file could not be written.
pub(super) fn refused(error: ExportError) -> DashboardError {
    match error {
        ExportError::TooManyRows => DashboardError::Failed(StatusCode::PAYLOAD_TOO_LARGE),
        ExportError::Store(error) => error.into(),
        ExportError::File(fault) => {
            tracing::error!(fault, "an export could not be written");
            DashboardError::Failed(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}
