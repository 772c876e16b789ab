//! Connections that only read, beside the one that writes.

use super::{BUSY, connect};
use crate::domain::ports::StoreError;
use r2d2::{ManageConnection, Pool};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};

/// Connections for lists, which are read beside everything else.
const FOR_LISTS: u32 = 4;

/// A handful of read-only connections.
#[derive(Clone, Debug)]
pub(super) struct Readers(Pool<Manager>);

impl Readers {
    pub(super) fn open(path: &Path) -> Result<Self, r2d2::Error> {
        let threads =
            std::thread::available_parallelism().map_or(4, |threads| u32::try_from(threads.get()).unwrap_or(64));
        Pool::builder()
            .max_size(threads + FOR_LISTS)
            .min_idle(Some(1))
            // Who asks for rows by key waits on a thread of the server's own.
            .connection_timeout(BUSY)
            .build(Manager(path.to_owned()))
            .map(Self)
    }

    /// Reads a few rows by key, where it stands: that takes microseconds, and handing it to another
    /// thread would take longer. A connection for every thread that may ask, so nobody waits for one.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let connection = self.0.get().map_err(StoreError::unavailable)?;
        work(&connection).map_err(StoreError::from)
    }

    /// Reads what may be many rows, on a thread where nobody else is held up.
    pub(super) async fn read_many<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let readers = self.clone();
        tokio::task::spawn_blocking(move || readers.read(work)).await.map_err(StoreError::failed)?
    }
}

#[derive(Debug)]
struct Manager(PathBuf);

impl ManageConnection for Manager {
    type Connection = Connection;
    type Error = rusqlite::Error;

    fn connect(&self) -> rusqlite::Result<Connection> {
        // Not SQLITE_OPEN_READ_ONLY: a WAL reader must be able to write the shared index.
        let connection = connect(&self.0, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }

    fn is_valid(&self, _: &mut Connection) -> rusqlite::Result<()> {
        Ok(())
    }

    fn has_broken(&self, _: &mut Connection) -> bool {
        false
    }
}
