//! What failures of SQLite are to the callers of the store, and to people.

use tua_domain::ports::StoreError;

/// What a failure of SQLite is to the person who opens a database, in one line.
pub(super) fn describe(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => "the file is not an SQLite database".to_owned(),
        Some(rusqlite::ErrorCode::DatabaseCorrupt) => {
            "the file is damaged; restore it from a backup".to_owned()
        }
        Some(rusqlite::ErrorCode::ReadOnly) => "the file or its folder is read-only".to_owned(),
        Some(rusqlite::ErrorCode::CannotOpen) => {
            "cannot be opened; check that its folder exists and is writable".to_owned()
        }
        None if matches!(error, rusqlite::Error::InvalidPath(_)) => {
            "it is a symbolic link of another user; remove it, or let root make it".to_owned()
        }
        _ => match error {
            // Its own text has the whole statement, on many lines.
            rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
            _ => error.to_string(),
        },
    }
}

/// As [`describe`], for a migration of the schema.
pub(super) fn describe_migration_error(error: &rusqlite_migration::Error) -> String {
    match error {
        rusqlite_migration::Error::MigrationDefinition(
            rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead,
        ) => "made by a newer version of tua; run that version".to_owned(),
        rusqlite_migration::Error::RusqliteError { err, .. } => describe(err),
        other => other.to_string().replace('\n', " "),
    }
}

/// What a failure of SQLite is to the caller.
pub(super) fn store_error(error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{
        CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, FileLockingProtocolFailed, OutOfMemory,
        ReadOnly, SystemIoFailure,
    };
    match error.sqlite_error_code() {
        // Neither the request nor the data is at fault; a later attempt may succeed.
        Some(
            CannotOpen
            | DatabaseBusy
            | DatabaseLocked
            | DiskFull
            | FileLockingProtocolFailed
            | OutOfMemory
            | ReadOnly
            | SystemIoFailure,
        ) => StoreError::unavailable(error),
        _ => StoreError::failed(error),
    }
}
