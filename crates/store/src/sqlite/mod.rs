//! The embedded store: one SQLite file in WAL mode, with one writer thread.
//!
//! `synchronous=FULL`: acknowledged writes survive `kill -9` and a power failure.

mod accounts;
mod approvals;
pub mod backup;
mod buckets;
mod callbacks;
mod checkouts;
mod checkpoint;
mod day_totals;
mod engine;
mod exchanges;
mod functions;
mod hand_over;
mod idempotency;
mod identity;
pub mod inspect;
mod leases;
mod ledger;
mod links;
mod outbox;
mod outbox_engine;
mod payment_sql;
mod payout_batches;
mod payout_controls;
mod pool;
mod prune;
mod record;
mod refunds;
mod sandbox;
mod scrub;
mod shared_queries;
mod sql;
mod transaction_rows;
mod transactions;
mod webhooks;
mod writer;

use checkpoint::Checkpoints;
use identity::Identity;
use pool::Readers;
use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};
use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicI64,
    time::Duration,
};
use tua_domain::ports::StoreError;
use tua_metrics::StoreMetrics;
use tua_operators::sandbox::orders::SandboxOrders;
use tua_system::{
    files::{check_writable, describe_fault, whole},
    private_file::{self, beside},
};
use writer::Writer;

/// A released migration is never edited; a change is a new migration at the end.
pub(crate) const MIGRATIONS: &[M<'static>] = &[
    M::up(include_str!("../../migrations/sqlite/01-init.sql")),
    M::up(include_str!("../../migrations/sqlite/02-mail.sql")),
    M::up(include_str!("../../migrations/sqlite/03-quotes.sql")),
    M::up(include_str!("../../migrations/sqlite/04-closed-days.sql")),
    M::up(include_str!("../../migrations/sqlite/05-identities.sql")),
    M::up(include_str!("../../migrations/sqlite/06-people.sql")),
    M::up(include_str!("../../migrations/sqlite/07-abandoned-statements.sql")),
    M::up(include_str!("../../migrations/sqlite/08-moot-mail.sql")),
    M::up(include_str!("../../migrations/sqlite/09-closed-accounts.sql")),
    M::up(include_str!("../../migrations/sqlite/10-failures.sql")),
    M::up(include_str!("../../migrations/sqlite/11-claims-and-revocations.sql")),
    M::up(include_str!("../../migrations/sqlite/12-people-apart.sql")),
    M::up(include_str!("../../migrations/sqlite/13-refusals.sql")),
    M::up(include_str!("../../migrations/sqlite/14-statement-days.sql")),
];

/// How long a connection waits for another process's lock, for example `tua key revoke` beside `tua
/// serve`.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// SQLite's page cache per connection, in KiB: large enough for the inner pages of all indexes.
/// Connections for lists have a smaller one ([`pool`]).
const CACHE_KIB: i64 = 16 << 10;

/// Pages in the WAL before it is checkpointed (4 MiB, see [`checkpoint`]). Commits wait while a
/// checkpoint syncs: with a WAL sixteen times as long a checkpoint is a little cheaper per page,
/// but the slowest percent of charges take three times as long.
const CHECKPOINT_PAGES: i64 = 1 << 10;

/// Prepared statements per connection: more than there are, so that each is prepared once.
const STATEMENT_CACHE: usize = 256;

/// Files up to this size get a full `PRAGMA quick_check` when they are opened.
const MAX_CHECKED_BYTES: u64 = 64 << 20;

/// The store on SQLite.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    writer: Writer,
    readers: Readers,
    /// The last value of `PRAGMA data_version`.
    last_data_version: AtomicI64,
}

impl SqliteStore {
    /// Opens the file, creates it if it does not exist, and migrates the schema.
    ///
    /// # Errors
    /// One line that names the file and the fault.
    pub fn open(path: &Path) -> Result<Self, String> {
        Self::open_measured(path, StoreMetrics::default())
    }

    /// As [`Self::open`], with the given metrics.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_measured(path: &Path, metrics: StoreMetrics) -> Result<Self, String> {
        let named =
            |error: &dyn std::fmt::Display| format!("database {}: {error}", whole(path).display());
        make_private(&private_file::resolve(path).map_err(|error| named(&error))?)?;
        let mut connection =
            connect(path, OpenFlags::default()).map_err(|error| named(&describe(&error)))?;
        if std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_CHECKED_BYTES) {
            check(&connection).map_err(|error| named(&error))?;
        }
        Migrations::from_slice(MIGRATIONS)
            .to_latest(&mut connection)
            .map_err(|error| named(&describe_migration_error(&error)))?;
        let file = Identity::of(path).map_err(|error| named(&error))?;
        let readers = Readers::open(file.clone()).map_err(|error| named(&error))?;
        let checkpoint_connection =
            connect(path, OpenFlags::default()).map_err(|error| named(&describe(&error)))?;
        let checkpoints =
            Checkpoints::start(checkpoint_connection).map_err(|error| named(&error))?;
        let writer =
            Writer::start(connection, file, checkpoints, metrics).map_err(|error| named(&error))?;
        Ok(Self { path: path.to_owned(), writer, readers, last_data_version: AtomicI64::default() })
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

const _: fn(&SqliteStore) -> &dyn SandboxOrders = |store| store;

/// Creates the file readable by its owner alone. SQLite gives its other files the same mode and
/// owner. An existing file keeps its mode.
///
/// # Errors
/// One line: the file, or one that SQLite keeps beside it, cannot be written. SQLite itself would
/// say it without the path, or at the first write.
fn make_private(path: &Path) -> Result<(), String> {
    let named = |fault: String| format!("database {fault}");
    match private_file::create(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let path = whole(path);
            return Err(named(format!(
                "{}: its folder does not exist; create it first",
                path.display()
            )));
        }
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(named(describe_fault(path, &error)));
        }
        Err(_) | Ok(_) => {}
    }
    for suffix in ["", "-wal", "-shm"] {
        check_writable(&beside(path, suffix)).map_err(named)?;
    }
    Ok(())
}

/// Opens the file that the path leads to, and not another one to which somebody makes it lead
/// meanwhile.
fn open_file(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let file =
        private_file::resolve(path).map_err(|_| rusqlite::Error::InvalidPath(path.to_owned()))?;
    Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NOFOLLOW)
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
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
    functions::register(&connection)?;
    Ok(connection)
}

fn check(connection: &Connection) -> Result<(), String> {
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| describe(&error))?;
    if found == "ok" {
        Ok(())
    } else {
        Err(format!("the file is damaged: {}", found.replace('\n', " ")))
    }
}

fn describe(error: &rusqlite::Error) -> String {
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
        _ => error.to_string(),
    }
}

fn describe_migration_error(error: &rusqlite_migration::Error) -> String {
    match error {
        rusqlite_migration::Error::MigrationDefinition(
            rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead,
        ) => "made by a newer version of tua; run that version".to_owned(),
        rusqlite_migration::Error::RusqliteError { err, .. } => describe(err),
        other => other.to_string().replace('\n', " "),
    }
}

/// What a failure of SQLite is to the caller.
fn store_error(error: rusqlite::Error) -> StoreError {
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
