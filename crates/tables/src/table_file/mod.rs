//! Reads tables from files that people have: CSV of any program, and `.xlsx` workbooks
//! (docs/reference/files.md).
//!
//! The one reader of payout files and statements. It is strict about the structure, because a line
//! that is read in the wrong way moves money: a line of the file is one row, and each row is read,
//! left out or refused. It is kind about the form.
//!
//! | module | contents |
//! |---|---|
//! | `archive`, `archive_xml` | bound what a workbook unpacks to, check its XML, find hidden rows |
//! | `cell` | cells, as text |
//! | `decimal` | numbers of sheets, as decimal texts |
//! | `delimited` | CSV: lines, quotation marks, delimiters |
//! | `encoding` | UTF-8, UTF-16 and Windows-1252 |
//! | `fault` | why a file or a row is refused |
//! | `form` | how a table is written, where its header cannot say it |
//! | `formula` | marks texts that a spreadsheet program would read as formulas |
//! | `header` | names of columns |
//! | `limits` | the largest row and column |
//! | `lines` | what each line is: header, record, footer, nothing |
//! | `number` | what a spreadsheet program made of a number |
//! | `row` | a line of a file of text, or a row of a sheet |
//! | `sheet_paths` | which file of the archive each sheet is |
//! | `sum` | sums of money in any notation |
//! | `workbook` | the rows of a sheet |

mod archive;
mod archive_xml;
mod cell;
mod decimal;
mod delimited;
mod encoding;
mod fault;
mod form;
mod formula;
mod header;
mod limits;
mod lines;
mod number;
mod row;
mod sheet_paths;
mod sum;
mod workbook;

pub use cell::{Cell, CellFault};
pub use fault::{RowFault, TableFault};
pub use form::TableForm;
pub use formula::{kept, marked, marked_beside_semicolons};
pub use header::{ColumnTwice, Header, quoted_names};
pub use lines::{LineContent, Lines, Record};
pub use number::{restored_integer, typed_number};
pub use row::Row;
pub use sum::{DecimalSign, Direction, Sum, SumFault};

use delimited::DelimitedText;
use workbook::Sheet;

/// A file with one table.
#[derive(Debug)]
pub struct TableFile {
    content: Content,
}

#[derive(Debug)]
enum Content {
    Text(DelimitedText),
    Sheet(Sheet),
}

impl TableFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`TableFault`].
    pub fn read(bytes: Vec<u8>, form: &TableForm) -> Result<Self, TableFault> {
        let content = if workbook::is_workbook(&bytes) {
            Content::Sheet(workbook::read(&bytes, form.sheet.as_deref())?)
        } else {
            Content::Text(DelimitedText::new(encoding::decode(bytes)?, form))
        };
        Ok(Self { content })
    }

    /// Whether a file of text ends without a line break, so that its end may be missing.
    fn lacks_last_line_break(&self) -> bool {
        matches!(&self.content, Content::Text(text) if text.lacks_last_line_break())
    }

    /// Whether semicolons divide its cells.
    pub const fn has_semicolons(&self) -> bool {
        matches!(&self.content, Content::Text(text) if text.has_semicolons())
    }

    /// Whether it is a workbook.
    pub const fn is_workbook(&self) -> bool {
        matches!(self.content, Content::Sheet(_))
    }

    /// The name of the sheet that was read; `None` for a file of text.
    pub fn sheet(&self) -> Option<&str> {
        match &self.content {
            Content::Text(_) => None,
            Content::Sheet(sheet) => Some(sheet.name()),
        }
    }

    /// The file as text: as it was written, or the sheet of a workbook as CSV, whose lines are the
    /// rows of the sheet.
    pub fn into_text(self) -> String {
        match self.content {
            Content::Text(text) => text.into_text(),
            Content::Sheet(sheet) => sheet.to_csv(),
        }
    }

    /// Every line or row from the first to the last, each once.
    pub fn rows(&self) -> Rows<'_> {
        match &self.content {
            Content::Text(text) => Rows::Text(text.rows()),
            Content::Sheet(sheet) => Rows::Sheet(sheet.rows()),
        }
    }
}

/// The rows of a file.
#[derive(Debug)]
pub enum Rows<'a> {
    /// Rows of a text file, such as CSV.
    Text(delimited::TextRows<'a>),
    /// Rows of a sheet of a workbook.
    Sheet(workbook::SheetRows<'a>),
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        match self {
            Self::Text(rows) => rows.next(),
            Self::Sheet(rows) => rows.next(),
        }
    }
}

#[cfg(test)]
mod hostile_workbook_tests;
#[cfg(test)]
mod sum_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod workbook_tests;
