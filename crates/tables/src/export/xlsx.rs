//! An XLSX file. Its rows are kept in a temporary file until it is complete.

use super::{
    ExportError, XLSX_MAX_ROWS,
    columns::{Cell, cedis},
};
use crate::table_file::kept;
use jiff::tz::TimeZone;
use rust_xlsxwriter::{Format, Workbook, XlsxError};
use std::io::{Seek, Write};

/// A workbook with one sheet.
pub struct XlsxExport {
    workbook: Workbook,
    /// The rows that are written, with the header.
    rows: u32,
    money: Format,
    time: Format,
    day: Format,
}

impl std::fmt::Debug for XlsxExport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("XlsxExport").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl XlsxExport {
    /// A workbook with a sheet of this name and the names of its columns.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn new(sheet_name: &str, header: &[&str]) -> Result<Self, ExportError> {
        let mut workbook = Workbook::new();
        // The library itself knows the system's folder only.
        workbook.set_tempdir(tempfile::env::temp_dir()).map_err(fault)?;
        let sheet = workbook.add_worksheet_with_constant_memory().map_err(fault)?;
        sheet.set_name(sheet_name).map_err(fault)?;
        let bold = Format::new().set_bold();
        sheet.set_freeze_panes(1, 0).map_err(fault)?;
        for (column, name) in (0..).zip(header) {
            sheet.set_column_width(column, column_width(name)).map_err(fault)?;
            sheet.write_string_with_format(0, column, *name, &bold).map_err(fault)?;
        }
        let format = |code: &str| Format::new().set_num_format(code);
        Ok(Self {
            workbook,
            rows: 1,
            money: format("#,##0.00"),
            time: format("yyyy-mm-dd hh:mm:ss"),
            day: format("yyyy-mm-dd"),
        })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// [`ExportError::TooManyRows`], [`ExportError::File`].
    pub fn add<const N: usize>(
        &mut self,
        rows: impl IntoIterator<Item = [Cell; N]>,
    ) -> Result<(), ExportError> {
        let sheet = self.workbook.worksheet_from_index(0).map_err(fault)?;
        for row in rows {
            if self.rows > XLSX_MAX_ROWS {
                return Err(ExportError::TooManyRows);
            }
            for (column, cell) in (0..).zip(row) {
                match cell {
                    Cell::Empty => Ok(&mut *sheet),
                    // A string is never a formula.
                    Cell::Text(text) => sheet.write_string(self.rows, column, kept(&text)),
                    Cell::Money(pesewas) => sheet.write_number_with_format(
                        self.rows,
                        column,
                        float(&cedis(pesewas)),
                        &self.money,
                    ),
                    Cell::Count(count) => {
                        sheet.write_number(self.rows, column, float(&count.to_string()))
                    }
                    Cell::Number(number) => {
                        sheet.write_number(self.rows, column, float(&number.to_string()))
                    }
                    Cell::Time(at) => sheet.write_datetime_with_format(
                        self.rows,
                        column,
                        TimeZone::UTC.to_datetime(at),
                        &self.time,
                    ),
                    Cell::Day(day) => {
                        sheet.write_datetime_with_format(self.rows, column, day, &self.day)
                    }
                }
                .map_err(fault)?;
            }
            self.rows += 1;
        }
        Ok(())
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn finish(mut self, file: impl Write + Seek + Send) -> Result<(), ExportError> {
        self.workbook.save_to_writer(file).map_err(fault)
    }
}

/// The width of a column, in characters: most values fit.
fn column_width(name: &str) -> f64 {
    match name {
        "transactionId" | "checkoutId" | "refundOf" | "accountId" | "operatorTransactionId" => 34.0,
        "createdAt" | "updatedAt" => 19.0,
        "email" | "reference" | "metadata" | "publicNote" | "privateNote" => 28.0,
        _ => 14.0,
    }
}

/// A spreadsheet has no other numbers than floating-point ones; the nearest one is shown with the
/// same digits.
fn float(digits: &str) -> f64 {
    digits.parse().unwrap_or_default()
}

#[expect(clippy::needless_pass_by_value, reason = "the signature of map_err")]
fn fault(error: XlsxError) -> ExportError {
    ExportError::File(error.to_string())
}
