//! Opens the database file.

use super::error::describe;
use rusqlite::{Connection, OpenFlags, config::DbConfig};
use std::{path::Path, time::Duration};
use tua_sql::sqlite::functions;
use tua_system::{
    files::{check_writable, describe_fault, whole},
    private_file::{self, beside},
};

/// How long a connection waits for another process's lock, for example `tua key revoke` beside `tua
/// serve`.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// SQLite's page cache per connection, in KiB: large enough for the inner pages of all indexes.
/// Connections for lists have a smaller one ([`super::pool`]).
pub(super) const CACHE_KIB: i64 = 16 << 10;

/// Pages in the WAL before it is checkpointed (4 MiB, see [`super::checkpoint`]). Commits wait
/// while a checkpoint syncs: with a WAL sixteen times as long a checkpoint is a little cheaper per
/// page, but the slowest percent of charges take three times as long.
pub(super) const CHECKPOINT_PAGES: i64 = 1 << 10;

/// Prepared statements per connection: more than there are, so that each is prepared once.
const STATEMENT_CACHE: usize = 256;

/// Creates the file readable by its owner alone. SQLite gives its other files the same mode and
/// owner. An existing file keeps its mode.
///
/// # Errors
/// One line: the file, or one that SQLite keeps beside it, cannot be written. SQLite itself would
/// report it without the path, or at the first write.
pub(super) fn make_private(path: &Path) -> Result<(), String> {
    let with_context = |fault: String| format!("database {fault}");
    match private_file::create(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let path = whole(path);
            return Err(with_context(format!(
                "{}: its folder does not exist; create it first",
                path.display()
            )));
        }
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(with_context(describe_fault(path, &error)));
        }
        Err(_) | Ok(_) => {}
    }
    for suffix in ["", "-wal", "-shm"] {
        check_writable(&beside(path, suffix)).map_err(with_context)?;
    }
    Ok(())
}

/// Opens the file that the path leads to, and not another one to which somebody makes it lead
/// meanwhile.
pub(super) fn open_file(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let file =
        private_file::resolve(path).map_err(|_| rusqlite::Error::InvalidPath(path.to_owned()))?;
    Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NOFOLLOW)
}

/// Opens a connection for the service.
pub(crate) fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = open_file(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Deleted and overwritten rows must not stay in free space of the file (docs/operations.md,
    // "Personal data").
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
    // Otherwise a statement is prepared again for each new value that is compared with a column on
    // which the condition of a partial index depends: with each look for due work, for example.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    functions::register(&connection)?;
    Ok(connection)
}

/// Refuses the file of another program, and changes nothing in it.
///
/// # Errors
/// As [`refuse_other_programs`].
pub(super) fn check_program(path: &Path) -> Result<(), String> {
    let open = || {
        let connection = open_file(path, OpenFlags::default())?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        Ok(connection)
    };
    refuse_other_programs(&open().map_err(|error| describe(&error))?)
}

/// Refuses the database of another program. An empty one is nobody's.
///
/// # Errors
/// One line: that it is one, or why the file cannot be read.
pub(super) fn refuse_other_programs(connection: &Connection) -> Result<(), String> {
    let (is_empty, has_our_tables): (bool, bool) = connection
        .query_row(
            "SELECT count(*) = 0, count(*) FILTER (WHERE type = 'table'
                AND name IN ('accounts', 'api_keys', 'transaction_events')) = 3
             FROM sqlite_master",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .map_err(|error| describe(&error))?;
    if is_empty || has_our_tables {
        Ok(())
    } else {
        Err("the file is the database of another program".to_owned())
    }
}

/// Searches the file for damage.
///
/// # Errors
/// One line: what is damaged, or why the file cannot be read.
pub(super) fn check(connection: &Connection) -> Result<(), String> {
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| describe(&error))?;
    if found == "ok" {
        Ok(())
    } else {
        Err(format!("the file is damaged: {}", found.replace('\n', " ")))
    }
}
