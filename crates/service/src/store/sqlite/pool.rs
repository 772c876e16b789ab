//! Connections that only read, beside the one that writes.

use super::connect;
use crate::store::StoreError;
use r2d2::{ManageConnection, Pool};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};

/// How many reads run at once; they are short, and mostly answered from memory.
const READERS: u32 = 4;

/// A handful of read-only connections.
#[derive(Clone, Debug)]
pub(super) struct Readers(Pool<Manager>);

impl Readers {
    pub(super) fn open(path: &Path) -> Result<Self, r2d2::Error> {
        Pool::builder().max_size(READERS).build(Manager(path.to_owned())).map(Self)
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let pool = self.0.clone();
        let read = tokio::task::spawn_blocking(move || {
            let connection = pool.get().map_err(StoreError::unavailable)?;
            work(&connection).map_err(StoreError::from)
        });
        read.await.map_err(StoreError::failed)?
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
