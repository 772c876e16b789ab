//! The one thread that writes, many writes to a disk sync.
//!
//! Writes that wait while a commit is under way go into the next transaction together (group
//! commit), each in a savepoint of its own. Nobody is answered before the commit.

use super::identity::Identity;
use crate::{metrics::StoreMetrics, store::StoreError};
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

/// Runs in the shared transaction, or not at all where there is none. What it returns is told how the commit went.
type Job = Box<dyn FnOnce(Option<&Connection>) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), CommitFailed>) + Send>;

/// Why a commit that many writes shared did not happen.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the commit failed: {0}")]
struct CommitFailed(Arc<dyn Error + Send + Sync>);

/// Disk full, an I/O error: SQLite then undoes the whole transaction, and with it every write that shared it.
#[derive(Debug, thiserror::Error)]
#[error("a write beside it failed so that all were undone")]
struct Undone;

/// A handle on the writing thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Sender<Job>,
    metrics: StoreMetrics,
}

impl Writer {
    pub(super) fn start(connection: Connection, file: Identity, metrics: StoreMetrics) -> std::io::Result<Self> {
        let (jobs, queue) = channel();
        let measured = metrics.clone();
        let work = move || run(&connection, &file, &queue, &measured);
        thread::Builder::new().name("tua-store".to_owned()).spawn(work)?;
        Ok(Self { jobs, metrics })
    }

    /// Runs `work` in a transaction and returns once it is on disk.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        // Nobody listens any more where the request was given up; the write stands.
        self.queue(work, move |result| drop(answer.send(result)))?;
        answered.await.map_err(|_| stopped())?
    }

    /// Runs `work` in a transaction before every write that is asked for later, and then `done`.
    pub(super) fn write_later(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<()> + Send + 'static,
        done: impl FnOnce() + Send + 'static,
    ) -> Result<(), StoreError> {
        self.queue(work, |result| match result {
            Ok(()) => done(),
            Err(error) => tracing::error!(%error, "a write that nobody waited for was lost"),
        })
    }

    fn queue<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(Result<T, StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        let waiting = self.metrics.queued();
        let job: Job = Box::new(move |connection| {
            drop(waiting);
            let done = connection.map(|connection| in_savepoint(connection, work));
            Box::new(move |committed| {
                then(match (done, committed) {
                    (Some(Err(error)), _) => Err(error),
                    (Some(Ok(value)), Ok(())) => Ok(value),
                    (Some(Ok(_)) | None, Err(error)) => Err(StoreError::unavailable(error)),
                    (None, Ok(())) => Err(stopped()),
                });
            })
        });
        self.jobs.send(job).map_err(|_| stopped())
    }
}

fn stopped() -> StoreError {
    StoreError::unavailable("the writer has stopped")
}

fn run(connection: &Connection, file: &Identity, queue: &Receiver<Job>, metrics: &StoreMetrics) {
    while let Ok(first) = queue.recv() {
        let mut answers = Vec::new();
        let began = Instant::now();
        let committed = match begin(connection, file) {
            Ok(()) => {
                let jobs = std::iter::once(first).chain(queue.try_iter().take(BATCH - 1));
                together(connection, jobs, &mut answers)
            }
            Err(error) => {
                // Who has waited as long hears of it now, and not after another wait each.
                answers.extend(std::iter::once(first).chain(queue.try_iter()).map(|job| job(None)));
                Err(error)
            }
        };
        metrics.committed(u32::try_from(answers.len()).unwrap_or(u32::MAX), began.elapsed(), committed.is_err());
        if let Err(error) = &committed {
            tracing::error!(%error, "writes could not be committed");
            // Where the transaction never began, or is undone already, there is nothing to undo.
            let _ = connection.execute_batch("ROLLBACK");
        }
        for answer in answers {
            answer(committed.clone());
        }
    }
}

fn begin(connection: &Connection, file: &Identity) -> Result<(), CommitFailed> {
    file.check().map_err(failed)?;
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)
}

/// Runs jobs until one of them has the transaction undone; those after it wait for the next one.
fn together(
    connection: &Connection,
    jobs: impl Iterator<Item = Job>,
    answers: &mut Vec<Answer>,
) -> Result<(), CommitFailed> {
    for job in jobs {
        answers.push(job(Some(connection)));
        if connection.is_autocommit() {
            return Err(failed(Undone));
        }
    }
    connection.execute_batch("COMMIT").map_err(failed)
}

fn failed(error: impl Error + Send + Sync + 'static) -> CommitFailed {
    CommitFailed(Arc::new(error))
}

fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    let run = |sql| connection.prepare_cached(sql)?.execute([]).map(drop);
    run("SAVEPOINT one")?;
    // A panic costs its own write, and not the thread that all others need.
    let result = match catch_unwind(AssertUnwindSafe(|| work(connection))) {
        Ok(result) => result.map_err(StoreError::from),
        Err(_) => Err(StoreError::failed("a write panicked")),
    };
    match result {
        // The transaction is gone, and the savepoint with it.
        Err(error) if connection.is_autocommit() => Err(error),
        Err(error) => {
            run("ROLLBACK TO one")?;
            run("RELEASE one")?;
            Err(error)
        }
        Ok(value) => {
            run("RELEASE one")?;
            Ok(value)
        }
    }
}

#[cfg(test)]
mod tests;
