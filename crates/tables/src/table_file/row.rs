//! The lines of a file, whatever its form.

use super::{Cell, RowFault};

/// A line of a file of text, or a row of a sheet.
#[derive(Debug)]
pub struct Row<'a> {
    /// The number in the file, from 1.
    pub number: u64,
    /// The cells of the line, or why it cannot be divided into cells.
    pub cells: Result<Vec<Cell<'a>>, RowFault>,
    /// Whether it is a row of a workbook that the person does not see.
    pub is_hidden: bool,
}
