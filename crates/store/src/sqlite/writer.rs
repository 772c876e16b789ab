//! The writer thread, with group commit.
//!
//! Writes that arrive while a commit runs share the next transaction. No write is acknowledged
//! before the commit.
//!
//! If a write fails halfway, or rejects its request after it has written, the transaction is rolled
//! back and begun again without it. Savepoints would make that cheaper, but would copy every page
//! that any write changes, for a case that hardly ever happens.

mod commit;

use self::commit::{commit, execute, failed};
use super::{
    checkpoint::Checkpoints,
    commit_error::{CommitFailed, RolledBack},
    error::store_error,
    identity::Identity,
};
use crate::trace::{Operation, SQLITE, record_failure, recorded};
use rusqlite::Connection;
use std::{
    collections::VecDeque,
    convert::Infallible,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Instant,
};
use tokio::sync::oneshot;
use tracing::Instrument;
use tua_domain::ports::StoreError;
use tua_metrics::{Queued, StoreMetrics};
use tua_sql::write_error::WriteError;

/// The largest number of writes in a transaction.
const MAX_BATCH: usize = 256;

/// How often a write that nobody waits for is repeated.
const MAX_REPEATS: u8 = 16;

/// A write in the queue of the writer thread.
trait Job: Send {
    /// Runs it in the current transaction; runs it again if that transaction is begun again.
    fn run(&mut self, connection: &Connection);
    /// Whether it has failed, or rejected its request, so that it is left out of the transaction.
    fn has_failed(&self) -> bool;
    /// Reports the outcome to the caller. Returns a write that must be repeated.
    fn finish(self: Box<Self>, committed: Result<(), CommitFailed>) -> Option<Box<dyn Job>>;
}

/// What became of a write that may reject its request.
type Outcome<T, R> = Result<T, WriteError<R, StoreError>>;

struct Write<Work, T, R, Callback> {
    /// Counts the write as queued until it runs.
    queued: Option<Queued>,
    work: Work,
    outcome: Option<Outcome<T, R>>,
    /// How often it is still repeated where it is not committed.
    repeats_left: u8,
    callback: Callback,
}

impl<Work, T, R, Callback> Job for Write<Work, T, R, Callback>
where
    Work: Fn(&Connection) -> Result<T, WriteError<R, rusqlite::Error>> + Send + 'static,
    T: Send + 'static,
    R: Send + 'static,
    Callback: FnOnce(Outcome<T, R>) + Send + 'static,
{
    fn run(&mut self, connection: &Connection) {
        self.queued = None;
        // A panic fails this write alone; the thread continues.
        self.outcome = Some(match catch_unwind(AssertUnwindSafe(|| (self.work)(connection))) {
            Ok(result) => result.map_err(|error| error.map_failure(store_error)),
            Err(_) => Err(StoreError::failed("a write panicked").into()),
        });
    }

    fn has_failed(&self) -> bool {
        self.outcome.as_ref().is_some_and(Result::is_err)
    }

    fn finish(mut self: Box<Self>, committed: Result<(), CommitFailed>) -> Option<Box<dyn Job>> {
        let outcome = self.outcome.take();
        // A write that did not run keeps its repeats: they are for faults of its own.
        let has_run = outcome.is_some();
        let outcome = match (outcome, committed) {
            (Some(Err(error)), _) => Err(error),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (Some(Ok(_)) | None, Err(error)) => Err(StoreError::from(error).into()),
            (None, Ok(())) => Err(stopped().into()),
        };
        if outcome.is_err() && self.repeats_left > 0 {
            self.repeats_left -= u8::from(has_run);
            return Some(self);
        }
        (self.callback)(outcome);
        None
    }
}

/// A handle on the writer thread. The thread ends when the handle is dropped.
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
            Checkpoints::install_hook(&connection);
            run(&connection, &file, &queue, &checkpoints, &measured);
        };
        thread::Builder::new().name("tua-store".to_owned()).spawn(work)?;
        Ok(Self { jobs, metrics })
    }

    /// Runs `work` in a transaction, and returns once it is durable. `work` may run more than once,
    /// so it must have no effects outside the database.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if the file is locked, full or moved; [`StoreError::Uncertain`]
    /// if the commit reached the log, but not certainly the disk, and cannot be erased;
    /// [`StoreError::Failed`] for other errors.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let written = self.try_write(move |db| Ok(work(db)?)).await;
        written.map_err(WriteError::<Infallible, _>::into_failure)
    }

    /// As [`Self::write`], for `work` that may reject the request: a rejection takes back what
    /// `work` has written.
    ///
    /// # Errors
    /// The rejection, and as [`Self::write`].
    pub(super) async fn try_write<T: Send + 'static, R: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T, WriteError<R, rusqlite::Error>> + Send + 'static,
    ) -> Result<T, WriteError<R, StoreError>> {
        let span = Operation::Write.span(SQLITE);
        let (sender, receiver) = oneshot::channel();
        // The receiver is gone where the request was cancelled; the write is committed all the
        // same.
        let queued = self.queue(work, 0, move |result| drop(sender.send(result)));
        recorded(&span, queued)?;
        let outcome = receiver.instrument(span.clone()).await;
        let outcome = outcome.unwrap_or_else(|_| Err(stopped().into()));
        if let Err(WriteError::Failed(error)) = &outcome {
            record_failure(&span, error);
        }
        outcome
    }

    /// Queues `work` before every later write, and does not wait for it. Where its transaction
    /// fails, the next one begins with it, so that later writes are not committed without it.
    /// Where it fails by itself, it is repeated too; its last failure is only logged. It must have
    /// the same effect if it is committed twice.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] once the writer has stopped.
    pub(super) fn write_later(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static,
    ) -> Result<(), StoreError> {
        self.queue(
            move |db| Ok(work(db)?),
            MAX_REPEATS,
            |result: Outcome<(), Infallible>| {
                if let Err(error) = result.map_err(WriteError::into_failure) {
                    tracing::error!(%error, "a background write failed");
                }
            },
        )
    }

    fn queue<T: Send + 'static, R: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T, WriteError<R, rusqlite::Error>> + Send + 'static,
        repeats_left: u8,
        callback: impl FnOnce(Outcome<T, R>) + Send + 'static,
    ) -> Result<(), StoreError> {
        let queued = Some(self.metrics.queued());
        self.jobs
            .send(Box::new(Write { queued, work, outcome: None, repeats_left, callback }))
            .map_err(|_| stopped())
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
    let mut repeated: VecDeque<Box<dyn Job>> = VecDeque::new();
    loop {
        let first = queue.recv().ok();
        let is_last = first.is_none();
        repeated.extend(first);
        if repeated.is_empty() {
            return;
        }
        let mut batch = Vec::new();
        let started = Instant::now();
        let jobs = std::iter::from_fn(|| repeated.pop_front());
        let committed = match begin(connection, file) {
            Ok(()) => {
                run_batch(connection, jobs.chain(queue.try_iter().take(MAX_BATCH - 1)), &mut batch)
            }
            Err(error) => {
                // All queued writes fail now, instead of after one lock timeout each.
                batch.extend(jobs.chain(queue.try_iter()));
                Err(error)
            }
        };
        // What a rollback kept from running.
        batch.extend(repeated.drain(..));
        metrics.committed(
            u32::try_from(batch.len()).unwrap_or(u32::MAX),
            started.elapsed(),
            committed.is_err(),
        );
        if let Err(error) = &committed {
            tracing::error!(%error, "cannot commit writes");
            // Fails if no transaction is open, which is fine.
            let _ = connection.execute_batch("ROLLBACK");
        }
        repeated.extend(batch.into_iter().filter_map(|job| job.finish(committed.clone())));
        checkpoints.after_commit(connection);
        if is_last {
            if !repeated.is_empty() {
                tracing::error!(writes = repeated.len(), "background writes are lost");
            }
            return;
        }
    }
}

fn begin(connection: &Connection, file: &Identity) -> Result<(), CommitFailed> {
    file.check().map_err(failed)?;
    execute(connection, "BEGIN IMMEDIATE")
}

/// Runs jobs in one transaction. If SQLite rolls it back, the remaining jobs stay in the queue.
fn run_batch(
    connection: &Connection,
    queued: impl Iterator<Item = Box<dyn Job>>,
    batch: &mut Vec<Box<dyn Job>>,
) -> Result<(), CommitFailed> {
    for mut job in queued {
        let is_complete = run_job(connection, job.as_mut());
        batch.push(job);
        if !is_complete? {
            rerun(connection, batch)?;
        }
    }
    commit(connection)
}

/// Runs a job. Returns `false` if it failed after it had changed something.
fn run_job(connection: &Connection, job: &mut dyn Job) -> Result<bool, CommitFailed> {
    let changes_before = connection.total_changes();
    job.run(connection);
    if connection.is_autocommit() {
        return Err(failed(RolledBack));
    }
    Ok(!job.has_failed() || connection.total_changes() == changes_before)
}

/// Rolls back and runs the jobs again, without those that have failed.
fn rerun(connection: &Connection, batch: &mut [Box<dyn Job>]) -> Result<(), CommitFailed> {
    'retry: loop {
        execute(connection, "ROLLBACK")?;
        execute(connection, "BEGIN IMMEDIATE")?;
        for job in batch.iter_mut().filter(|job| !job.has_failed()) {
            if !run_job(connection, job.as_mut())? {
                continue 'retry;
            }
        }
        return Ok(());
    }
}

#[cfg(test)]
mod tests;
