//! Inspects a database file for `tua doctor`, without changing it.

use super::{
    connection::{BUSY_TIMEOUT, check, open_file, refuse_other_programs},
    error::describe,
    migrations::MIGRATIONS,
};
use crate::inspection::{
    self, CONTENTS, Contents, Inspection, LIVE_KEYS, WEBHOOK_HEALTH, live_key, webhook_health,
};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, Result};
use std::path::Path;
use tua_sql::sqlite::record::Record;

/// Checks that the file is intact and writable, without writing to it.
///
/// # Errors
/// One line that says what is wrong with the file.
pub fn inspect(path: &Path, now: Timestamp) -> std::result::Result<Inspection, String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = || -> Result<(Connection, u32)> {
        let connection = open_file(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        let applied = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK")?;
        Ok((connection, applied))
    };
    let (connection, applied) = read().map_err(|error| describe(&error))?;
    refuse_other_programs(&connection)?;
    check(&connection)?;
    let known = u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX);
    let contents = (applied == known)
        .then(|| contents(&connection, now))
        .transpose()
        .map_err(|error| describe(&error))?;
    Ok(Inspection { applied, known, contents })
}

fn contents(db: &Connection, now: Timestamp) -> Result<Contents> {
    let live_keys = db
        .prepare(LIVE_KEYS)?
        .query_map([now.as_millisecond()], |row| live_key(&Record::new(row)))?
        .collect::<Result<_>>()?;
    let webhooks = db
        .prepare(WEBHOOK_HEALTH)?
        .query_map([], |row| webhook_health(&Record::new(row)))?
        .collect::<Result<_>>()?;
    db.query_row(CONTENTS, [], |row| inspection::contents(&Record::new(row), live_keys, webhooks))
}
