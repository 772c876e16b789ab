//! Why a file is no table, and why a row is refused.

use std::fmt;

/// Why no table can be read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableFault {
    /// It has no bytes, or no text.
    Empty,
    /// Its bytes are no text in UTF-8, UTF-16 or Windows-1252.
    NotText,
    /// It is an old `.xls` workbook, or one with a password.
    OldWorkbook,
    /// It is a damaged workbook, or another archive.
    NotAWorkbook,
    /// The workbook unpacks to more than is read.
    TooLarge,
    /// A workbook names a row or column that no sheet has.
    BeyondSheet,
    /// A row of a workbook has a text in a column that no table has: the row.
    TooManyColumns(u64),
    /// Several sheets have rows: their names.
    SeveralSheets(Vec<String>),
    /// There is no sheet with the wanted name: the name, and those that there are.
    NoSheet(String, Vec<String>),
}

/// Why a row is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowFault {
    /// A quotation mark opens in this column and does not close in its line.
    UnclosedQuote {
        /// The column, from 1.
        column: usize,
    },
    /// Text follows a closing quotation mark.
    TextAfterQuote {
        /// The column, from 1.
        column: usize,
    },
    /// A cell beyond the last column of the header has a text.
    BeyondHeader {
        /// The column, from 1.
        column: usize,
        /// How many columns the header has.
        header: usize,
    },
    /// A cell of a column without a name has a text.
    UnnamedColumn {
        /// The column, from 1.
        column: usize,
    },
    /// It has fewer cells than the header.
    TooFewCells {
        /// How many cells the row has.
        cells: usize,
        /// How many columns the header has.
        header: usize,
    },
    /// It follows the footer of this line.
    AfterFooter {
        /// The line of the footer, from 1.
        footer: u64,
    },
}

impl TableFault {
    /// Its name, for the texts of the dashboard.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "no-text",
            Self::NotText => "not-text",
            Self::OldWorkbook => "old-workbook",
            Self::NotAWorkbook => "not-a-workbook",
            Self::TooLarge => "workbook-too-large",
            Self::BeyondSheet => "beyond-sheet",
            Self::TooManyColumns(_) => "too-many-columns",
            Self::SeveralSheets(_) => "several-sheets",
            Self::NoSheet(..) => "no-sheet",
        }
    }

    /// The names of the sheets that the workbook has, where they matter.
    pub fn sheets(&self) -> &[String] {
        match self {
            Self::SeveralSheets(sheets) | Self::NoSheet(_, sheets) => sheets,
            _ => &[],
        }
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::NotText => f.write_str(
                "it is neither a workbook (.xlsx) nor text in UTF-8, UTF-16 or Windows-1252; save \
                 it as .xlsx or as \"CSV UTF-8\"",
            ),
            Self::OldWorkbook => f.write_str(
                "it is an old workbook (.xls), or has a password; save it as .xlsx \
                 without a password",
            ),
            Self::NotAWorkbook => f.write_str(
                "it is no workbook that can be read: damaged, or of another program; save it again \
                 as .xlsx or as CSV",
            ),
            Self::TooLarge => f.write_str(
                "the workbook is too large when it is unpacked; delete what does not belong to it, \
                 or save it as CSV",
            ),
            Self::BeyondSheet => write!(
                f,
                "the workbook names a cell beyond row {} or column {}, which no sheet has; save it \
                 again in a spreadsheet program, or as CSV",
                super::limits::MAX_ROW,
                super::limits::MAX_COLUMN
            ),
            Self::TooManyColumns(row) => {
                write!(
                    f,
                    "row {row} of the workbook has a text beyond column \
                     {}",
                    super::limits::MAX_COLUMNS
                )
            }
            Self::SeveralSheets(sheets) => write!(
                f,
                "several sheets of the workbook have rows ({}); say which one, or delete the \
                 others",
                super::quoted_names(sheets)
            ),
            Self::NoSheet(wanted, sheets) => {
                write!(
                    f,
                    "the workbook has no sheet {wanted:?}, but \
                     {}",
                    super::quoted_names(sheets)
                )
            }
        }
    }
}

impl RowFault {
    /// Its name, for the texts of the dashboard.
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnclosedQuote { .. } => "unclosed-quote",
            Self::TextAfterQuote { .. } => "text-after-quote",
            Self::BeyondHeader { .. } => "beyond-header",
            Self::UnnamedColumn { .. } => "unnamed-column",
            Self::TooFewCells { .. } => "too-few-cells",
            Self::AfterFooter { .. } => "after-footer",
        }
    }

    /// The column, from 1, where it matters; 0 otherwise.
    pub const fn column(self) -> usize {
        match self {
            Self::UnclosedQuote { column }
            | Self::TextAfterQuote { column }
            | Self::BeyondHeader { column, .. }
            | Self::UnnamedColumn { column } => column,
            Self::TooFewCells { .. } | Self::AfterFooter { .. } => 0,
        }
    }
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnclosedQuote { column } => write!(
                f,
                "a quotation mark opens in column {column} and is not closed in this line; close \
                 it, or delete it"
            ),
            Self::TextAfterQuote { column } => write!(
                f,
                "text follows the closing quotation mark of column {column}; write a quotation \
                 mark inside a cell twice"
            ),
            Self::BeyondHeader { column, header } => write!(
                f,
                "column {column} has a text, but the header has {header} columns; an amount with a \
                 comma needs quotation marks, or write it without the comma"
            ),
            Self::UnnamedColumn { column } => {
                write!(f, "column {column} has a text, but the header has no name for it")
            }
            Self::TooFewCells { cells, header } => {
                write!(
                    f,
                    "it has {cells} columns, the header has {header}; the line may be cut off"
                )
            }
            Self::AfterFooter { footer } => {
                write!(
                    f,
                    "it follows line {footer}, which is a footer by the settings; a footer ends \
                     the table"
                )
            }
        }
    }
}
