//! The pool of connections that only read.

use super::{
    connection::{BUSY_TIMEOUT, CACHE_KIB, connect},
    error::store_error,
    identity::Identity,
};
use crate::trace::{Operation, SQLITE, recorded};
use r2d2::{ManageConnection, Pool};
use rusqlite::{Connection, Error, OpenFlags, ffi};
use tracing::Instrument;
use tua_domain::ports::StoreError;

/// The most connections that read lists; a further read waits for one.
const LIST_CONNECTIONS: u32 = 4;

/// The page cache of a connection for lists, in KiB. Lists read most pages once, so a large cache
/// would only use memory: an export of a year fills any.
const LIST_CACHE_KIB: i64 = 2 << 10;

/// The read-only connections: lists never take one of those that look up rows by key.
#[derive(Clone, Debug)]
pub(super) struct Readers {
    lookups: Pool<Manager>,
    lists: Pool<Manager>,
}

impl Readers {
    pub(super) fn open(file: Identity) -> Result<Self, r2d2::Error> {
        let threads = std::thread::available_parallelism()
            .map_or(4, |threads| u32::try_from(threads.get()).unwrap_or(64));
        let pool = |size, idle, cache_kib| {
            Pool::builder()
                .max_size(size)
                .min_idle(Some(idle))
                .connection_timeout(BUSY_TIMEOUT)
                .build(Manager { file: file.clone(), cache_kib })
        };
        Ok(Self {
            lookups: pool(threads, 1, CACHE_KIB)?,
            lists: pool(LIST_CONNECTIONS, 0, LIST_CACHE_KIB)?,
        })
    }

    /// Looks rows up by key, on the calling thread: that takes microseconds, less than handing it
    /// to another thread. There is a connection for every thread of the runtime, so none waits.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let span = Operation::Read.span(SQLITE);
        recorded(&span, span.in_scope(|| read(&self.lookups, work)))
    }

    /// Reads many rows, on a thread for blocking work.
    pub(super) async fn read_many<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let lists = self.lists.clone();
        let span = Operation::Read.span(SQLITE);
        let task = tokio::task::spawn_blocking(move || read(&lists, work));
        let rows = task.instrument(span.clone()).await;
        recorded(&span, rows.unwrap_or_else(|error| Err(StoreError::failed(error))))
    }
}

fn read<T>(
    pool: &Pool<Manager>,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    let connection = pool.get().map_err(StoreError::unavailable)?;
    work(&connection).map_err(store_error)
}

#[derive(Debug)]
struct Manager {
    file: Identity,
    cache_kib: i64,
}

impl ManageConnection for Manager {
    type Connection = Connection;
    type Error = rusqlite::Error;

    fn connect(&self) -> rusqlite::Result<Connection> {
        // Not SQLITE_OPEN_READ_ONLY: a WAL reader must be able to write the shared index.
        let connection = connect(
            self.file.path(),
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        // Another file at this path may lack our tables, which would look like a fault of the
        // program.
        self.file.check().map_err(|moved| {
            Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), Some(moved.to_string()))
        })?;
        connection.pragma_update(None, "query_only", true)?;
        connection.pragma_update(None, "cache_size", -self.cache_kib)?;
        Ok(connection)
    }

    fn is_valid(&self, _: &mut Connection) -> rusqlite::Result<()> {
        Ok(())
    }

    fn has_broken(&self, _: &mut Connection) -> bool {
        false
    }
}
