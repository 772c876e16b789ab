//! The store on SQLite: its connections and its writer thread.

use super::{
    checkpoint::Checkpoints,
    connection::{check, check_program, connect, make_private},
    error::{describe, describe_migration_error},
    identity::Identity,
    migrations::migrate,
    pool::Readers,
    writer::Writer,
};
use rusqlite::OpenFlags;
use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicI64,
};
use tua_metrics::StoreMetrics;
use tua_system::{files::whole, private_file};

/// Files up to this size get a full `PRAGMA quick_check` when they are opened.
const MAX_CHECKED_BYTES: u64 = 64 << 20;

/// The store on SQLite.
#[derive(Debug)]
pub struct SqliteStore {
    pub(super) path: PathBuf,
    pub(super) writer: Writer,
    pub(super) readers: Readers,
    /// The last value of `PRAGMA data_version`.
    pub(super) last_data_version: AtomicI64,
    /// What a test does around the calls of the ports.
    #[cfg(feature = "fault-injection")]
    pub(crate) faults: Option<std::sync::Arc<dyn crate::fault_injection::FaultInjector>>,
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
        let with_context =
            |error: &dyn std::fmt::Display| format!("database {}: {error}", whole(path).display());
        make_private(&private_file::resolve(path).map_err(|error| with_context(&error))?)?;
        check_program(path).map_err(|error| with_context(&error))?;
        let mut connection =
            connect(path, OpenFlags::default()).map_err(|error| with_context(&describe(&error)))?;
        if std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_CHECKED_BYTES) {
            check(&connection).map_err(|error| with_context(&error))?;
        }
        migrate(&mut connection)
            .map_err(|error| with_context(&describe_migration_error(&error)))?;
        let file = Identity::of(path).map_err(|error| with_context(&error))?;
        let readers = Readers::open(file.clone()).map_err(|error| with_context(&error))?;
        let checkpoint_connection =
            connect(path, OpenFlags::default()).map_err(|error| with_context(&describe(&error)))?;
        let checkpoints =
            Checkpoints::start(checkpoint_connection).map_err(|error| with_context(&error))?;
        let writer = Writer::start(connection, file, checkpoints, metrics)
            .map_err(|error| with_context(&error))?;
        Ok(Self {
            path: path.to_owned(),
            writer,
            readers,
            last_data_version: AtomicI64::default(),
            #[cfg(feature = "fault-injection")]
            faults: None,
        })
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}
