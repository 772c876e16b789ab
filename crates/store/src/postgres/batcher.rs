//! Group commit: requests of one kind that arrive at the same time share a transaction.
//!
//! A request that arrives while no batch runs starts one at once. Requests that arrive meanwhile
//! wait for the end of that batch, and then form the next one. They share statements, round trips
//! and the sync of a commit. Batches grow with the load, and no request waits for a batch to fill.

use super::tx_runner::{LockWait, TxRunner};
use crate::trace::{Operation, POSTGRESQL, recorded};
use async_trait::async_trait;
use std::{
    collections::{HashSet, VecDeque},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;
use tracing::Instrument;
use tua_domain::ports::StoreError;
use tua_metrics::Queued;
use tua_sql::postgres::error::{Error, store_error};

/// The largest number of requests in a batch.
const MAX_BATCH: usize = 128;

/// A request that can be executed in one transaction with others of its kind.
#[async_trait]
pub(super) trait BatchOp: Sized + Send + Sync + 'static {
    /// What the request does.
    const OPERATION: Operation;

    /// The outcome of one request.
    type Outcome: Send + 'static;

    /// Keys of the rows that the request touches. Two requests with a common key never share a
    /// batch.
    fn conflict_keys(&self) -> Vec<String>;

    /// Executes the requests and returns their outcomes in the same order. Requests with `None` are
    /// executed again, without the others.
    async fn execute(
        runner: &TxRunner,
        wait: LockWait,
        ops: &[&Self],
    ) -> Result<Vec<Option<Self::Outcome>>, Error>;
}

type Response<T> = Result<<T as BatchOp>::Outcome, StoreError>;

struct Request<T: BatchOp> {
    op: T,
    response: oneshot::Sender<Response<T>>,
}

struct Queue<T: BatchOp> {
    waiting: VecDeque<(Request<T>, Queued)>,
    /// Whether a batch is running.
    is_running: bool,
}

struct Shared<T: BatchOp> {
    runner: TxRunner,
    queue: Mutex<Queue<T>>,
}

/// Collects requests of one kind into batches.
pub(super) struct Batcher<T: BatchOp>(Arc<Shared<T>>);

impl<T: BatchOp> Batcher<T> {
    pub(super) fn new(runner: &TxRunner) -> Self {
        let queue = Mutex::new(Queue { waiting: VecDeque::new(), is_running: false });
        Self(Arc::new(Shared { runner: runner.clone(), queue }))
    }

    /// Executes a request in a batch. The request is executed even if the caller stops waiting.
    ///
    /// # Errors
    /// The [`StoreError`] of the batch or of this request.
    pub(super) async fn submit(&self, op: T) -> Response<T> {
        let span = T::OPERATION.span(POSTGRESQL);
        let (response, responded) = oneshot::channel();
        let queued = self.0.runner.metrics.queued();
        if self.0.lock().push(Request { op, response }, queued) {
            tokio::spawn(run_batches(self.0.clone()));
        }
        let response = responded.instrument(span.clone()).await;
        recorded(&span, response.unwrap_or_else(|_| Err(StoreError::failed("a batch panicked"))))
    }
}

impl<T: BatchOp> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Queue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: BatchOp> Queue<T> {
    /// Adds a request. Returns whether the caller must start to run batches.
    fn push(&mut self, request: Request<T>, queued: Queued) -> bool {
        self.waiting.push_back((request, queued));
        !std::mem::replace(&mut self.is_running, true)
    }

    /// Removes the next batch from the queue. It is empty where no request waits.
    fn next_batch(&mut self) -> Vec<Request<T>> {
        let mut batch = Vec::new();
        let mut later = VecDeque::new();
        let mut used = HashSet::new();
        while batch.len() < MAX_BATCH
            && let Some((request, queued)) = self.waiting.pop_front()
        {
            let keys = request.op.conflict_keys();
            if keys.iter().any(|key| used.contains(key)) {
                later.push_back((request, queued))
            } else {
                batch.push(request)
            }
            used.extend(keys);
        }
        // Conflicting requests keep their place before later ones.
        later.append(&mut self.waiting);
        self.waiting = later;
        self.is_running = !batch.is_empty();
        batch
    }
}

async fn run_batches<T: BatchOp>(shared: Arc<Shared<T>>) {
    loop {
        let batch = shared.lock().next_batch();
        if batch.is_empty() {
            return;
        }
        // In its own task, so that a panic ends only this batch.
        let _ = tokio::spawn(execute(shared.clone(), LockWait::Short, batch)).await;
    }
}

/// Executes a batch. If it fails because of one request, each request is executed alone, in a task
/// of its own.
fn execute<T: BatchOp>(
    shared: Arc<Shared<T>>,
    wait: LockWait,
    mut batch: Vec<Request<T>>,
) -> Execution {
    Box::pin(async move {
        while !batch.is_empty() {
            let ops: Vec<&T> = batch.iter().map(|request| &request.op).collect();
            match T::execute(&shared.runner, wait, &ops).await {
                Ok(outcomes) => {
                    batch = batch.into_iter().zip(outcomes).filter_map(respond_or_keep).collect()
                }
                Err(error) if wait == LockWait::Short && error.is_request_specific() => {
                    tracing::debug!(%error, "a batch failed; executing its requests one by one");
                    for request in batch {
                        tokio::spawn(execute(shared.clone(), LockWait::Default, vec![request]));
                    }
                    return;
                }
                Err(error) => {
                    // The waiting requests would fail too. They fail now, instead of after one
                    // timeout each.
                    if !error.is_request_specific() {
                        batch.extend(shared.lock().waiting.drain(..).map(|(request, _)| request));
                    }
                    let error = Arc::new(error);
                    batch
                        .into_iter()
                        .for_each(|request| request.respond(Err(store_error(error.clone()))));
                    return;
                }
            }
        }
    })
}

type Execution = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Responds to a request that has an outcome, and returns one that has none.
fn respond_or_keep<T: BatchOp>(
    (request, outcome): (Request<T>, Option<T::Outcome>),
) -> Option<Request<T>> {
    let Some(outcome) = outcome else { return Some(request) };
    request.respond(Ok(outcome));
    None
}

impl<T: BatchOp> Request<T> {
    fn respond(self, response: Response<T>) {
        // The receiver is gone where the client has disconnected.
        drop(self.response.send(response));
    }
}

#[cfg(test)]
mod tests;
