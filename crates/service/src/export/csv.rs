//! CSV, in pieces that can be sent while the next ones are read.

use super::{
    ExportError,
    columns::{Cell, HEADER, cedis, cells},
};
use crate::domain::Transaction;

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
        Cell::Text(text) => harmless(&text),
        Cell::Money(pesewas) => cedis(pesewas),
        Cell::Count(count) => count.to_string(),
    }
}

/// The characters with which a spreadsheet program begins a formula (OWASP, "CSV Injection"), in all their widths.
const FORMULA: [char; 16] = [
    '=', '+', '-', '@', '|', '%', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{fe66}', '\u{fe62}', '\u{fe63}',
    '\u{fe6b}', '\u{2212}', '\u{ff5c}',
];

/// The characters at which some spreadsheet programs begin another cell or line, whatever the file means.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// A text that no spreadsheet program reads as a formula: an apostrophe is put before the characters with which one can
/// begin, also behind spaces, and behind a semicolon, at which a program of another language splits the line.
fn harmless(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    let mut is_cell_start = true;
    // A cell that begins with a tab or a line break is shifted by it.
    if text.starts_with(SEPARATORS) {
        harmless.push('\'');
    }
    for c in text.chars() {
        if is_cell_start && FORMULA.contains(&c) {
            harmless.push('\'');
        }
        is_cell_start = SEPARATORS.contains(&c) || is_cell_start && is_skipped(c);
        harmless.push(c);
    }
    harmless
}

/// Whether a program may skip it at the beginning of a cell: spaces, quotation marks, and what is not drawn.
fn is_skipped(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '"' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
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
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "|cmd", "%0", "＝1+1", "＋1", "－1", "＠A1", "﹦1", "\u{2212}1"]
        {
            assert_eq!(harmless(text), format!("'{text}"));
            for before in [" ", "\u{a0}", "\u{feff}", "\u{200b}", "x;", "x; \"", "x\n"] {
                assert_eq!(harmless(&format!("{before}{text}")), format!("{before}'{text}"));
            }
        }
        for (text, written) in [("\t=1", "'\t'=1"), ("\r=1", "'\r'=1"), ("\nx", "'\nx"), (";=1", "';'=1")] {
            assert_eq!(harmless(text), written);
        }
        assert_eq!(harmless("shoes, -5 %; size 40"), "shoes, -5 %; size 40");
        assert_eq!(harmless("order=1"), "order=1");
        assert_eq!(field(Cell::Money(-5)), "-0.05");
        assert_eq!(field(Cell::Money(1050)), "10.50");
    }
}
