//! CSV, in pieces that can be sent while the next ones are read.

use super::{
    ExportError,
    columns::{Cell, HEADER, cedis, cells},
};
use crate::table_file::marked;
use tua_domain::Transaction;

/// The first line: the names of the columns.
///
/// # Errors
/// [`ExportError::File`].
pub fn header() -> Result<Vec<u8>, ExportError> {
    write([HEADER.map(str::to_owned)])
}

/// The lines of these transactions.
///
/// # Errors
/// [`ExportError::File`].
pub fn rows(transactions: &[Transaction]) -> Result<Vec<u8>, ExportError> {
    lines(transactions.iter().map(cells))
}

/// The lines of these rows.
///
/// # Errors
/// [`ExportError::File`].
pub fn lines<const N: usize>(
    rows: impl IntoIterator<Item = [Cell; N]>,
) -> Result<Vec<u8>, ExportError> {
    write(rows.into_iter().map(|row| row.map(field)))
}

fn field(cell: Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => marked(&text).into_owned(),
        Cell::Money(pesewas) => cedis(pesewas),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Time(at) => at.to_string(),
        Cell::Day(day) => day.to_string(),
    }
}

pub(super) fn write<const N: usize>(
    lines: impl IntoIterator<Item = [String; N]>,
) -> Result<Vec<u8>, ExportError> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for line in lines {
        writer.write_record(line).map_err(|error| ExportError::File(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| ExportError::File(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_no_formula_and_a_sum_is_a_number() {
        assert_eq!(field(Cell::Text("=1+1".to_owned())), "'=1+1");
        assert_eq!(field(Cell::Text("shoes; -5".to_owned())), "shoes; '-5");
        assert_eq!(field(Cell::Text("'=1".to_owned())), "''=1");
        assert_eq!(field(Cell::Money(-5)), "-0.05");
        assert_eq!(field(Cell::Money(1050)), "10.50");
    }
}
