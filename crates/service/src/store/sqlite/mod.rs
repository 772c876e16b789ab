//! The embedded store: one SQLite file in WAL mode, written by one thread.
//!
//! `synchronous=FULL`: what has been answered survives a `kill -9` and a power cut.

mod accounts;
mod buckets;
mod checkouts;
mod checkpoint;
mod engine;
mod idempotency;
mod identity;
pub mod inspect;
mod listing;
mod outbox;
mod outbox_engine;
mod pool;
mod prune;
mod record;
mod reviews;
mod sandbox;
mod transactions;
mod webhooks;
mod writer;

use crate::{domain::ports::StoreError, metrics::StoreMetrics, operators::sandbox::memory::Memory};
use checkpoint::Checkpoints;
use identity::Identity;
use pool::Readers;
use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};
use std::{
    fs::OpenOptions,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::atomic::AtomicI64,
    time::Duration,
};
use writer::Writer;

/// Never edited once released; a change is a new one at the end.
const MIGRATIONS: &[M<'static>] = &[M::up(include_str!("../../../migrations/sqlite/01-init.sql"))];

/// How long a writer waits for another process's write, such as a `tua key revoke` beside `tua serve`.
const BUSY: Duration = Duration::from_secs(5);

/// Pages kept in memory by each connection, so that the inner pages of every index stay there.
const CACHE_KIB: i64 = 16 << 10;

/// Pages in the log before they are copied into the file (4 MiB, see [`checkpoint`]). While a copy waits for the disk,
/// so does whoever commits: a log sixteen times as long is copied a little cheaper, and makes one charge of a hundred
/// wait three times as long.
const CHECKPOINT_PAGES: i64 = 1 << 10;

/// More than there are different statements, so that each is prepared once.
const STATEMENTS: usize = 256;

/// Files up to this size are checked whole when they are opened.
const CHECKED_BYTES: u64 = 64 << 20;

/// The store on SQLite.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    writer: Writer,
    readers: Readers,
    /// Of `PRAGMA data_version`, as last seen.
    version_beside: AtomicI64,
}

impl SqliteStore {
    /// Opens the file, made where there is none, and brings its tables up to date.
    ///
    /// # Errors
    /// One line that names the file and says what is wrong with it.
    pub fn open(path: &Path) -> Result<Self, String> {
        Self::open_measured(path, StoreMetrics::default())
    }

    /// As [`Self::open`], measured.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_measured(path: &Path, metrics: StoreMetrics) -> Result<Self, String> {
        let named = |error: &dyn std::fmt::Display| format!("database {}: {error}", path.display());
        make_private(path);
        let mut connection = connect(path, OpenFlags::default()).map_err(|error| named(&plain(&error)))?;
        if std::fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED_BYTES) {
            check(&connection).map_err(|error| named(&error))?;
        }
        Migrations::from_slice(MIGRATIONS).to_latest(&mut connection).map_err(|error| named(&explained(&error)))?;
        let readers = Readers::open(path).map_err(|error| named(&error))?;
        let file = Identity::of(path).map_err(|error| named(&error))?;
        let beside = connect(path, OpenFlags::default()).map_err(|error| named(&plain(&error)))?;
        let checkpoints = Checkpoints::start(beside).map_err(|error| named(&error))?;
        let writer = Writer::start(connection, file, checkpoints, metrics).map_err(|error| named(&error))?;
        Ok(Self { path: path.to_owned(), writer, readers, version_beside: AtomicI64::default() })
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.write(work).await
    }

    /// As [`Self::write`], without waiting for the disk: before every later write all the same. `done` is called
    /// once it is there.
    fn write_later(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static,
        done: impl FnOnce() + Send + 'static,
    ) -> Result<(), StoreError> {
        self.writer.write_later(work, done)
    }
}

const _: fn(&SqliteStore) -> &dyn Memory = |store| store;

/// Who paid what is nobody else's on the machine. What SQLite puts beside the file takes over its mode.
fn make_private(path: &Path) {
    // Where it is there already, it is as its owner left it; where it cannot be made, SQLite says why.
    let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

fn check(connection: &Connection) -> Result<(), String> {
    let found: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(|error| plain(&error))?;
    if found == "ok" { Ok(()) } else { Err(format!("the file is damaged: {}", found.replace('\n', " "))) }
}

fn plain(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => "the file is not an SQLite database".to_owned(),
        Some(rusqlite::ErrorCode::DatabaseCorrupt) => "the file is damaged; restore it from a backup".to_owned(),
        Some(rusqlite::ErrorCode::ReadOnly) => "the file or its folder is read-only".to_owned(),
        Some(rusqlite::ErrorCode::CannotOpen) => {
            "cannot be opened; check that its folder exists and is writable".to_owned()
        }
        _ => error.to_string(),
    }
}

fn explained(error: &rusqlite_migration::Error) -> String {
    match error {
        rusqlite_migration::Error::MigrationDefinition(
            rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead,
        ) => "made by a newer version of tua; run that version".to_owned(),
        rusqlite_migration::Error::RusqliteError { err, .. } => plain(err),
        other => other.to_string().replace('\n', " "),
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, FileLockingProtocolFailed, OutOfMemory, ReadOnly,
            SystemIoFailure,
        };
        match error.sqlite_error_code() {
            // Nothing is wrong with the request, nor with the data: the machine may recover.
            Some(
                CannotOpen
                | DatabaseBusy
                | DatabaseLocked
                | DiskFull
                | FileLockingProtocolFailed
                | OutOfMemory
                | ReadOnly
                | SystemIoFailure,
            ) => Self::unavailable(error),
            _ => Self::failed(error),
        }
    }
}
