//! The queries of both engines on a connection of SQLite.

use super::record::position;
use crate::{
    columns::Columns,
    sql::{Absent, MissingRow, Parameters, RowLock, Sql, TableLock, Value},
};
use futures_util::FutureExt;
use rusqlite::{
    CachedStatement, Connection, Error, Result,
    types::{FromSqlError, ToSqlOutput, Value as Stored, ValueRef},
};
use std::{cell::Cell, future::ready as finished, sync::Arc};

/// The result of queries on a [`Connection`], which are complete when they are first polled.
pub fn ready<T, E: From<Error>>(
    queries: impl Future<Output = std::result::Result<T, E>>,
) -> std::result::Result<T, E> {
    // Nothing of them waits for anything else.
    queries.now_or_never().unwrap_or_else(|| Err(Error::InvalidQuery.into()))
}

/// A row apart from its statement, whose columns are read by name.
#[derive(Debug)]
pub struct SqliteRow {
    columns: Arc<[String]>,
    values: Vec<Stored>,
    next: Cell<usize>,
}

impl SqliteRow {
    fn value<'a, T>(
        &'a self,
        column: &'static str,
        read: impl FnOnce(&ValueRef<'a>) -> std::result::Result<T, FromSqlError>,
    ) -> Result<T> {
        let place = position(self.columns.len(), &self.next, |place| self.columns[place] == column)
            .ok_or_else(|| Error::InvalidColumnName(column.to_owned()))?;
        Ok(read(&ValueRef::from(&self.values[place]))?)
    }
}

impl Columns for SqliteRow {
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

impl From<MissingRow> for Error {
    fn from(_: MissingRow) -> Self {
        Self::QueryReturnedNoRows
    }
}

impl Sql for Connection {
    type Error = Error;
    type Row = SqliteRow;

    fn index_hint(index: &str) -> String {
        format!(" INDEXED BY {index}")
    }

    fn digits_only() -> (&'static str, &'static str) {
        ("tua_digits(", ")")
    }

    fn delete_chosen(table: &str, key: &str, chosen: &str) -> String {
        format!("DELETE FROM {table} WHERE {key} IN ({chosen})")
    }

    fn query(
        &self,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> impl Future<Output = Result<Vec<SqliteRow>>> + Send {
        finished(rows(self, sql, parameters))
    }

    fn query_locked(
        &self,
        sql: &str,
        _: RowLock,
        parameters: Parameters<'_>,
    ) -> impl Future<Output = Result<Vec<SqliteRow>>> + Send {
        finished(rows(self, sql, parameters))
    }

    fn execute(
        &self,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> impl Future<Output = Result<u64>> + Send {
        finished(execute(self, sql, parameters))
    }

    fn allow_long_statements(&self) -> impl Future<Output = Result<()>> + Send {
        finished(Ok(()))
    }

    fn lock_absent(&self, _: &Absent<'_>) -> impl Future<Output = Result<()>> + Send {
        finished(Ok(()))
    }

    fn lock_table(&self, _: TableLock) -> impl Future<Output = Result<()>> + Send {
        finished(Ok(()))
    }
}

fn rows(db: &Connection, sql: &str, parameters: Parameters<'_>) -> Result<Vec<SqliteRow>> {
    let mut statement = prepare(db, sql, parameters)?;
    let columns: Arc<[String]> = statement.column_names().into_iter().map(str::to_owned).collect();
    let mut rows = statement.raw_query();
    let mut read = Vec::new();
    while let Some(row) = rows.next()? {
        let values = (0..columns.len()).map(|place| row.get(place)).collect::<Result<_>>()?;
        read.push(SqliteRow { columns: Arc::clone(&columns), values, next: Cell::new(0) });
    }
    Ok(read)
}

fn execute(db: &Connection, sql: &str, parameters: Parameters<'_>) -> Result<u64> {
    let written = prepare(db, sql, parameters)?.raw_execute()?;
    Ok(u64::try_from(written).unwrap_or(u64::MAX))
}

/// Binds by name: `$2` is the first parameter for SQLite where `$1` comes after it.
fn prepare<'db>(
    db: &'db Connection,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<CachedStatement<'db>> {
    let mut statement = db.prepare_cached(sql)?;
    let named = statement.parameter_count();
    if named != parameters.len() {
        return Err(Error::InvalidParameterCount(parameters.len(), named));
    }
    for (number, parameter) in (1..).zip(parameters) {
        let name = format!("${number}");
        let place = statement.parameter_index(&name)?.ok_or(Error::InvalidParameterName(name))?;
        let value = match parameter.value() {
            Value::Null => ValueRef::Null,
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Integer(integer) => ValueRef::Integer(integer),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        };
        statement.raw_bind_parameter(place, ToSqlOutput::Borrowed(value))?;
    }
    Ok(statement)
}

#[cfg(test)]
mod tests;
