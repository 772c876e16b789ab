//! An XLSX file. Its rows are kept in a temporary file until it is complete.

use super::{
    ExportError,
    columns::{Cell, HEADER, cedis, cells},
};
use crate::domain::Transaction;
use rust_xlsxwriter::{Format, Workbook, XlsxError};
use std::io::{Seek, Write};

/// The largest number of transactions. A sheet can have 1,048,576 rows.
pub const MAX_ROWS: u32 = 1_000_000;

/// A workbook with one sheet.
pub struct XlsxExport {
    workbook: Workbook,
    /// The rows that are written, with the header.
    rows: u32,
    money: Format,
}

impl std::fmt::Debug for XlsxExport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("XlsxExport").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl XlsxExport {
    /// A workbook with the names of the columns.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn new() -> Result<Self, ExportError> {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet_with_constant_memory().map_err(fault)?;
        sheet.set_name("Transactions").map_err(fault)?;
        let bold = Format::new().set_bold();
        for (column, name) in (0..).zip(HEADER) {
            sheet.write_string_with_format(0, column, name, &bold).map_err(fault)?;
        }
        Ok(Self { workbook, rows: 1, money: Format::new().set_num_format("#,##0.00") })
    }

    /// Adds transactions.
    ///
    /// # Errors
    /// [`ExportError::TooManyRows`], [`ExportError::File`].
    pub fn add(&mut self, transactions: &[Transaction]) -> Result<(), ExportError> {
        let sheet = self.workbook.worksheet_from_index(0).map_err(fault)?;
        for transaction in transactions {
            if self.rows > MAX_ROWS {
                return Err(ExportError::TooManyRows);
            }
            for (column, cell) in (0..).zip(cells(transaction)) {
                match cell {
                    Cell::Empty => Ok(&mut *sheet),
                    // A string is never a formula.
                    Cell::Text(text) => sheet.write_string(self.rows, column, text),
                    Cell::Money(pesewas) => {
                        sheet.write_number_with_format(self.rows, column, cedis_number(pesewas), &self.money)
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

/// A spreadsheet has no other numbers than floating-point ones; the nearest one is shown with the same two decimals.
fn cedis_number(pesewas: i64) -> f64 {
    cedis(pesewas).parse().unwrap_or_default()
}

#[expect(clippy::needless_pass_by_value, reason = "the signature of map_err")]
fn fault(error: XlsxError) -> ExportError {
    ExportError::File(error.to_string())
}
