//! An XLSX file. Its rows are kept in a temporary file until it is complete.

use super::{
    ExportError, XLSX_MAX_ROWS,
    columns::{self, Cell, cedis},
    summary,
    totals::{self, Sum, Total},
};
use crate::table_file::kept;
use jiff::tz::TimeZone;
use rust_xlsxwriter::{Format, FormatBorder, Workbook, XlsxError};
use std::io::{Seek, Write};

/// The format of sums as accountants write them: negative ones in brackets.
const MONEY: &str = "#,##0.00_);(#,##0.00)";

/// A workbook. Its sheets are written one after another.
pub struct XlsxExport {
    workbook: Workbook,
    /// The sheet that is being written, from 0.
    sheet: usize,
    /// The rows that are written to it, with the header.
    rows: u32,
    /// What is written below the rows.
    totals: Vec<Total>,
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
    /// A workbook for transactions as programs read them, with the totals of the successful ones of
    /// each type below them.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn transactions() -> Result<Self, ExportError> {
        let workbook = Self::new("Transactions", &columns::HEADER, str::to_owned)?;
        Ok(Self { totals: totals::of_transactions(&columns::HEADER, str::to_owned), ..workbook })
    }

    /// A workbook for transactions as people read them ([`columns::people_cells`]), in the words of
    /// their language.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn transactions_for_people(word: impl Fn(&str) -> String) -> Result<Self, ExportError> {
        let header = columns::people_header();
        let workbook = Self::new("Transactions", &header, &word)?;
        Ok(Self { totals: totals::of_transactions(&header, word), ..workbook })
    }

    /// A workbook for the sums of the ledger, with their total below them.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn summary(word: impl Fn(&str) -> String) -> Result<Self, ExportError> {
        let workbook = Self::new("Summary", &summary::HEADER, &word)?;
        Ok(Self { totals: totals::of_summary(word), ..workbook })
    }

    /// A workbook with a sheet of this name and the names of its columns, each in the words of a
    /// language.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn new(
        sheet_name: &str,
        header: &[&str],
        word: impl Fn(&str) -> String,
    ) -> Result<Self, ExportError> {
        let mut workbook = Workbook::new();
        // The library itself knows the system's folder only.
        workbook.set_tempdir(tempfile::env::temp_dir()).map_err(fault)?;
        let format = |code: &str| Format::new().set_num_format(code);
        let mut export = Self {
            workbook,
            sheet: 0,
            rows: 0,
            totals: Vec::new(),
            money: format(MONEY),
            time: format("yyyy-mm-dd hh:mm:ss"),
            day: format("yyyy-mm-dd"),
        };
        export.begin_sheet(sheet_name, header, word)?;
        Ok(export)
    }

    /// Ends the sheet, and begins another one.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn add_sheet(
        &mut self,
        name: &str,
        header: &[&str],
        word: impl Fn(&str) -> String,
    ) -> Result<(), ExportError> {
        self.add_totals()?;
        self.totals.clear();
        self.sheet += 1;
        self.begin_sheet(name, header, word)
    }

    fn begin_sheet(
        &mut self,
        name: &str,
        header: &[&str],
        word: impl Fn(&str) -> String,
    ) -> Result<(), ExportError> {
        let sheet = self.workbook.add_worksheet_with_constant_memory().map_err(fault)?;
        sheet.set_name(word(name)).map_err(fault)?;
        let bold = Format::new().set_bold();
        sheet.set_freeze_panes(1, 0).map_err(fault)?;
        for (column, name) in (0..).zip(header) {
            let shown = word(name);
            sheet.set_column_width(column, column_width(name, &shown)).map_err(fault)?;
            sheet.write_string_with_format(0, column, shown, &bold).map_err(fault)?;
        }
        self.rows = 1;
        Ok(())
    }

    /// Adds rows.
    ///
    /// # Errors
    /// [`ExportError::TooManyRows`], [`ExportError::File`].
    pub fn add<R: IntoIterator<Item = Cell> + AsRef<[Cell]>>(
        &mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), ExportError> {
        let sheet = self.workbook.worksheet_from_index(self.sheet).map_err(fault)?;
        for row in rows {
            if self.rows > XLSX_MAX_ROWS {
                return Err(ExportError::TooManyRows);
            }
            self.totals.iter_mut().for_each(|total| total.add(row.as_ref()));
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
        self.add_totals()?;
        self.workbook.save_to_writer(file).map_err(fault)
    }

    /// Adds the totals that have rows. An empty row divides them from the rows, so that sorting and
    /// filtering leave them where they are.
    fn add_totals(&mut self) -> Result<(), ExportError> {
        let sheet = self.workbook.worksheet_from_index(self.sheet).map_err(fault)?;
        let bold = Format::new().set_bold().set_border_top(FormatBorder::Thin);
        let money = bold.clone().set_num_format(MONEY);
        let last_row = self.rows;
        for (row, total) in (last_row + 1..).zip(self.totals.iter().filter(|one| one.has_rows)) {
            sheet.write_string_with_format(row, 0, &*total.label, &bold).map_err(fault)?;
            for (column, sum, formula) in total.formulas(last_row) {
                let format = match sum {
                    Sum::Money(_) => &money,
                    Sum::Count(_) => &bold,
                };
                sheet.write_formula_with_format(row, column, formula, format).map_err(fault)?;
            }
        }
        Ok(())
    }
}

/// The width of a column, in characters: most values fit.
fn column_width(name: &str, shown: &str) -> f64 {
    let of_values: f64 = match name {
        "transactionId" | "checkoutId" | "refundOf" | "accountId" | "operatorTransactionId" => 34.0,
        "createdAt" | "updatedAt" => 19.0,
        "email" | "recipientName" | "reference" | "metadata" | "publicNote" | "privateNote"
        | "answer" => 28.0,
        _ => 14.0,
    };
    // Digits are wider than the letters of a heading.
    let characters = u32::try_from(shown.chars().count()).unwrap_or_default();
    of_values.max(f64::from(characters))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_file::{TableFile, TableForm};

    /// The lines of a workbook with these rows.
    fn lines(mut workbook: XlsxExport, rows: Vec<[Cell; columns::HEADER.len()]>) -> Vec<String> {
        workbook.add(rows).unwrap();
        let mut file = std::io::Cursor::new(Vec::new());
        workbook.finish(&mut file).unwrap();
        let table = TableFile::read(file.into_inner(), &TableForm::default()).unwrap();
        table.into_text().lines().map(str::to_owned).collect()
    }

    #[test]
    fn totals_stand_below_an_empty_row_with_their_results() {
        let row = |kind: &str, status: &str, pesewas| {
            let mut row = [const { Cell::Empty }; columns::HEADER.len()];
            row[4] = Cell::Text(kind.to_owned());
            row[5] = Cell::Text(status.to_owned());
            row[7] = Cell::Money(pesewas);
            row
        };
        let rows = vec![
            row("CHARGE", "SUCCESSFUL", 1_050),
            row("CHARGE", "FAILED", 99),
            row("CHARGE", "SUCCESSFUL", 50),
        ];
        let written = lines(XlsxExport::transactions().unwrap(), rows);
        let total = written.iter().position(|line| line.starts_with("Total")).unwrap();
        assert!(written[total].starts_with("Total of successful charges"), "{written:?}");
        let has_failed = written[total].contains("11.99");
        assert!(written[total].contains("11") && !has_failed, "{written:?}");
        assert_eq!(total + 1, written.len(), "no payout and no refund has a total: {written:?}");
        assert!(lines(XlsxExport::transactions().unwrap(), Vec::new()).len() <= 1);
    }
}
