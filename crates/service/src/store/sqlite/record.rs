//! SQLite's rows.

use crate::store::columns::{Columns, Unreadable};
use rusqlite::{
    Error, Result, Row,
    types::{FromSqlError, Type, ValueRef},
};

impl From<Unreadable> for Error {
    fn from(unreadable: Unreadable) -> Self {
        Self::FromSqlConversionFailure(0, Type::Text, Box::new(unreadable))
    }
}

impl Columns for Row<'_> {
    type Error = Error;

    fn maybe_text(&self, column: &'static str) -> Result<Option<&str>> {
        value(self, column, ValueRef::as_str_or_null)
    }

    fn maybe_integer(&self, column: &'static str) -> Result<Option<i64>> {
        value(self, column, ValueRef::as_i64_or_null)
    }

    fn maybe_bytes(&self, column: &'static str) -> Result<Option<&[u8]>> {
        value(self, column, ValueRef::as_blob_or_null)
    }
}

fn value<'a, T>(
    row: &'a Row<'_>,
    column: &'static str,
    read: impl FnOnce(&ValueRef<'a>) -> std::result::Result<T, FromSqlError>,
) -> Result<T> {
    Ok(read(&row.get_ref(column)?)?)
}
