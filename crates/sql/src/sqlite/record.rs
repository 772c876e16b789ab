//! Reads columns of SQLite rows.

use crate::columns::{Columns, Unreadable};
use rusqlite::{
    Error, Result, Row,
    types::{FromSqlError, Type, ValueRef},
};
use std::{cell::Cell, fmt};

/// A row whose columns are read by name.
pub struct Record<'a> {
    row: &'a Row<'a>,
    next: Cell<usize>,
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").finish_non_exhaustive()
    }
}

impl<'a> Record<'a> {
    /// Reads a row, from its first column on.
    pub fn new(row: &'a Row<'a>) -> Self {
        Self { row, next: Cell::new(0) }
    }

    fn value<T>(
        &self,
        column: &'static str,
        read: impl FnOnce(&ValueRef<'a>) -> std::result::Result<T, FromSqlError>,
    ) -> Result<T> {
        let statement = self.row.as_ref();
        let index = position(statement.column_count(), &self.next, |index| {
            statement.column_name(index).is_ok_and(|name| name == column)
        });
        let index = index.ok_or_else(|| Error::InvalidColumnName(column.to_owned()))?;
        Ok(read(&self.row.get_ref(index)?)?)
    }
}

/// The place of a column whose name is looked for. Columns are usually read in their order, so the
/// search starts after the last one that was read; from the first one it would compare each name
/// with half of the columns.
pub(super) fn position(
    count: usize,
    next: &Cell<usize>,
    is_wanted: impl Fn(usize) -> bool,
) -> Option<usize> {
    let place = (next.get()..count).chain(0..next.get()).find(|&place| is_wanted(place))?;
    next.set(place + 1);
    Some(place)
}

impl From<Unreadable> for Error {
    fn from(unreadable: Unreadable) -> Self {
        Self::FromSqlConversionFailure(0, Type::Text, Box::new(unreadable))
    }
}

impl Columns for Record<'_> {
    type Error = Error;

    fn maybe_text(&self, column: &'static str) -> Result<Option<&str>> {
        self.value(column, ValueRef::as_str_or_null)
    }

    fn maybe_integer(&self, column: &'static str) -> Result<Option<i64>> {
        self.value(column, ValueRef::as_i64_or_null)
    }

    fn maybe_bytes(&self, column: &'static str) -> Result<Option<&[u8]>> {
        self.value(column, ValueRef::as_blob_or_null)
    }
}
