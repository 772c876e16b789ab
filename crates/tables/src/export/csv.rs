//! CSV, in pieces that can be sent while the next ones are read.

use super::{
    ExportError,
    columns::{Cell, HEADER},
    notation::Notation,
};

/// The first line: the names of the columns.
///
/// # Errors
/// [`ExportError::File`].
pub fn header() -> Result<Vec<u8>, ExportError> {
    heading(&HEADER)
}

/// The lines of these rows.
///
/// # Errors
/// [`ExportError::File`].
pub fn lines<const N: usize>(
    rows: impl IntoIterator<Item = [Cell; N]>,
) -> Result<Vec<u8>, ExportError> {
    lines_in(Notation::Programs, rows)
}

/// The lines of these rows of texts and values, in a notation.
///
/// # Errors
/// [`ExportError::File`].
pub fn lines_in(
    notation: Notation,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = Cell>>,
) -> Result<Vec<u8>, ExportError> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(notation.delimiter())
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    for row in rows {
        let fields = row.into_iter().map(|cell| notation.field(&cell));
        writer.write_record(fields).map_err(|error| ExportError::File(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| ExportError::File(error.to_string()))
}

/// The first line of a table with these names of columns.
pub(super) fn heading<const N: usize>(names: &[&str; N]) -> Result<Vec<u8>, ExportError> {
    lines([names.map(|name| Cell::Text(name.to_owned()))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_no_formula_and_a_sum_is_a_number() {
        let field = |cell| Notation::Programs.field(&cell);
        assert_eq!(field(Cell::Text("=1+1".to_owned())), "'=1+1");
        assert_eq!(field(Cell::Text("shoes; -5".to_owned())), "shoes; '-5");
        assert_eq!(field(Cell::Text("'=1".to_owned())), "''=1");
        assert_eq!(field(Cell::Money(-5)), "-0.05");
        assert_eq!(field(Cell::Money(1050)), "10.50");
    }
}
