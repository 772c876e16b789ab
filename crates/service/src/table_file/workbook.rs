//! Workbooks of Office Open XML (`.xlsx`): the rows of one sheet.

use super::{Cell, Row, TableFault, archive};
use calamine::{DataRef, ExcelDateTime, Reader, SheetType, Xlsx};
use jiff::{Unit, civil::DateTime};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, btree_map},
    fmt::Write,
    io::Cursor,
};

/// The columns that a table may have. A cell far to the right would need all those before it.
pub(super) const MAX_COLUMNS: usize = 256;

/// The bytes of all texts of a sheet. A text that many cells share is in the file once.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// The rows with a text of a sheet.
#[derive(Debug)]
pub(super) struct Sheet {
    /// The cells by the number of the row, from 1.
    rows: BTreeMap<u64, Vec<Cell<'static>>>,
    hidden: BTreeSet<u64>,
}

/// Every row from the first one to the last one with a text.
#[derive(Debug)]
pub(crate) struct SheetRows<'a> {
    rows: std::iter::Peekable<btree_map::Iter<'a, u64, Vec<Cell<'static>>>>,
    hidden: &'a BTreeSet<u64>,
    number: u64,
}

/// Whether a file begins as an archive does. A file of text could not.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Reads the sheet with this name, or the only one with rows.
///
/// # Errors
/// [`TableFault`].
pub(super) fn read(bytes: &[u8], wanted: Option<&str>) -> Result<Sheet, TableFault> {
    let hidden = archive::hidden_rows(bytes)?;
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|_| TableFault::NotAWorkbook)?;
    let sheets = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let names: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    if let Some(wanted) = wanted {
        let is_wanted = |name: &&String| name.trim().eq_ignore_ascii_case(wanted.trim());
        let name = names.iter().find(is_wanted).ok_or_else(|| TableFault::NoSheet(wanted.to_owned(), names.clone()))?;
        let rows = read_rows(&mut workbook, name)?;
        return if rows.is_empty() { Err(TableFault::Empty) } else { Ok(Sheet { rows, hidden }) };
    }
    let mut found = Vec::new();
    for name in names {
        let rows = read_rows(&mut workbook, &name)?;
        found.extend((!rows.is_empty()).then_some((name, rows)));
    }
    let names = found.iter().map(|(name, _)| name.clone()).collect();
    match (found.pop(), found.is_empty()) {
        (None, _) => Err(TableFault::Empty),
        (Some((_, rows)), true) => Ok(Sheet { rows, hidden }),
        (Some(_), false) => Err(TableFault::SeveralSheets(names)),
    }
}

fn read_rows(workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<BTreeMap<u64, Vec<Cell<'static>>>, TableFault> {
    let damaged = |_| TableFault::NotAWorkbook;
    let mut cells = workbook.worksheet_cells_reader(name).map_err(damaged)?;
    let mut rows: BTreeMap<u64, Vec<Cell<'static>>> = BTreeMap::new();
    let mut text_bytes = 0;
    while let Some(found) = cells.next_cell_with_formula_metadata().map_err(damaged)? {
        let has_no_value = matches!(found.value, DataRef::Empty) && found.formula.is_some();
        let cell = if has_no_value { Cell::formula() } else { read_cell(&found.value) };
        if cell.is_empty() {
            continue;
        }
        let (row, column) = found.pos;
        let number = u64::from(row) + 1;
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        if column >= MAX_COLUMNS {
            return Err(TableFault::TooManyColumns(number));
        }
        text_bytes += cell.as_written().len() + size_of::<Cell<'_>>();
        let cells = rows.entry(number).or_default();
        if cells.len() <= column {
            text_bytes += (column - cells.len()) * size_of::<Cell<'_>>();
            cells.resize(column + 1, Cell::missing().clone());
        }
        if text_bytes > MAX_TEXT_BYTES {
            return Err(TableFault::TooLarge);
        }
        // A cell that is there twice has two values.
        if !cells[column].is_empty() {
            return Err(TableFault::NotAWorkbook);
        }
        cells[column] = cell;
    }
    Ok(rows)
}

fn read_cell(value: &DataRef<'_>) -> Cell<'static> {
    let text = |text: &str| Cell::text(Cow::Owned(text.to_owned()));
    match value {
        DataRef::Empty => Cell::missing().clone(),
        DataRef::String(value) => text(value),
        DataRef::SharedString(value) => text(value),
        DataRef::Int(value) => Cell::number(value.to_string()),
        DataRef::Float(value) => decimal(*value).map_or_else(|| Cell::error("#NUM!".to_owned()), Cell::number),
        DataRef::Bool(value) => text(if *value { "TRUE" } else { "FALSE" }),
        DataRef::DateTime(value) => text(&date_and_time(value)),
        DataRef::DateTimeIso(value) | DataRef::DurationIso(value) => text(value),
        DataRef::Error(error) => Cell::error(error.to_string()),
    }
}

/// A number as a decimal text with the 15 digits that spreadsheet programs show: those behind are errors of their
/// arithmetic. `None` for what is no number.
fn decimal(value: f64) -> Option<String> {
    // More zeros than any number of a table has.
    const MAX_EXPONENT: i32 = 20;
    if !value.is_finite() {
        return None;
    }
    let written = format!("{value:.14e}");
    let (mantissa, exponent) = written.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    if exponent.abs() > MAX_EXPONENT {
        return Some(written);
    }
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |mantissa| ("-", mantissa));
    let digits = mantissa.replace('.', "");
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let length = i32::try_from(digits.len()).ok()?;
    let padded = format!("{}{digits}{}", zeros(-exponent), zeros(exponent + 1 - length));
    let (whole, decimals) = padded.split_at(usize::try_from(exponent.max(0) + 1).ok()?);
    let decimals = decimals.trim_end_matches('0');
    Some(if decimals.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") })
}

/// `2026-01-31 10:00:00`, to the second: a sheet keeps times as parts of a day, which are not exact.
fn date_and_time(value: &ExcelDateTime) -> String {
    if value.is_duration() {
        return format!("a duration of {} days", value.as_f64());
    }
    let (year, month, day, hour, minute, second, milli) = value.to_ymd_hms_milli();
    let small = |number: u8| i8::try_from(number).unwrap_or(i8::MAX);
    let time = DateTime::new(
        i16::try_from(year).unwrap_or(i16::MAX),
        small(month),
        small(day),
        small(hour),
        small(minute),
        small(second),
        i32::from(milli) * 1_000_000,
    );
    let rounded = time.and_then(|time| time.round(Unit::Second));
    rounded.map_or_else(|_| "#NUM!".to_owned(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

impl Sheet {
    pub(super) fn rows(&self) -> SheetRows<'_> {
        SheetRows { rows: self.rows.iter().peekable(), hidden: &self.hidden, number: 0 }
    }

    /// The sheet as CSV. Its lines are the rows of the sheet.
    pub(super) fn to_csv(&self) -> String {
        let mut text = String::new();
        for row in self.rows() {
            let fields = row.cells.unwrap_or_default().iter().map(Cell::to_field).collect::<Vec<_>>();
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{}", fields.join(","));
        }
        text
    }
}

impl<'a> Iterator for SheetRows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        let (next, _) = self.rows.peek()?;
        self.number += 1;
        let cells = if **next == self.number { self.rows.next().map(|(_, cells)| &cells[..]) } else { None };
        let cells = cells.unwrap_or_default().to_vec();
        Some(Row { number: self.number, cells: Ok(cells), is_hidden: self.hidden.contains(&self.number) })
    }
}
