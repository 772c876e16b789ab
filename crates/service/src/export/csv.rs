//! CSV, in pieces that can be sent while the next ones are read.

use super::{
    ExportError,
    columns::{Cell, HEADER, cedis, cells},
};
use crate::domain::Transaction;
use std::borrow::Cow;

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
pub fn lines<const N: usize>(rows: impl IntoIterator<Item = [Cell; N]>) -> Result<Vec<u8>, ExportError> {
    write(rows.into_iter().map(|row| row.map(field)))
}

fn field(cell: Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => harmless(&text).into_owned(),
        Cell::Money(pesewas) => cedis(pesewas),
        Cell::Count(count) => count.to_string(),
    }
}

/// A text that no spreadsheet program reads as a formula: an apostrophe is put before the characters with which a formula
/// can begin (OWASP, "CSV Injection"). One more is put before a text that has them already, so that the reader of files takes
/// off what was put.
fn harmless(text: &str) -> Cow<'_, str> {
    match text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

pub(super) fn write<const N: usize>(lines: impl IntoIterator<Item = [String; N]>) -> Result<Vec<u8>, ExportError> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for line in lines {
        writer.write_record(line).map_err(|error| ExportError::File(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| ExportError::File(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(harmless(text), format!("'{text}"));
        }
        assert_eq!(harmless("order=1"), "order=1");
        assert_eq!((harmless("'=1"), harmless("'t")), ("''=1".into(), "'t".into()));
        assert_eq!(field(Cell::Money(-5)), "-0.05");
        assert_eq!(field(Cell::Money(1050)), "10.50");
    }
}
