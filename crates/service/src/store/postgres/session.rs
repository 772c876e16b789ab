//! Transactions: begun again where they lost a race or their connection, ended exactly once.

use super::{
    db::Db,
    doubt::InDoubt,
    error::{Error, Result},
    patience::again,
};
use crate::{metrics::StoreMetrics, store::StoreError};
use deadpool_postgres::{Object, Pool};
use std::{convert::Infallible, time::Instant};

macro_rules! beginning {
    ($settings:literal) => {
        concat!(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ",
            $settings,
            "SELECT pg_current_xact_id(), current_setting('tua.life', true)"
        )
    };
}

/// How a transaction is begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Terms {
    /// As patient as its session.
    Alone,
    /// For whoever asks at the same time. Others' rows are not waited for long: one who must wait would hold up all,
    /// and waits alone.
    Together,
}

impl Terms {
    /// The transaction's number is learned with its beginning: by it the server knows later how it ended.
    const fn beginning(self) -> &'static str {
        match self {
            Self::Alone => beginning!(""),
            Self::Together => beginning!("SET LOCAL lock_timeout = '250ms'; "),
        }
    }
}

/// A connection in a transaction. Dropped before its end, it takes the connection with it, and the
/// server rolls back.
pub(super) struct Session(Option<Db>);

impl Session {
    pub(super) fn db(&self) -> Result<Db> {
        self.0.clone().ok_or(Error::Missing)
    }

    /// Gives the connection back to the pool.
    pub(super) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(object) = self.0.take().and_then(Db::into_object) {
            drop(Object::take(object));
        }
    }
}

/// Runs transactions.
#[derive(Clone)]
pub(super) struct Sessions {
    pub(super) pool: Pool,
    pub(super) metrics: StoreMetrics,
}

impl Sessions {
    /// Reads, outside a transaction.
    pub(super) async fn read<T, Work>(&self, work: impl Fn(Db) -> Work) -> std::result::Result<T, StoreError>
    where
        Work: Future<Output = Result<T>>,
    {
        self.read_together(work).await.map_err(StoreError::from)
    }

    /// As [`Self::read`], for many at once.
    pub(super) async fn read_together<T, Work>(&self, work: impl Fn(Db) -> Work) -> Result<T>
    where
        Work: Future<Output = Result<T>>,
    {
        let work = &work;
        again(|| async move {
            let session = self.session().await?;
            let read = work(session.db()?).await;
            if !read.as_ref().is_err_and(Error::is_broken) {
                session.keep();
            }
            read
        })
        .await
    }

    /// Writes in a transaction, which is on disk when this returns.
    pub(super) async fn write<T, Work>(
        &self,
        doubt: InDoubt<'_>,
        work: impl Fn(Db) -> Work,
    ) -> std::result::Result<T, StoreError>
    where
        Work: Future<Output = Result<T>>,
    {
        let work = &work;
        let written = self.decide(doubt, |db| async move { Ok(Ok::<T, Infallible>(work(db).await?)) }).await?;
        match written {
            Ok(value) => Ok(value),
        }
    }

    /// As [`Self::write`], where the work may refuse; then nothing of it is kept.
    pub(super) async fn decide<T, E, Work>(
        &self,
        doubt: InDoubt<'_>,
        work: impl Fn(Db) -> Work,
    ) -> std::result::Result<std::result::Result<T, E>, StoreError>
    where
        Work: Future<Output = Result<std::result::Result<T, E>>>,
    {
        self.decide_together(Terms::Alone, doubt, 1, work).await.map_err(StoreError::from)
    }

    /// As [`Self::decide`], for so many at once.
    pub(super) async fn decide_together<T, E, Work>(
        &self,
        terms: Terms,
        doubt: InDoubt<'_>,
        many: usize,
        work: impl Fn(Db) -> Work,
    ) -> Result<std::result::Result<T, E>>
    where
        Work: Future<Output = Result<std::result::Result<T, E>>>,
    {
        let work = &work;
        again(|| async move {
            let session = self.session().await?;
            let db = session.db()?;
            let began = Instant::now();
            // On its way together with the first statement of the work.
            let (begun, done) = tokio::join!(biased; db.begin(terms.beginning()), work(db.clone()));
            let ended = match (begun, done) {
                (Ok(begun), Ok(Ok(value))) => self.commit(&db, &begun, doubt).await.map(|()| Ok(value)),
                (Ok(_), Ok(Err(refusal))) => db.batch("ROLLBACK").await.map(|()| Err(refusal)),
                (Ok(_), Err(error)) => match error.is_broken() {
                    true => Err(error),
                    false => db.batch("ROLLBACK").await.and(Err(error)),
                },
                (Err(error), _) => return Err(error),
            };
            self.metrics.committed(u32::try_from(many).unwrap_or(u32::MAX), began.elapsed(), ended.is_err());
            drop(db);
            if !ended.as_ref().is_err_and(Error::is_broken) {
                session.keep();
            }
            ended
        })
        .await
    }

    /// As [`Self::write`], without waiting for the disk: it is there before whatever is written
    /// durably later, since the log is one line.
    pub(super) async fn write_relaxed<Work>(&self, work: impl Fn(Db) -> Work) -> std::result::Result<u64, StoreError>
    where
        Work: Future<Output = Result<u64>>,
    {
        let work = &work;
        self.write(InDoubt::Repeat, |db| async move {
            tokio::try_join!(biased; db.relax(), work(db.clone())).map(|((), written)| written)
        })
        .await
    }

    pub(super) async fn session(&self) -> Result<Session> {
        let _queued = self.metrics.queued();
        Ok(Session(Some(Db::new(self.pool.get().await?))))
    }
}
