//! Runs the queries that both engines share ([`crate::queries`]).

use super::store::PostgresStore;
use crate::in_doubt::InDoubt;
use tua_domain::ports::StoreError;
use tua_sql::{
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    write_error::WriteError,
};

impl PostgresStore {
    /// Runs queries outside a transaction.
    ///
    /// # Errors
    /// Those of [`super::tx_runner::TxRunner::read`].
    pub(crate) async fn read<I, T>(
        &self,
        input: I,
        work: impl AsyncFn(&Db, &I) -> Result<T>,
    ) -> std::result::Result<T, StoreError> {
        let work = &work;
        let input = &input;
        self.tx.read(|db| async move { work(&db, input).await }).await
    }

    /// As [`Self::read`]: a write that was acknowledged is committed, so there is none to wait for.
    pub(crate) async fn read_written<I, T>(
        &self,
        input: I,
        work: impl AsyncFn(&Db, &I) -> Result<T>,
    ) -> std::result::Result<T, StoreError> {
        self.read(input, work).await
    }

    /// As [`Self::read`], for queries that return many rows.
    pub(crate) async fn read_many<I, T>(
        &self,
        input: I,
        work: impl AsyncFn(&Db, &I) -> Result<T>,
    ) -> std::result::Result<T, StoreError> {
        self.read(input, work).await
    }

    /// As [`Self::read_many`], of whole tables: each query may run for ten minutes.
    ///
    /// # Errors
    /// Those of [`super::tx_runner::TxRunner::read_long`].
    pub(crate) async fn read_long<I, T>(
        &self,
        input: I,
        work: impl AsyncFn(&Db, &I) -> Result<T>,
    ) -> std::result::Result<T, StoreError> {
        let work = &work;
        let input = &input;
        self.tx.read_long(|db| async move { work(&db, input).await }).await
    }

    /// Runs `work` in a transaction, which is durable when this returns.
    ///
    /// # Errors
    /// Those of [`super::tx_runner::TxRunner::write`].
    pub(crate) async fn write<I, T>(
        &self,
        in_doubt: InDoubt<'_>,
        input: I,
        work: impl AsyncFn(&Db, &I) -> Result<T>,
    ) -> std::result::Result<T, StoreError> {
        let work = &work;
        let input = &input;
        self.tx.write(in_doubt, |db| async move { work(&db, input).await }).await
    }

    /// As [`Self::write`], for `work` that may reject the request. A rejection takes back what
    /// `work` has written.
    pub(crate) async fn try_write<I, T, R, E: From<R> + From<StoreError>>(
        &self,
        in_doubt: InDoubt<'_>,
        input: I,
        work: impl AsyncFn(&Db, &I) -> std::result::Result<T, WriteError<R, Error>>,
    ) -> std::result::Result<T, E> {
        let work = &work;
        let input = &input;
        let written = self.tx.try_write(in_doubt, |db| async move { work(&db, input).await }).await;
        written.map_err(WriteError::into_error)
    }
}
