//! Runs the queries that both engines share ([`crate::queries`]).

use super::store::SqliteStore;
use crate::in_doubt::InDoubt;
use rusqlite::{Connection, Error, Result};
use tua_domain::ports::StoreError;
use tua_sql::{sqlite::sql::ready, write_error::WriteError};

impl SqliteStore {
    /// Looks rows up by key.
    ///
    /// # Errors
    /// Those of [`super::pool::Readers::read`].
    pub(crate) async fn read<I, T>(
        &self,
        input: I,
        work: impl AsyncFnOnce(&Connection, &I) -> Result<T>,
    ) -> std::result::Result<T, StoreError> {
        self.readers.read(|db| ready(work(db, &input)))
    }

    /// Reads behind the writes that are queued.
    pub(crate) async fn read_written<I: Send + 'static, T: Send + 'static>(
        &self,
        input: I,
        work: impl AsyncFn(&Connection, &I) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreError> {
        self.write(InDoubt::Retry, input, work).await
    }

    /// Reads many rows, on a thread for blocking work.
    ///
    /// # Errors
    /// Those of [`super::pool::Readers::read_many`].
    pub(crate) async fn read_many<I: Send + 'static, T: Send + 'static>(
        &self,
        input: I,
        work: impl AsyncFnOnce(&Connection, &I) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreError> {
        self.readers.read_many(move |db| ready(work(db, &input))).await
    }

    /// As [`Self::read_many`], of whole tables.
    pub(crate) async fn read_long<I: Send + 'static, T: Send + 'static>(
        &self,
        input: I,
        work: impl AsyncFnOnce(&Connection, &I) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreError> {
        self.read_many(input, work).await
    }

    /// Runs `work` in a transaction, which is durable when this returns. There is no server that
    /// could be asked about a commit in doubt: it is always [`StoreError::Uncertain`].
    ///
    /// # Errors
    /// Those of [`super::writer::Writer::write`].
    pub(crate) async fn write<I: Send + 'static, T: Send + 'static>(
        &self,
        _: InDoubt<'_>,
        input: I,
        work: impl AsyncFn(&Connection, &I) -> Result<T> + Send + 'static,
    ) -> std::result::Result<T, StoreError> {
        self.writer.write(move |db| ready(work(db, &input))).await
    }

    /// As [`Self::write`], for `work` that may reject the request. A rejection takes back what
    /// `work` has written.
    pub(crate) async fn try_write<I, T, R, E>(
        &self,
        _: InDoubt<'_>,
        input: I,
        work: impl AsyncFn(&Connection, &I) -> std::result::Result<T, WriteError<R, Error>>
        + Send
        + 'static,
    ) -> std::result::Result<T, E>
    where
        I: Send + 'static,
        T: Send + 'static,
        R: Send + 'static,
        E: From<R> + From<StoreError>,
    {
        let written = self.writer.try_write(move |db| ready(work(db, &input))).await;
        written.map_err(WriteError::into_error)
    }
}
