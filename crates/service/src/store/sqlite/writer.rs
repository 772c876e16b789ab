//! The one thread that writes, many writes to a disk sync.
//!
//! Writes that wait while a commit is under way go into the next transaction together (group
//! commit). Nobody is answered before the commit.
//!
//! Where a write fails halfway, the transaction is begun again without it. Savepoints would do the same, at the
//! price of a copy of every page that a write changes, for what hardly ever happens.

use super::{checkpoint::Checkpoints, identity::Identity};
use crate::{
    domain::ports::StoreError,
    metrics::{Queued, StoreMetrics},
};
use rusqlite::Connection;
use std::{
    error::Error,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Instant,
};
use tokio::sync::oneshot;

/// How many writes share a commit at the most.
const BATCH: usize = 256;

/// Why a commit that many writes shared did not happen.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the commit failed: {0}")]
struct CommitFailed(Arc<dyn Error + Send + Sync>);

/// Disk full, an I/O error: SQLite then undoes the whole transaction, and with it every write that shared it.
#[derive(Debug, thiserror::Error)]
#[error("a write beside it failed so that all were undone")]
struct Undone;

/// A write on its way to its commit.
trait Job: Send {
    /// Runs it in the shared transaction; again where that was begun again.
    fn run(&mut self, connection: &Connection);
    /// Whether it has failed by itself, and is to be left out.
    fn has_failed(&self) -> bool;
    /// Tells who asked for it how it went.
    fn answer(self: Box<Self>, committed: Result<(), CommitFailed>);
}

struct Write<Work, T, Then> {
    /// Until it has run.
    waiting: Option<Queued>,
    work: Work,
    done: Option<Result<T, StoreError>>,
    then: Then,
}

impl<Work, T, Then> Job for Write<Work, T, Then>
where
    Work: Fn(&Connection) -> rusqlite::Result<T> + Send,
    T: Send,
    Then: FnOnce(Result<T, StoreError>) + Send,
{
    fn run(&mut self, connection: &Connection) {
        self.waiting = None;
        // A panic costs its own write, and not the thread that all others need.
        self.done = Some(match catch_unwind(AssertUnwindSafe(|| (self.work)(connection))) {
            Ok(result) => result.map_err(StoreError::from),
            Err(_) => Err(StoreError::failed("a write panicked")),
        });
    }

    fn has_failed(&self) -> bool {
        matches!(self.done, Some(Err(_)))
    }

    fn answer(self: Box<Self>, committed: Result<(), CommitFailed>) {
        (self.then)(match (self.done, committed) {
            (Some(Err(error)), _) => Err(error),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (Some(Ok(_)) | None, Err(error)) => Err(StoreError::unavailable(error)),
            (None, Ok(())) => Err(stopped()),
        });
    }
}

/// A handle on the writing thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Sender<Box<dyn Job>>,
    metrics: StoreMetrics,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        file: Identity,
        checkpoints: Checkpoints,
        metrics: StoreMetrics,
    ) -> std::io::Result<Self> {
        let (jobs, queue) = channel();
        let measured = metrics.clone();
        let work = move || {
            Checkpoints::attend(&connection);
            run(&connection, &file, &queue, &checkpoints, &measured);
        };
        thread::Builder::new().name("tua-store".to_owned()).spawn(work)?;
        Ok(Self { jobs, metrics })
    }

    /// Runs `work` in a transaction and returns once it is on disk. What it does beside the database it may do more
    /// than once.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        // Nobody listens any more where the request was given up; the write stands.
        self.queue(work, move |result| drop(answer.send(result)))?;
        answered.await.map_err(|_| stopped())?
    }

    /// Runs `work` in a transaction before every write that is asked for later, and then `done`.
    pub(super) fn write_later(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static,
        done: impl FnOnce() + Send + 'static,
    ) -> Result<(), StoreError> {
        self.queue(work, |result| match result {
            Ok(()) => done(),
            Err(error) => tracing::error!(%error, "a write that nobody waited for was lost"),
        })
    }

    fn queue<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(Result<T, StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        let waiting = Some(self.metrics.queued());
        self.jobs.send(Box::new(Write { waiting, work, done: None, then })).map_err(|_| stopped())
    }
}

fn stopped() -> StoreError {
    StoreError::unavailable("the writer has stopped")
}

fn run(
    connection: &Connection,
    file: &Identity,
    queue: &Receiver<Box<dyn Job>>,
    checkpoints: &Checkpoints,
    metrics: &StoreMetrics,
) {
    while let Ok(first) = queue.recv() {
        let mut batch = Vec::new();
        let began = Instant::now();
        let committed = match begin(connection, file) {
            Ok(()) => together(connection, std::iter::once(first).chain(queue.try_iter().take(BATCH - 1)), &mut batch),
            Err(error) => {
                // Who has waited as long hears of it now, and not after another wait each.
                batch.extend(std::iter::once(first).chain(queue.try_iter()));
                Err(error)
            }
        };
        metrics.committed(u32::try_from(batch.len()).unwrap_or(u32::MAX), began.elapsed(), committed.is_err());
        if let Err(error) = &committed {
            tracing::error!(%error, "writes could not be committed");
            // Where the transaction never began, or is undone already, there is nothing to undo.
            let _ = connection.execute_batch("ROLLBACK");
        }
        for job in batch {
            job.answer(committed.clone());
        }
        checkpoints.after_commit(connection);
    }
}

fn begin(connection: &Connection, file: &Identity) -> Result<(), CommitFailed> {
    file.check().map_err(failed)?;
    execute(connection, "BEGIN IMMEDIATE")
}

/// Runs jobs until one of them has the transaction undone; those after it wait for the next one.
fn together(
    connection: &Connection,
    waiting: impl Iterator<Item = Box<dyn Job>>,
    batch: &mut Vec<Box<dyn Job>>,
) -> Result<(), CommitFailed> {
    for mut job in waiting {
        let is_whole = run_whole(connection, job.as_mut());
        batch.push(job);
        if !is_whole? {
            again(connection, batch)?;
        }
    }
    execute(connection, "COMMIT")
}

/// Runs a job; false where it has failed halfway.
fn run_whole(connection: &Connection, job: &mut dyn Job) -> Result<bool, CommitFailed> {
    let written = connection.total_changes();
    job.run(connection);
    if connection.is_autocommit() {
        return Err(failed(Undone));
    }
    Ok(!job.has_failed() || connection.total_changes() == written)
}

/// Begins the transaction again, without the jobs that have failed.
fn again(connection: &Connection, batch: &mut [Box<dyn Job>]) -> Result<(), CommitFailed> {
    'anew: loop {
        execute(connection, "ROLLBACK")?;
        execute(connection, "BEGIN IMMEDIATE")?;
        for job in batch.iter_mut().filter(|job| !job.has_failed()) {
            if !run_whole(connection, job.as_mut())? {
                continue 'anew;
            }
        }
        return Ok(());
    }
}

fn execute(connection: &Connection, sql: &str) -> Result<(), CommitFailed> {
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map(drop).map_err(failed)
}

fn failed(error: impl Error + Send + Sync + 'static) -> CommitFailed {
    CommitFailed(Arc::new(error))
}

#[cfg(test)]
mod tests;
