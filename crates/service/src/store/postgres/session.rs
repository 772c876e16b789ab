//! Transactions: begun again where they lost a race or their connection, ended exactly once.

use super::error::{Error, Result};
use crate::{metrics::StoreMetrics, secret::random_bytes, store::StoreError};
use deadpool_postgres::{Object, Pool};
use std::{
    convert::Infallible,
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::Poll,
    time::{Duration, Instant},
};
use tokio::sync::{Mutex, MutexGuard};
use tokio_postgres::{Row, SimpleQueryMessage, error::SqlState, types::ToSql};

/// How long a transaction is begun again. A database that restarts is back within seconds; after that a
/// caller is told to come back, rather than kept.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest pause between two tries; the first is a few milliseconds.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// The transaction's number is learned with its beginning: by it the server knows later how it ended.
const ALONE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_current_xact_id()";

/// As [`ALONE`], for many who share one. Others' rows are not waited for long: one who must wait would hold up all,
/// and waits alone.
const TOGETHER: &str = "
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = '250ms'; SELECT pg_current_xact_id()";

/// What statements are run on. The statements of one transaction go through clones of one handle, in the
/// order in which they are asked for, and need not wait for each other's answers: those that
/// are joined (`try_join!(biased; …)`) are on their way together.
#[derive(Clone)]
pub(super) struct Db(Arc<Line>);

struct Line {
    object: Object,
    /// Held while a statement is sent: one that must be prepared first is not overtaken.
    order: Mutex<()>,
}

pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Db {
    fn new(object: Object) -> Self {
        Self(Arc::new(Line { object, order: Mutex::new(()) }))
    }

    pub(super) async fn all(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
        let order = self.0.order.lock().await;
        let statement = self.0.object.prepare_cached(sql).await?;
        match sent(self.0.object.query(&statement, parameters), order).await {
            // No text in a table holds a NUL, so that nothing is found by one.
            Err(error) if error.code() == Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE) => Ok(Vec::new()),
            rows => Ok(rows?),
        }
    }

    /// At most one row.
    pub(super) async fn one(&self, sql: &str, parameters: Parameters<'_>) -> Result<Option<Row>> {
        Ok(self.all(sql, parameters).await?.into_iter().next())
    }

    /// How many rows were written.
    pub(super) async fn run(&self, sql: &str, parameters: Parameters<'_>) -> Result<u64> {
        let order = self.0.order.lock().await;
        let statement = self.0.object.prepare_cached(sql).await?;
        Ok(sent(self.0.object.execute(&statement, parameters), order).await?)
    }

    /// The transaction's commit does not wait for the disk.
    pub(super) async fn relax(&self) -> Result<()> {
        self.batch("SET LOCAL synchronous_commit = 'off'").await
    }

    /// Statements that bind nothing.
    async fn batch(&self, sql: &str) -> Result<()> {
        let order = self.0.order.lock().await;
        Ok(sent(self.0.object.batch_execute(sql), order).await?)
    }
}

/// Waits for an answer; what asks for it is sent with the first look, and then the next may be sent.
async fn sent<T>(answer: impl Future<Output = T>, order: MutexGuard<'_, ()>) -> T {
    let mut answer = pin!(answer);
    let first = poll_fn(|context| Poll::Ready(answer.as_mut().poll(context))).await;
    drop(order);
    match first {
        Poll::Ready(value) => value,
        Poll::Pending => answer.await,
    }
}

/// A connection in a transaction. Dropped before its end, it takes the connection with it, and the
/// server rolls back.
struct Session(Option<Db>);

impl Session {
    fn db(&self) -> Result<Db> {
        self.0.clone().ok_or(Error::Missing)
    }

    /// Gives the connection back to the pool.
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(line) = self.0.take().and_then(|Db(line)| Arc::into_inner(line)) {
            drop(Object::take(line.object));
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
    pub(super) async fn write<T, Work>(&self, work: impl Fn(Db) -> Work) -> std::result::Result<T, StoreError>
    where
        Work: Future<Output = Result<T>>,
    {
        let work = &work;
        let written = self.decide(|db| async move { Ok(Ok::<T, Infallible>(work(db).await?)) }).await?;
        match written {
            Ok(value) => Ok(value),
        }
    }

    /// As [`Self::write`], where the work may refuse; then nothing of it is kept.
    pub(super) async fn decide<T, E, Work>(
        &self,
        work: impl Fn(Db) -> Work,
    ) -> std::result::Result<std::result::Result<T, E>, StoreError>
    where
        Work: Future<Output = Result<std::result::Result<T, E>>>,
    {
        self.transact(ALONE, 1, work).await.map_err(StoreError::from)
    }

    /// As [`Self::decide`], for so many at once.
    pub(super) async fn decide_together<T, E, Work>(
        &self,
        many: usize,
        work: impl Fn(Db) -> Work,
    ) -> Result<std::result::Result<T, E>>
    where
        Work: Future<Output = Result<std::result::Result<T, E>>>,
    {
        self.transact(if many > 1 { TOGETHER } else { ALONE }, many, work).await
    }

    async fn transact<T, E, Work>(
        &self,
        beginning: &str,
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
            let (number, done) = tokio::join!(biased; begin(&db, beginning), work(db.clone()));
            let ended = match (number, done) {
                (Ok(number), Ok(Ok(value))) => self.commit(&db, &number).await.map(|()| Ok(value)),
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
        self.write(
            |db| async move { tokio::try_join!(biased; db.relax(), work(db.clone())).map(|((), written)| written) },
        )
        .await
    }

    async fn session(&self) -> Result<Session> {
        let _queued = self.metrics.queued();
        Ok(Session(Some(Db::new(self.pool.get().await?))))
    }

    /// Where the connection breaks here, the server may have committed or not. It remembers which.
    async fn commit(&self, db: &Db, number: &str) -> Result<()> {
        match db.batch("COMMIT").await {
            Err(error) if error.is_broken() => self.ended(number).await,
            ended => ended,
        }
    }

    async fn ended(&self, number: &str) -> Result<()> {
        let since = Instant::now();
        let mut pauses = Pauses::default();
        while since.elapsed() < PATIENCE {
            let asked = async {
                let session = self.session().await?;
                let row = session.db()?.one("SELECT pg_xact_status($1::text::xid8)", &[&number]).await?;
                session.keep();
                row.ok_or(Error::Uncertain)?.try_get::<_, Option<String>>(0).map_err(Error::from)
            };
            match asked.await.ok().flatten().as_deref() {
                Some("committed") => return Ok(()),
                Some("aborted") => return Err(Error::Lost),
                // Still in progress, or still unreachable.
                _ => pauses.next().await,
            }
        }
        Err(Error::Uncertain)
    }
}

async fn again<T, Attempt>(attempt: impl Fn() -> Attempt) -> Result<T>
where
    Attempt: Future<Output = Result<T>>,
{
    let since = Instant::now();
    let mut pauses = Pauses::default();
    loop {
        match attempt().await {
            Err(error) if error.may_pass() && since.elapsed() < PATIENCE => {
                tracing::debug!(%error, "a transaction is begun again");
                pauses.next().await;
            }
            done => return done,
        }
    }
}

async fn begin(db: &Db, beginning: &str) -> Result<String> {
    let order = db.0.order.lock().await;
    let messages = sent(db.0.object.simple_query(beginning), order).await?;
    let number = messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    number.ok_or(Error::Missing)
}

/// Ever longer pauses, each a little different, so that those who lost together do not meet again.
struct Pauses(Duration);

impl Default for Pauses {
    fn default() -> Self {
        Self(Duration::from_millis(4))
    }
}

impl Pauses {
    async fn next(&mut self) {
        let jitter = u32::from(random_bytes::<1>()[0]);
        tokio::time::sleep(self.0 / 2 + self.0 * jitter / 512).await;
        self.0 = (self.0 * 2).min(LONGEST_PAUSE);
    }
}
