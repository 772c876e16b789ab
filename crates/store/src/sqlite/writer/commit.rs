//! Commits of the writer thread, which certainly happened or certainly did not, where possible.

use crate::sqlite::commit_error::CommitFailed;
use rusqlite::Connection;
use std::{error::Error, sync::Arc};

/// Commits. Where the commit is in the log although SQLite reports an error, for example because
/// the sync failed, recovery after a crash would bring it back. So it is erased before the failure
/// is reported.
pub(super) fn commit(connection: &Connection) -> Result<(), CommitFailed> {
    let Err(error) = try_execute(connection, "COMMIT") else { return Ok(()) };
    if is_certainly_not_in_log(&error) {
        return Err(failed(error));
    }
    // Fails if SQLite has rolled back already.
    let _ = connection.execute_batch("ROLLBACK");
    match erase_failed_commit(connection) {
        Ok(()) => Err(failed(error)),
        Err(second) => {
            tracing::error!(error = %second, "a failed commit could not be erased from the log");
            Err(CommitFailed::InDoubt(Arc::new(error)))
        }
    }
}

/// Whether the error comes before the last frame of the commit is in the log: the file is locked,
/// full or not writable.
fn is_certainly_not_in_log(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_BUSY, SQLITE_FULL, SQLITE_IOERR_WRITE};
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| {
        code & 0xff == SQLITE_BUSY || code == SQLITE_FULL || code == SQLITE_IOERR_WRITE
    })
}

/// Commits a change of no meaning. Its frames overwrite the first frames of the failed commit, and
/// recovery ignores the rest, because the checksum of each frame includes those before it.
fn erase_failed_commit(connection: &Connection) -> rusqlite::Result<()> {
    let change = || {
        try_execute(connection, "BEGIN IMMEDIATE")?;
        try_execute(
            connection,
            "INSERT INTO readiness (one, at) VALUES (1, 0) ON CONFLICT (one) DO UPDATE SET at = at \
             + 1",
        )?;
        try_execute(connection, "COMMIT")
    };
    change().inspect_err(|_| {
        let _ = connection.execute_batch("ROLLBACK");
    })
}

fn try_execute(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

pub(super) fn execute(connection: &Connection, sql: &str) -> Result<(), CommitFailed> {
    try_execute(connection, sql).map_err(failed)
}

pub(super) fn failed(error: impl Error + Send + Sync + 'static) -> CommitFailed {
    CommitFailed::RolledBack(Arc::new(error))
}
