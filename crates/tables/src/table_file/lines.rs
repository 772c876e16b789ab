//! What each line of a file is: before the header, the header, empty, a record, a footer, or
//! refused.

use super::{Cell, Header, Row, RowFault, Rows, TableFile, TableForm, delimited};
use tua_domain::file_lines::LeftOut;

/// Every line of a file, each once, with what it is.
#[derive(Debug)]
pub struct Lines<'a> {
    rows: std::iter::Peekable<Rows<'a>>,
    header: &'a Header,
    form: &'a TableForm,
    is_text: bool,
    lacks_last_line_break: bool,
    /// The line of the first footer.
    footer: Option<u64>,
}

/// A line of a file.
#[derive(Debug)]
pub struct Line<'a> {
    /// The number in the file, from 1.
    pub number: u64,
    /// Whether the line is read, left out or refused.
    pub content: LineContent<'a>,
}

/// What a line is.
#[derive(Debug)]
pub enum LineContent<'a> {
    /// It has no record.
    LeftOut(LeftOut),
    /// A row of the table.
    Record(Record<'a>),
    /// It cannot be read in exactly one way.
    Refused(RowFault),
}

/// The cells of a row, at most one for each column of the header.
#[derive(Debug)]
pub struct Record<'a> {
    cells: Vec<Cell<'a>>,
    /// Whether it is a row of a workbook that the person does not see.
    pub is_hidden: bool,
}

impl Record<'_> {
    /// The cell of a column; an empty one where the row ends before it.
    pub fn cell(&self, column: usize) -> &Cell<'_> {
        self.cells.get(column).unwrap_or_else(|| Cell::missing())
    }
}

impl TableFile {
    /// The header: the first line with a text, after those that the form skips and `sep=;`.
    ///
    /// # Errors
    /// The line and the fault of a header that cannot be read; `None` where there is no line with a
    /// text.
    pub fn header(&self, form: &TableForm) -> Result<Header, Option<(u64, RowFault)>> {
        let is_separator = |row: &Row<'_>| {
            let first = row.cells.as_ref().ok().filter(|_| row.number == 1 && !self.is_workbook());
            first.and_then(|cells| cells.first()).is_some_and(|cell| is_separator_cell(cell))
        };
        let mut rows =
            self.rows().filter(|row| row.number > form.skipped_lines && !is_separator(row));
        let header = rows.find_map(|row| match row.cells {
            Err(fault) => Some(Err(Some((row.number, fault)))),
            Ok(cells) if cells.iter().all(Cell::is_empty) => None,
            Ok(cells) => Some(Ok(Header::new(row.number, &cells))),
        });
        header.unwrap_or(Err(None))
    }

    /// Every line from the first to the last.
    pub fn lines<'a>(&'a self, header: &'a Header, form: &'a TableForm) -> Lines<'a> {
        Lines {
            rows: self.rows().peekable(),
            header,
            form,
            is_text: !self.is_workbook(),
            lacks_last_line_break: self.lacks_last_line_break(),
            footer: None,
        }
    }
}

/// Whether a cell is the first one of a line such as `sep=;`, whose delimiter has cut it.
fn is_separator_cell(cell: &Cell<'_>) -> bool {
    let text = cell.as_written();
    text.eq_ignore_ascii_case("sep=") || delimited::separator_line(text).is_some()
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let row = self.rows.next()?;
        let number = row.number;
        Some(Line { number, content: self.content(row) })
    }
}

impl<'a> Lines<'a> {
    fn content(&mut self, row: Row<'a>) -> LineContent<'a> {
        let is_empty = row.cells.as_ref().is_ok_and(|cells| cells.iter().all(Cell::is_empty));
        match row.cells {
            _ if is_empty => LineContent::LeftOut(LeftOut::Empty),
            _ if row.number < self.header.line => LineContent::LeftOut(LeftOut::BeforeHeader),
            _ if row.number == self.header.line => LineContent::LeftOut(LeftOut::Header),
            Err(fault) => LineContent::Refused(fault),
            Ok(cells) if self.is_footer(&cells) => {
                self.footer.get_or_insert(row.number);
                LineContent::LeftOut(LeftOut::Footer)
            }
            Ok(cells) => match self.check_shape(&cells) {
                Ok(()) => LineContent::Record(Record { cells, is_hidden: row.is_hidden }),
                Err(fault) => LineContent::Refused(fault),
            },
        }
    }

    fn is_footer(&self, cells: &[Cell<'_>]) -> bool {
        let Some(first) = cells.iter().find(|cell| !cell.is_empty()) else { return false };
        let begins_with = |start: &String| {
            first
                .as_written()
                .get(..start.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(start))
        };
        self.form.footers.iter().any(begins_with)
    }

    fn check_shape(&mut self, cells: &[Cell<'_>]) -> Result<(), RowFault> {
        if let Some(footer) = self.footer {
            return Err(RowFault::AfterFooter { footer });
        }
        let names = &self.header.names;
        let texts = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
        for (column, _) in texts {
            match names.get(column) {
                None => {
                    return Err(RowFault::BeyondHeader { column: column + 1, header: names.len() });
                }
                Some(name) if name.is_empty() => {
                    return Err(RowFault::UnnamedColumn { column: column + 1 });
                }
                Some(_) => {}
            }
        }
        let may_be_cut_off = self.form.refuses_short_lines
            || self.lacks_last_line_break && self.rows.peek().is_none();
        if self.is_text && may_be_cut_off && cells.len() < names.len() {
            return Err(RowFault::TooFewCells { cells: cells.len(), header: names.len() });
        }
        Ok(())
    }
}
