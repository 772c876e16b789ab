//! Runs each attempt once, and answers its repetitions from what came of it.

use futures_util::future::BoxFuture;
use std::{future::Future, sync::Arc};
use tokio_util::task::TaskTracker;
use tracing::Instrument;
use tua_domain::{
    idempotency::{
        Attempt, Fingerprint, IdempotencyKey, IdempotencyRecord, InFlight, Operation, RETENTION,
        RepeatError, ResponseSnapshot, StoredResponse,
    },
    key_ring::KeyRing,
    ports::{Clock, IdempotencyRecords, StoreError},
    steady_time::SteadyTime,
};

/// Runs the work of each idempotency key once, and answers repetitions.
#[derive(Debug)]
pub struct Idempotency {
    /// Where the attempts of earlier requests and their responses are stored.
    pub records: Arc<dyn IdempotencyRecords>,
    /// The wall clock, by which records of running attempts time out.
    pub clock: Arc<dyn Clock>,
    /// The time by which keys are free again.
    pub steady_time: SteadyTime,
    /// Under which requests are digested.
    pub keys: KeyRing,
    /// This process among others.
    pub instance: String,
    /// The attempts that this process runs.
    pub in_flight: InFlight,
    /// Where work runs that outlives its connection.
    pub tasks: TaskTracker,
}

/// A result, and whether it is that of an earlier request with the same key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdempotentResult<T> {
    /// What the use case returned, now or at the earlier request.
    pub value: T,
    /// Whether an earlier request had it.
    pub is_replay: bool,
}

/// The error of a use case that may be repeated.
pub trait RepeatableError: From<StoreError> + From<RepeatError> {
    /// Whether the store failed. Then the record of an earlier request is not looked for.
    fn is_store_error(&self) -> bool;
}

impl Idempotency {
    /// The attempt of a request with these fields, with a key of this holder; `None` without a key.
    #[must_use]
    pub fn attempt(
        &self,
        holder: &str,
        operation: Operation,
        key: Option<IdempotencyKey>,
        fields: &[Option<&str>],
    ) -> Option<Attempt> {
        let key = key?;
        let earlier =
            self.keys.all().iter().skip(1).map(|key| Fingerprint::of(key, fields)).collect();
        let fingerprints = (Fingerprint::of(&self.keys.current(), fields), earlier);
        let retained_since = self.steady_time.now() - RETENTION;
        Some(Attempt::new(holder, operation, key, fingerprints, &self.instance, retained_since))
    }

    /// Does `work` once for an attempt. A repetition gets what `replay` makes of the attempt's
    /// record.
    ///
    /// The work runs in a task of its own, so it ends even where the connection breaks. It is boxed
    /// before it gets there: on the way each move of the future itself would copy several KB.
    ///
    /// # Errors
    /// Those of the work, of the store, and [`RepeatError`].
    pub async fn run<T, E, Replay>(
        &self,
        attempt: Option<Attempt>,
        work: BoxFuture<'static, Result<T, E>>,
        replay: impl FnOnce(IdempotencyRecord) -> Replay,
    ) -> Result<IdempotentResult<T>, E>
    where
        T: Send + 'static,
        E: RepeatableError + Send + 'static,
        Replay: Future<Output = Result<T, E>>,
    {
        let record = match &attempt {
            Some(attempt) => self.find(attempt).await?,
            None => None,
        };
        match attempt.as_ref().zip(record) {
            Some((attempt, record)) => replayed(attempt, record, replay).await,
            None => self.try_first(attempt, work, replay).await,
        }
    }

    /// As [`Self::run`], for work that changes nothing before the store refuses a repetition. Most
    /// keys are new, so the work is tried first, and the record is looked for only where it was
    /// refused.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub(crate) async fn try_first<T, E, Replay>(
        &self,
        attempt: Option<Attempt>,
        work: BoxFuture<'static, Result<T, E>>,
        replay: impl FnOnce(IdempotencyRecord) -> Replay,
    ) -> Result<IdempotentResult<T>, E>
    where
        T: Send + 'static,
        E: RepeatableError + Send + 'static,
        Replay: Future<Output = Result<T, E>>,
    {
        let Some(attempt) = attempt else { return self.finish(None, work).await };
        match self.finish(Some(&attempt), work).await {
            // Another request with the same key came first. What refuses this one may be something
            // else by now: a limit, or an operator that is down.
            Err(error) if !error.is_store_error() => match self.find(&attempt).await? {
                Some(record) => replayed(&attempt, record, replay).await,
                None => Err(error),
            },
            done => done,
        }
    }

    /// Stores the response to an attempt and returns the one that stands: the first.
    ///
    /// What was done is done, and its caller must learn of it. So where the response cannot be
    /// stored, it is returned all the same, and a repetition is answered with the state at that
    /// time.
    pub(crate) async fn store_response(
        &self,
        attempt: &Attempt,
        snapshot: ResponseSnapshot,
    ) -> ResponseSnapshot {
        let response = StoredResponse { attempt: attempt.clone(), snapshot };
        self.records.record_response(response).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a response could not be stored; repetitions are answered with \
                the current state");
            snapshot
        })
    }

    /// The record of an earlier request with the key of this attempt.
    pub(crate) async fn find(
        &self,
        attempt: &Attempt,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        let found = self.stored_record(attempt).await?;
        let runs_here =
            |record: &IdempotencyRecord| record.running && record.instance == self.instance;
        if !found.as_ref().is_some_and(runs_here) || self.in_flight.contains(attempt) {
            return Ok(found);
        }
        // It has ended, maybe since it was read. By now its response is stored, or was lost.
        let found = self.stored_record(attempt).await?;
        Ok(found.map(|record| IdempotencyRecord { running: false, ..record }))
    }

    /// The record of an earlier request as it is stored. It may be marked as running although its
    /// work has ended in this process.
    pub(crate) async fn stored_record(
        &self,
        attempt: &Attempt,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        self.records.find_attempt(attempt, self.clock.now()).await
    }

    /// Runs the work of an attempt, which is in flight until it ends.
    async fn finish<T: Send + 'static, E: RepeatableError + Send + 'static>(
        &self,
        attempt: Option<&Attempt>,
        work: BoxFuture<'static, Result<T, E>>,
    ) -> Result<IdempotentResult<T>, E> {
        let in_flight = attempt.map(|attempt| self.in_flight.begin(attempt));
        let work = async move {
            let _in_flight = in_flight;
            work.await
        };
        let done = self.tasks.spawn(work.in_current_span()).await;
        let value = done.map_err(|_| StoreError::failed("the task of a request ended early"))??;
        Ok(IdempotentResult { value, is_replay: false })
    }
}

async fn replayed<T, E: RepeatableError, Replay: Future<Output = Result<T, E>>>(
    attempt: &Attempt,
    record: IdempotencyRecord,
    replay: impl FnOnce(IdempotencyRecord) -> Replay,
) -> Result<IdempotentResult<T>, E> {
    if !attempt.is_same_request(record.fingerprint) {
        return Err(RepeatError::KeyReused.into());
    }
    if record.running {
        return Err(RepeatError::InProgress.into());
    }
    Ok(IdempotentResult { value: replay(record).await?, is_replay: true })
}
