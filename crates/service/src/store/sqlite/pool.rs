//! The read-only connections.

use super::{BUSY_TIMEOUT, connect, identity::Identity};
use crate::domain::ports::StoreError;
use r2d2::{ManageConnection, Pool};
use rusqlite::{Connection, Error, OpenFlags, ffi};

/// Connections for lists, in addition to one per thread.
const LIST_CONNECTIONS: u32 = 4;

/// A pool of read-only connections.
#[derive(Clone, Debug)]
pub(super) struct Readers(Pool<Manager>);

impl Readers {
    pub(super) fn open(file: Identity) -> Result<Self, r2d2::Error> {
        let threads =
            std::thread::available_parallelism().map_or(4, |threads| u32::try_from(threads.get()).unwrap_or(64));
        Pool::builder()
            .max_size(threads + LIST_CONNECTIONS)
            .min_idle(Some(1))
            // A lookup by key waits here, on a thread of the async runtime.
            .connection_timeout(BUSY_TIMEOUT)
            .build(Manager(file))
            .map(Self)
    }

    /// Looks rows up by key, on the calling thread: that takes microseconds, less than handing it to another thread. There
    /// is a connection for every thread of the runtime, so none waits.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let connection = self.0.get().map_err(StoreError::unavailable)?;
        work(&connection).map_err(StoreError::from)
    }

    /// Reads many rows, on a thread for blocking work.
    pub(super) async fn read_many<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let readers = self.clone();
        tokio::task::spawn_blocking(move || readers.read(work)).await.map_err(StoreError::failed)?
    }
}

#[derive(Debug)]
struct Manager(Identity);

impl ManageConnection for Manager {
    type Connection = Connection;
    type Error = rusqlite::Error;

    fn connect(&self) -> rusqlite::Result<Connection> {
        // Not SQLITE_OPEN_READ_ONLY: a WAL reader must be able to write the shared index.
        let connection = connect(self.0.path(), OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        // Another file at this path may lack our tables, which would look like a fault of the program.
        self.0
            .check()
            .map_err(|moved| Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), Some(moved.to_string())))?;
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
