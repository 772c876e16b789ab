//! The one thread that writes, many writes to a disk sync.
//!
//! Writes that wait while a commit is under way go into the next transaction together (group
//! commit), each in a savepoint of its own. Nobody is answered before the commit.

use crate::{metrics::StoreMetrics, store::StoreError};
use rusqlite::Connection;
use std::{
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

/// Runs in the shared transaction; what it returns is told how the commit went.
type Job = Box<dyn FnOnce(&Connection) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), CommitFailed>) + Send>;

/// Why a commit that many writes shared did not happen.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the commit failed: {0}")]
struct CommitFailed(Arc<rusqlite::Error>);

/// A handle on the writing thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Sender<Job>,
    metrics: StoreMetrics,
}

impl Writer {
    pub(super) fn start(connection: Connection, metrics: StoreMetrics) -> std::io::Result<Self> {
        let (jobs, queue) = channel();
        let measured = metrics.clone();
        thread::Builder::new().name("tua-store".to_owned()).spawn(move || run(&connection, &queue, &measured))?;
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
            let done = in_savepoint(connection, work);
            Box::new(move |committed| {
                then(match (done, committed) {
                    (Err(error), _) => Err(StoreError::from(error)),
                    (Ok(_), Err(error)) => Err(StoreError::unavailable(error)),
                    (Ok(value), Ok(())) => Ok(value),
                });
            })
        });
        self.jobs.send(job).map_err(|_| stopped())
    }
}

fn stopped() -> StoreError {
    StoreError::unavailable("the writer has stopped")
}

fn run(connection: &Connection, queue: &Receiver<Job>, metrics: &StoreMetrics) {
    while let Ok(first) = queue.recv() {
        let jobs = std::iter::once(first).chain(queue.try_iter().take(BATCH - 1));
        let mut answers = Vec::new();
        let began = Instant::now();
        let committed = connection.execute_batch("BEGIN IMMEDIATE").and_then(|()| {
            answers.extend(jobs.map(|job| job(connection)));
            connection.execute_batch("COMMIT")
        });
        metrics.committed(u32::try_from(answers.len()).unwrap_or(u32::MAX), began.elapsed(), committed.is_err());
        if let Err(error) = &committed {
            tracing::error!(%error, "writes could not be committed");
            // Where the transaction never began there is nothing to undo.
            let _ = connection.execute_batch("ROLLBACK");
        }
        let committed = committed.map_err(|error| CommitFailed(Arc::new(error)));
        for answer in answers {
            answer(committed.clone());
        }
    }
}

fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let run = |sql| connection.prepare_cached(sql)?.execute([]).map(drop);
    run("SAVEPOINT one")?;
    let result = work(connection);
    if result.is_err() {
        run("ROLLBACK TO one")?;
    }
    run("RELEASE one")?;
    result
}
