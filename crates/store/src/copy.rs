//! Moves a shop from a file to a server, whole or not at all.
//!
//! Both engines keep the same columns, so that rows are copied as they are. What was written is
//! read back and compared: the number of rows of each table, and a digest of every column of every
//! row.

use crate::{
    copied_rows::{Cell, Column, Content, Kind, TABLES, select},
    postgres::{PostgresStore, copy::Target},
};
use rusqlite::{Connection, OpenFlags, types::ValueRef};
use std::path::Path;
use tokio::sync::mpsc::{Sender, channel};
use tua_system::files::whole;

/// How many rows are read ahead of those that are written.
const AHEAD: usize = 1_000;

/// Copies a database file that nobody serves into an empty database. Returns what was copied.
///
/// # Errors
/// One line; then nothing was copied, unless it says that the copy is complete.
pub async fn copy(from: &Path, to: &PostgresStore) -> Result<Vec<Content>, String> {
    let with_context =
        |error: &dyn std::fmt::Display| format!("database {}: {error}", whole(from).display());
    let target = Target::begin(to).await?;
    let mut contents = Vec::new();
    for table in TABLES {
        let columns = columns(from, table).map_err(|error| with_context(&error))?;
        let (rows, mut read) = channel(AHEAD);
        let reading = tokio::task::spawn_blocking({
            let from = from.to_owned();
            let columns = columns.clone();
            move || send(&from, table, &columns, &rows)
        });
        let written = target.write(table, &columns, &mut read).await;
        let sent = reading
            .await
            .map_err(|error| with_context(&error))?
            .map_err(|error| with_context(&error))?;
        written?;
        let found = target.read(table, &columns).await?;
        if sent != found {
            return Err(format!(
                "table {table} was not copied as it is: {} rows of {}",
                found.rows, sent.rows
            ));
        }
        contents.push(sent);
    }
    target.commit().await?;
    Ok(contents)
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
}

fn columns(from: &Path, table: &str) -> rusqlite::Result<Vec<Column>> {
    let db = connect(from)?;
    let mut statement = db.prepare("SELECT name, type FROM pragma_table_info(?1)")?;
    let columns = statement.query_map([table], |row| {
        let kind: String = row.get(1)?;
        let kind = match kind.as_str() {
            "INTEGER" => Kind::Integer,
            "BLOB" => Kind::Bytes,
            _ => Kind::Text,
        };
        Ok(Column { name: row.get(0)?, kind })
    })?;
    columns.collect()
}

/// Sends all rows of a table, and returns what they were; fewer if the receiver is closed.
fn send(
    from: &Path,
    table: &'static str,
    columns: &[Column],
    rows: &Sender<Vec<Cell>>,
) -> rusqlite::Result<Content> {
    let db = connect(from)?;
    let mut statement = db.prepare(&select(table, columns))?;
    let mut found = statement.query([])?;
    let mut content = Content::new(table);
    while let Some(row) = found.next()? {
        let cell = |(index, column): (usize, &Column)| {
            let value = row.get_ref(index)?;
            Ok(match column.kind {
                Kind::Text => Cell::Text(value.as_str_or_null()?.map(str::to_owned)),
                Kind::Integer => Cell::Integer(ValueRef::as_i64_or_null(&value)?),
                Kind::Bytes => Cell::Bytes(value.as_blob_or_null()?.map(<[u8]>::to_vec)),
            })
        };
        let row = columns.iter().enumerate().map(cell).collect::<rusqlite::Result<Vec<Cell>>>()?;
        content.add(&row);
        if rows.blocking_send(row).is_err() {
            break;
        }
    }
    Ok(content)
}
