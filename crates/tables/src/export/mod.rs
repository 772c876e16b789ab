//! Transactions and sums of the ledger as tables, in CSV and XLSX: `tua export` and the dashboard's
//! downloads (docs/reference/reports.md).
//!
//! | module | writes |
//! |---|---|
//! | [`books`] | the monthly report as a table |
//! | [`columns`] | the cells of a transaction |
//! | [`csv`] | CSV, in pieces |
//! | [`notation`] | how the cells of CSV are written |
//! | [`pdf`] | a report as PDF |
//! | [`summary`] | the sums of the ledger by day |
//! | `totals` | the rows of a workbook that sum up the others |
//! | [`xlsx`] | an XLSX file |

pub mod books;
pub mod columns;
pub mod csv;
pub mod differences;
pub mod notation;
pub mod pdf;
pub mod summary;
mod totals;
pub mod xlsx;

use tua_domain::{
    AccountId, Mode,
    audit::{Action, AuditChange},
    ports::StoreError,
    string_enum,
};

string_enum! {
    /// The format of an export.
    pub enum ExportFormat {
        /// Comma-separated values in UTF-8 (RFC 4180).
        Csv = "csv",
        /// The same with a byte order mark before it, without which Excel does not read UTF-8.
        ExcelCsv = "excel-csv",
        /// A workbook of Office Open XML with one sheet.
        Xlsx = "xlsx",
    }
}

impl ExportFormat {
    /// The value of `Content-Type`; that of CSV says that there is a header row.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv | Self::ExcelCsv => "text/csv; charset=utf-8; header=present",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv | Self::ExcelCsv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    /// What comes before the first line of CSV.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::ExcelCsv => "\u{feff}",
            Self::Csv | Self::Xlsx => "",
        }
    }

    /// CSV as the query of a download asks for it: `?excel=1`.
    #[must_use]
    pub fn of_csv_query(query: Option<&str>) -> Self {
        let is_for_excel =
            query.is_some_and(|query| query.split('&').any(|pair| pair == "excel=1"));
        if is_for_excel { Self::ExcelCsv } else { Self::Csv }
    }
}

/// The largest number of rows below the header of an XLSX file. A sheet can have 1,048,576 rows.
pub const XLSX_MAX_ROWS: u32 = 1_000_000;

/// Why an export was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// More rows than a sheet of a spreadsheet program can have.
    #[error("XLSX can have {} rows at most; choose a shorter period, or csv", XLSX_MAX_ROWS)]
    TooManyRows,
    /// A file could not be written.
    #[error("the file cannot be written: {0}")]
    File(String),
    /// The transactions or sums could not be read from the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The entry of the audit log for an export. It contains no payer's data: of a search only that
/// there was one. `format` is the name of the format.
#[must_use]
pub fn audit_change(
    action: Action,
    account: Option<&AccountId>,
    mode: Option<Mode>,
    period: (Option<jiff::civil::Date>, Option<jiff::civil::Date>),
    is_searched: bool,
    format: &str,
) -> AuditChange {
    let day = |day: Option<jiff::civil::Date>| day.map(|day| day.to_string());
    let after = serde_json::json!({
        "mode": mode.map(Mode::as_str),
        "from": day(period.0),
        "to": day(period.1),
        "search": is_searched,
        "format": format,
    });
    AuditChange {
        action,
        subject: account.map_or("all accounts", AccountId::as_str).to_owned(),
        before: None,
        after: Some(after.to_string()),
    }
}
