//! Workbooks of Office Open XML (`.xlsx`): the rows of one sheet.

use super::{
    Cell, Row, TableFault,
    archive::Archive,
    decimal::decimal,
    limits::{MAX_COLUMNS, MAX_ROW},
    sheet_paths::sheet_paths,
};
use calamine::{DataRef, ExcelDateTime, Reader, SheetType, Xlsx};
use jiff::{Unit, civil::DateTime};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map},
    fmt::Write,
    io::Cursor,
};

/// The bytes of all cells that are read of a workbook, of all sheets together. A text that many
/// cells share is in the file once.
pub(super) const MAX_CELL_BYTES: usize = 128 << 20;

/// What a row needs besides its cells.
const ROW_BYTES: usize = 192;

/// The rows by their numbers, from 1. Each has at least one text.
type SheetCells = BTreeMap<u64, Vec<Cell<'static>>>;

/// The rows with a text of a sheet.
#[derive(Debug)]
pub(super) struct Sheet {
    name: String,
    rows: SheetCells,
    hidden: BTreeSet<u64>,
}

/// Every row from the first one to the last one with a text.
#[derive(Debug)]
pub struct SheetRows<'a> {
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
    let mut archive = Archive::check(bytes)?;
    let paths = sheet_paths(&mut archive)?;
    let xlsx = Xlsx::new(Cursor::new(bytes)).map_err(|_| TableFault::NotAWorkbook)?;
    let mut workbook = Workbook { xlsx, free_bytes: MAX_CELL_BYTES };
    let sheets =
        workbook.xlsx.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let names: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    let (name, rows) = match wanted {
        Some(wanted) => workbook.wanted(wanted, names)?,
        None => workbook.only(names)?,
    };
    let path = paths.get(&name).ok_or(TableFault::NotAWorkbook)?;
    Ok(Sheet { hidden: archive.hidden_rows(path), name, rows })
}

/// A workbook whose archive was checked.
struct Workbook<'a> {
    xlsx: Xlsx<Cursor<&'a [u8]>>,
    /// How many bytes its cells may still need.
    free_bytes: usize,
}

impl Workbook<'_> {
    /// The sheet with this name, whatever its case.
    fn wanted(
        &mut self,
        wanted: &str,
        names: Vec<String>,
    ) -> Result<(String, SheetCells), TableFault> {
        let is_wanted = |name: &&String| name.trim().eq_ignore_ascii_case(wanted.trim());
        let Some(name) = names.iter().find(is_wanted).cloned() else {
            return Err(TableFault::NoSheet(wanted.to_owned(), names));
        };
        let rows = self.rows(&name)?;
        if rows.is_empty() { Err(TableFault::Empty) } else { Ok((name, rows)) }
    }

    /// The only sheet with rows.
    fn only(&mut self, names: Vec<String>) -> Result<(String, SheetCells), TableFault> {
        let mut found = Vec::new();
        for name in names {
            let rows = self.rows(&name)?;
            found.extend((!rows.is_empty()).then_some((name, rows)));
        }
        if found.len() > 1 {
            return Err(TableFault::SeveralSheets(
                found.into_iter().map(|(name, _)| name).collect(),
            ));
        }
        found.pop().ok_or(TableFault::Empty)
    }

    fn rows(&mut self, name: &str) -> Result<SheetCells, TableFault> {
        let damaged = |_| TableFault::NotAWorkbook;
        let mut cells = self.xlsx.worksheet_cells_reader(name).map_err(damaged)?;
        let mut rows = SheetCells::new();
        while let Some(found) = cells.next_cell_with_formula_metadata().map_err(damaged)? {
            let has_no_value = matches!(found.value, DataRef::Empty) && found.formula.is_some();
            let cell = if has_no_value { Cell::formula() } else { read_cell(&found.value) };
            if cell.is_empty() {
                continue;
            }
            let row = u64::from(found.pos.0) + 1;
            let column = found.pos.1 as usize;
            if row > MAX_ROW {
                return Err(TableFault::BeyondSheet);
            }
            if column >= MAX_COLUMNS {
                return Err(TableFault::TooManyColumns(row));
            }
            let needed = insert(&mut rows, (row, column), cell)?;
            self.free_bytes = self.free_bytes.checked_sub(needed).ok_or(TableFault::TooLarge)?;
        }
        Ok(rows)
    }
}

/// Adds a cell, and returns how many bytes it needs, with those before it in its row.
fn insert(
    rows: &mut SheetCells,
    (row, column): (u64, usize),
    cell: Cell<'static>,
) -> Result<usize, TableFault> {
    let row_bytes = if rows.contains_key(&row) { 0 } else { ROW_BYTES };
    let cells = rows.entry(row).or_default();
    let added = (column + 1).saturating_sub(cells.len());
    let needed = row_bytes + cell.as_written().len() + added * size_of::<Cell<'_>>();
    if added > 0 {
        cells.resize(column + 1, Cell::missing().clone());
    }
    // A cell that is there twice has two values.
    if !cells[column].is_empty() {
        return Err(TableFault::NotAWorkbook);
    }
    cells[column] = cell;
    Ok(needed)
}

fn read_cell(value: &DataRef<'_>) -> Cell<'static> {
    match value {
        DataRef::Empty => Cell::missing().clone(),
        DataRef::String(value) => Cell::of_sheet(value),
        DataRef::SharedString(value) => Cell::of_sheet(value),
        DataRef::Int(value) => Cell::number(value.to_string()),
        DataRef::Float(value) => {
            decimal(*value).map_or_else(|| Cell::error("#NUM!".to_owned()), Cell::number)
        }
        DataRef::Bool(value) => Cell::of_sheet(if *value { "TRUE" } else { "FALSE" }),
        DataRef::DateTime(value) => date_and_time(value),
        DataRef::DateTimeIso(value) => Cell::time(value.trim().to_owned()),
        DataRef::DurationIso(value) => Cell::of_sheet(value),
        DataRef::Error(error) => Cell::error(error.to_string()),
    }
}

/// A date and time to the second: a sheet keeps times as parts of a day, which are not exact.
fn date_and_time(value: &ExcelDateTime) -> Cell<'static> {
    // The days after 9999-12-31 have no date, and a duration is none.
    let is_date = value.is_datetime() && (0.0..2_958_466.0).contains(&value.as_f64());
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
    match time.and_then(|time| time.round(Unit::Second)) {
        Ok(time) if is_date => Cell::time(time.strftime("%Y-%m-%d %H:%M:%S").to_string()),
        _ => Cell::error("#NUM!".to_owned()),
    }
}

impl Sheet {
    /// Its name in the workbook.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn rows(&self) -> SheetRows<'_> {
        SheetRows { rows: self.rows.iter().peekable(), hidden: &self.hidden, number: 0 }
    }

    /// The sheet as CSV. Its lines are the rows of the sheet.
    pub(super) fn to_csv(&self) -> String {
        let mut text = String::new();
        for row in self.rows() {
            let fields =
                row.cells.unwrap_or_default().iter().map(Cell::to_field).collect::<Vec<_>>();
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
        let cells = if **next == self.number {
            self.rows.next().map(|(_, cells)| &cells[..])
        } else {
            None
        };
        let cells = cells.unwrap_or_default().to_vec();
        Some(Row {
            number: self.number,
            cells: Ok(cells),
            is_hidden: self.hidden.contains(&self.number),
        })
    }
}
