//! Runs transactions: retries transient failures, and commits exactly once.

use super::retry::retry_transient;
use crate::{
    in_doubt::InDoubt,
    trace::{Operation, POSTGRESQL, recorded},
};
use deadpool_postgres::{Object, Pool};
use std::{convert::Infallible, time::Instant};
use tracing::Instrument;
use tua_domain::ports::StoreError;
use tua_metrics::StoreMetrics;
use tua_sql::{
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    sql::Sql,
    write_error::WriteError,
};

macro_rules! begin_sql {
    ($settings:literal) => {
        concat!(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ",
            $settings,
            "SELECT pg_current_xact_id(), current_setting('tua.incarnation', true)"
        )
    };
}

/// How long a transaction waits for a row lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LockWait {
    /// As long as the connection's `lock_timeout`.
    Default,
    /// 250 ms. A batch that waits for a lock delays all its requests, so the blocked request is
    /// executed alone instead.
    Short,
}

impl LockWait {
    /// The transaction's id is read in the same round trip, so that the outcome of an in-doubt
    /// commit can be found.
    const fn begin_sql(self) -> &'static str {
        match self {
            Self::Default => begin_sql!(""),
            Self::Short => begin_sql!("SET LOCAL lock_timeout = '250ms'; "),
        }
    }
}

/// A pooled connection. If it is dropped before [`Self::release`], it is closed, and the server
/// rolls its transaction back.
pub(super) struct PooledConnection(Option<Db>);

impl PooledConnection {
    pub(super) fn db(&self) -> Result<Db> {
        self.0.clone().ok_or(Error::MissingRow)
    }

    /// Returns the connection to the pool.
    pub(super) fn release(mut self) {
        self.0 = None;
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if let Some(object) = self.0.take().and_then(Db::into_object) {
            drop(Object::take(object));
        }
    }
}

/// How a transaction ended that did not fail.
pub(super) enum Ended<T, R> {
    /// Its work is durable.
    Committed(T),
    /// Its work rejected the request, and nothing is written.
    RolledBack(R),
}

/// Runs queries and transactions on connections of the pool.
#[derive(Clone)]
pub(super) struct TxRunner {
    pub(super) pool: Pool,
    pub(super) metrics: StoreMetrics,
}

impl TxRunner {
    /// Runs queries outside a transaction.
    ///
    /// # Errors
    /// [`StoreError`], after the retries of transient errors.
    pub(super) async fn read<T, Work>(
        &self,
        work: impl Fn(Db) -> Work,
    ) -> std::result::Result<T, StoreError>
    where
        Work: Future<Output = Result<T>>,
    {
        let span = Operation::Read.span(POSTGRESQL);
        let read = self.read_batch(work).instrument(span.clone()).await;
        recorded(&span, read.map_err(StoreError::from))
    }

    /// As [`Self::read`], for a batch.
    pub(super) async fn read_batch<T, Work>(&self, work: impl Fn(Db) -> Work) -> Result<T>
    where
        Work: Future<Output = Result<T>>,
    {
        let work = &work;
        retry_transient(|| async move {
            let connection = self.connection().await?;
            let read = work(connection.db()?).await;
            if !read.as_ref().is_err_and(Error::is_broken) {
                connection.release();
            }
            read
        })
        .await
    }

    /// Runs `work` in a transaction, which is durable when this returns.
    ///
    /// # Errors
    /// [`StoreError`], after the retries of transient errors.
    pub(super) async fn write<T, Work>(
        &self,
        in_doubt: InDoubt<'_>,
        work: impl Fn(Db) -> Work,
    ) -> std::result::Result<T, StoreError>
    where
        Work: Future<Output = Result<T>>,
    {
        let work = &work;
        let written = self.try_write(in_doubt, |db| async move { Ok(work(db).await?) }).await;
        written.map_err(WriteError::<Infallible, _>::into_failure)
    }

    /// As [`Self::read`], for queries that read whole tables.
    pub(super) async fn read_long<T, Work>(
        &self,
        work: impl Fn(Db) -> Work,
    ) -> std::result::Result<T, StoreError>
    where
        Work: Future<Output = Result<T>>,
    {
        let work = &work;
        self.write(InDoubt::Retry, |db| async move {
            db.allow_long_statements().await?;
            work(db).await
        })
        .await
    }

    /// As [`Self::write`], for `work` that may reject the request. A rejection rolls the
    /// transaction back.
    pub(super) async fn try_write<T, R, Work>(
        &self,
        in_doubt: InDoubt<'_>,
        work: impl Fn(Db) -> Work,
    ) -> std::result::Result<T, WriteError<R, StoreError>>
    where
        Work: Future<Output = std::result::Result<T, WriteError<R, Error>>>,
    {
        let span = Operation::Write.span(POSTGRESQL);
        let write = self.try_write_batch(LockWait::Default, in_doubt, 1, work);
        let written = recorded(&span, write.instrument(span.clone()).await.map_err(Into::into))?;
        match written {
            Ended::Committed(value) => Ok(value),
            Ended::RolledBack(rejection) => Err(WriteError::Rejected(rejection)),
        }
    }

    /// As [`Self::try_write`], for a batch of `batch_size` requests.
    pub(super) async fn try_write_batch<T, R, Work>(
        &self,
        wait: LockWait,
        in_doubt: InDoubt<'_>,
        batch_size: usize,
        work: impl Fn(Db) -> Work,
    ) -> Result<Ended<T, R>>
    where
        Work: Future<Output = std::result::Result<T, WriteError<R, Error>>>,
    {
        let work = &work;
        retry_transient(|| async move {
            let connection = self.connection().await?;
            let db = connection.db()?;
            let started = Instant::now();
            // BEGIN is pipelined with the first statement of the work.
            let (id, done) = tokio::join!(biased; db.begin(wait.begin_sql()), work(db.clone()));
            let outcome = match (id, done) {
                (Ok(id), Ok(value)) => {
                    self.commit(&db, &id, in_doubt).await.map(|()| Ended::Committed(value))
                }
                (Ok(_), Err(WriteError::Rejected(rejection))) => {
                    db.batch("ROLLBACK").await.map(|()| Ended::RolledBack(rejection))
                }
                (Ok(_), Err(WriteError::Failed(error))) => {
                    if error.is_broken() {
                        Err(error)
                    } else {
                        db.batch("ROLLBACK").await.and(Err(error))
                    }
                }
                (Err(error), _) => return Err(error),
            };
            self.metrics.committed(
                u32::try_from(batch_size).unwrap_or(u32::MAX),
                started.elapsed(),
                outcome.is_err(),
            );
            drop(db);
            if !outcome.as_ref().is_err_and(Error::is_broken) {
                connection.release();
            }
            outcome
        })
        .await
    }

    /// As [`Self::write`], with an asynchronous commit: a crash of the server may lose what was
    /// written. Only for what no response and no other row depends on.
    pub(super) async fn write_async_commit<Work>(
        &self,
        work: impl Fn(Db) -> Work,
    ) -> std::result::Result<u64, StoreError>
    where
        Work: Future<Output = Result<u64>>,
    {
        let work = &work;
        self.write(InDoubt::Retry, |db| async move {
            tokio::try_join!(biased; db.set_async_commit(), work(db.clone()))
                .map(|((), written)| written)
        })
        .await
    }

    /// Takes a connection from the pool, or opens one.
    pub(super) async fn connection(&self) -> Result<PooledConnection> {
        let _queued = self.metrics.queued();
        Ok(PooledConnection(Some(Db::new(self.pool.get().await?))))
    }
}
