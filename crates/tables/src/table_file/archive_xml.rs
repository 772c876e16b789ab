//! The XML of a workbook, before calamine reads it. Calamine believes what a file says: it reserves
//! memory for the number of texts that is declared, computes with row numbers without a bound, and
//! copies a font into each style. A file from outside may say anything, so its declarations are
//! bounded here.

use super::{
    TableFault,
    limits::{MAX_COLUMN, MAX_ROW},
};
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use std::{collections::BTreeSet, io::BufRead};

/// The maximum number of elements of each name in a workbook: calamine allocates memory for each.
const MAX_ELEMENTS: [(&str, u32); 8] = [
    ("si", 2_000_000),
    ("xf", 70_000),
    ("font", 70_000),
    ("fill", 70_000),
    ("border", 70_000),
    ("numFmt", 70_000),
    ("sheet", 1_000),
    ("Relationship", 200_000),
];

/// The bytes of the attributes of an element that is copied into each style.
const MAX_STYLE_BYTES: usize = 1_024;

/// How many elements of each of these names a workbook has.
#[derive(Default)]
pub(super) struct ElementCounts([u32; MAX_ELEMENTS.len()]);

/// The rows of a sheet.
#[derive(Default)]
struct SheetRows {
    /// The number of the row that was read last; 0 before the first one.
    last: u64,
    /// Whether its end was not read yet.
    is_open: bool,
    hidden: BTreeSet<u64>,
}

/// Checks a file, and returns the numbers of its hidden rows. What is no XML, such as a picture,
/// has none; where a sheet cannot be read, calamine says so.
///
/// # Errors
/// [`TableFault::NotAWorkbook`], [`TableFault::TooLarge`], [`TableFault::BeyondSheet`].
pub(super) fn hidden_rows(
    file: impl BufRead,
    counts: &mut ElementCounts,
) -> Result<BTreeSet<u64>, TableFault> {
    let mut xml = reader(file);
    let mut buffer = Vec::new();
    let mut rows = SheetRows::default();
    loop {
        buffer.clear();
        match xml.read_event_into(&mut buffer) {
            Ok(Event::Start(element)) => check(&element, &mut rows, counts)?,
            Ok(Event::End(element)) if element.local_name().as_ref() == "row" => rows.end()?,
            Ok(Event::Eof) | Err(_) => return Ok(rows.hidden),
            Ok(_) => {}
        }
    }
}

/// A reader with the settings of calamine's, so that both find the same elements.
pub(super) fn reader<R: BufRead>(file: R) -> Reader<R> {
    let mut reader = Reader::from_reader(file);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.check_comments = false;
    config.expand_empty_elements = true;
    config.trim_text(false);
    reader
}

fn check(
    element: &BytesStart<'_>,
    rows: &mut SheetRows,
    counts: &mut ElementCounts,
) -> Result<(), TableFault> {
    match element.local_name().as_ref() {
        "row" => rows.add(element),
        // A cell that names another row than its own would not be hidden with it.
        "c" => match attribute(element, "r")? {
            Some(cell) if row_of(&cell)? != rows.last && rows.last > 0 => {
                Err(TableFault::NotAWorkbook)
            }
            _ => Ok(()),
        },
        "dimension" | "f" => check_range(&attribute(element, "ref")?.unwrap_or_default()),
        "sst" => match attribute(element, "uniqueCount")? {
            Some(count) if !count.parse().is_ok_and(|count: u32| count <= MAX_ELEMENTS[0].1) => {
                Err(TableFault::TooLarge)
            }
            _ => Ok(()),
        },
        "name" if element.attributes_raw().len() > MAX_STYLE_BYTES => Err(TableFault::TooLarge),
        "numFmt" if element.attributes_raw().len() > MAX_STYLE_BYTES => Err(TableFault::TooLarge),
        name => counts.add(name),
    }
}

impl ElementCounts {
    fn add(&mut self, name: &str) -> Result<(), TableFault> {
        let Some(index) = MAX_ELEMENTS.iter().position(|(counted, _)| *counted == name) else {
            return Ok(());
        };
        self.0[index] += 1;
        if self.0[index] > MAX_ELEMENTS[index].1 { Err(TableFault::TooLarge) } else { Ok(()) }
    }
}

impl SheetRows {
    fn add(&mut self, row: &BytesStart<'_>) -> Result<(), TableFault> {
        if std::mem::replace(&mut self.is_open, true) {
            return Err(TableFault::NotAWorkbook);
        }
        self.last = match attribute(row, "r")? {
            Some(number) => row_of(&number)?,
            None => self.last + 1,
        };
        if self.last > MAX_ROW {
            return Err(TableFault::BeyondSheet);
        }
        let is_zero = |height: String| {
            !height.is_empty() && height.chars().all(|one| matches!(one, '0' | '.'))
        };
        let is_hidden =
            attribute(row, "hidden")?.is_some_and(|hidden| matches!(hidden.trim(), "1" | "true"));
        if is_hidden || attribute(row, "ht")?.is_some_and(is_zero) {
            self.hidden.insert(self.last);
        }
        Ok(())
    }

    /// Calamine counts the ends of rows, whatever has begun.
    fn end(&mut self) -> Result<(), TableFault> {
        let was_open = std::mem::replace(&mut self.is_open, false);
        if was_open { Ok(()) } else { Err(TableFault::NotAWorkbook) }
    }
}

/// An attribute of an element, which may have it once.
pub(super) fn attribute(
    element: &BytesStart<'_>,
    name: &str,
) -> Result<Option<String>, TableFault> {
    let mut found = None;
    for one in element.attributes() {
        let one = one.map_err(|_| TableFault::NotAWorkbook)?;
        if one.key.as_ref() == name {
            let value = one
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|_| TableFault::NotAWorkbook)?;
            found = Some(value.into_owned());
        }
    }
    Ok(found)
}

/// The row of a cell such as `B12`, or of a row such as `12`, from 1.
fn row_of(reference: &str) -> Result<u64, TableFault> {
    position(reference).map(|(row, _)| row)
}

/// The row and the column of a cell, from 1. The column is 0 where there is none.
fn position(reference: &str) -> Result<(u64, u64), TableFault> {
    let letters = reference.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (column, row) = reference.split_at(letters);
    let worth = |letter: u8| u64::from(letter.to_ascii_uppercase() - b'A') + 1;
    let column = column
        .bytes()
        .fold(0_u64, |column, letter| column.saturating_mul(26).saturating_add(worth(letter)));
    if row.is_empty() || !row.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(TableFault::NotAWorkbook);
    }
    match row.parse() {
        Ok(0) => Err(TableFault::NotAWorkbook),
        Ok(row) if row <= MAX_ROW && column <= MAX_COLUMN => Ok((row, column)),
        // More digits than a number has are beyond the sheet too.
        Ok(_) | Err(_) => Err(TableFault::BeyondSheet),
    }
}

/// A range such as `A1:C7`, whose end is not before its beginning.
fn check_range(range: &str) -> Result<(), TableFault> {
    if range.is_empty() {
        return Ok(());
    }
    let corners: Vec<(u64, u64)> = range.split(':').map(position).collect::<Result<_, _>>()?;
    let is_ordered = corners.windows(2).all(|two| two[0].0 <= two[1].0 && two[0].1 <= two[1].1);
    if is_ordered { Ok(()) } else { Err(TableFault::NotAWorkbook) }
}
