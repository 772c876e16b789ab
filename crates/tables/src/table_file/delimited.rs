//! CSV (RFC 4180), one row a line. A cell with a line break is refused: a quotation mark that was
//! forgotten would take the lines after it into its cell, and nobody would see that they are
//! missing.

use super::{Cell, Row, RowFault, TableForm};
use std::borrow::Cow;
use tua_contract::typed_text::is_invisible;

/// A decoded file of text.
#[derive(Debug)]
pub(super) struct DelimitedText {
    text: String,
    delimiter: char,
}

/// The rows of a text.
#[derive(Debug)]
pub struct TextRows<'a> {
    lines: PhysicalLines<'a>,
    delimiter: char,
    number: u64,
}

/// The lines of a text. Each ends with LF, CR or CRLF; the last one may end with the text.
#[derive(Clone, Debug)]
struct PhysicalLines<'a>(&'a str);

impl DelimitedText {
    pub(super) fn new(text: String, form: &TableForm) -> Self {
        let first = PhysicalLines(&text).next().unwrap_or_default();
        let delimiter = separator_line(first).or(form.delimiter).unwrap_or_else(|| {
            let skipped = usize::try_from(form.skipped_lines).unwrap_or(usize::MAX);
            let header = PhysicalLines(&text).skip(skipped).find(|line| !is_blank(line));
            most_frequent_delimiter(header.unwrap_or_default())
        });
        Self { text, delimiter }
    }

    pub(super) const fn has_semicolons(&self) -> bool {
        self.delimiter == ';'
    }

    pub(super) fn lacks_last_line_break(&self) -> bool {
        !self.text.ends_with(['\r', '\n'])
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn rows(&self) -> TextRows<'_> {
        TextRows { lines: PhysicalLines(&self.text), delimiter: self.delimiter, number: 0 }
    }
}

impl<'a> Iterator for TextRows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        let line = self.lines.next()?;
        self.number += 1;
        let cells = split(line, self.delimiter);
        Some(Row { number: self.number, cells, is_hidden: false })
    }
}

impl<'a> Iterator for PhysicalLines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let end = self.0.find(['\r', '\n']).unwrap_or(self.0.len());
        let (line, rest) = self.0.split_at(end);
        self.0 = rest
            .strip_prefix("\r\n")
            .or_else(|| rest.strip_prefix(['\r', '\n']))
            .unwrap_or_default();
        Some(line)
    }
}

/// The delimiter of a line such as `sep=;`, with which a file tells Excel its delimiter.
pub(super) fn separator_line(line: &str) -> Option<char> {
    let line = line.trim_matches(|one: char| is_invisible(one) || one == '"' || one == ' ');
    let (name, delimiter) = line.split_at_checked(4)?;
    let mut delimiter = delimiter.chars();
    let first = delimiter.next().filter(|_| name.eq_ignore_ascii_case("sep="))?;
    delimiter.as_str().trim_matches([',', ';', '|', '\t', ' ']).is_empty().then_some(first)
}

fn is_blank(line: &str) -> bool {
    line.chars()
        .all(|one| one.is_whitespace() || is_invisible(one) || matches!(one, ',' | ';' | '|' | '"'))
}

/// The delimiter that the header has most often, outside quotation marks.
fn most_frequent_delimiter(header: &str) -> char {
    let unquoted = || header.split('"').step_by(2).flat_map(str::chars);
    let count = |delimiter: &char| unquoted().filter(|one| one == delimiter).count();
    // Of equal counts `max_by_key` takes the last one.
    ['|', '\t', ';', ','].into_iter().max_by_key(count).unwrap_or(',')
}

/// The cells of a line.
fn split(line: &str, delimiter: char) -> Result<Vec<Cell<'_>>, RowFault> {
    let mut cells = Vec::new();
    let mut rest = Some(line);
    while let Some(text) = rest {
        let (field, after) = next_field(text, delimiter, cells.len() + 1)?;
        cells.push(Cell::of_text(field));
        rest = after;
    }
    Ok(cells)
}

/// The first field of a line, and what follows its delimiter.
fn next_field(
    text: &str,
    delimiter: char,
    column: usize,
) -> Result<(Cow<'_, str>, Option<&str>), RowFault> {
    let is_space = |one: char| one != delimiter && (one.is_whitespace() || is_invisible(one));
    let Some(quoted) = text.trim_start_matches(is_space).strip_prefix('"') else {
        let (field, after) =
            text.split_once(delimiter).map_or((text, None), |(field, after)| (field, Some(after)));
        return Ok((Cow::Borrowed(field), after));
    };
    let (field, after) = quoted_field(quoted).ok_or(RowFault::UnclosedQuote { column })?;
    let after = after.trim_start_matches(is_space);
    match (after.is_empty(), after.strip_prefix(delimiter)) {
        (true, _) => Ok((field, None)),
        (false, Some(after)) => Ok((field, Some(after))),
        (false, None) => Err(RowFault::TextAfterQuote { column }),
    }
}

/// What is before the closing quotation mark, and what is behind it; `None` where there is none. A
/// quotation mark inside is written twice.
fn quoted_field(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut field = Cow::Borrowed("");
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"')?;
        match after.strip_prefix('"') {
            Some(after) => {
                field += before;
                field += "\"";
                rest = after;
            }
            None if field.is_empty() => return Some((Cow::Borrowed(before), after)),
            None => {
                field += before;
                return Some((field, after));
            }
        }
    }
}
