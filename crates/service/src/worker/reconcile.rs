//! Asks operators for the status of pending transactions, on the polling schedule.

use crate::domain::{
    poll_schedule::{PollSchedule, divide_delay},
    ports::{Due, StoreError},
    use_cases::{Readiness, Settlement, readiness::Worker},
};
use jiff::SignedDuration;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{error, warn};

/// How many calls are in flight at once.
const MAX_IN_FLIGHT: usize = 64;

/// How long a transaction is leased while it is asked about. Longer than
/// [`crate::domain::use_cases::settlement::OPERATOR_TIMEOUT`].
const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// How often to look for due work when there is none, since another process or a divide_delay sandbox may make some due
/// earlier.
const IDLE: SignedDuration = SignedDuration::from_secs(1);

/// The worker.
#[derive(Debug)]
pub struct Reconciliation {
    /// Calls the operators.
    pub settlement: Arc<Settlement>,
    /// When they are called.
    pub schedule: PollSchedule,
    /// Where it reports that it still runs.
    pub readiness: Arc<Readiness>,
    /// Where calls run.
    pub tasks: TaskTracker,
    /// Ends the worker, between two rounds.
    pub stopping: CancellationToken,
}

impl Reconciliation {
    /// Looks for due work until the service stops.
    pub async fn run(self: Arc<Self>) {
        let (store, clock) = (&self.settlement.store, &self.settlement.clock);
        let slots = Arc::new(Semaphore::new(MAX_IN_FLIGHT));
        // What the process before this one was asking about when it was killed need not wait for its lease.
        if let Err(error) = store.end_leases(clock.now(), clock.now() + LEASE).await {
            error!(%error, "leases could not be ended; they expire by themselves");
        }
        while !self.stopping.is_cancelled() {
            let looked_at = clock.now();
            self.readiness.worker_looked(Worker::Reconciliation, looked_at);
            let is_idle = match self.round(&slots).await {
                Ok(asked) => asked == 0,
                Err(error) => {
                    error!(%error, "due transactions could not be read; trying again");
                    true
                }
            };
            if is_idle {
                tokio::select! {
                    // From the look on: a test clock that was moved meanwhile has made something due.
                    () = clock.sleep_until(looked_at + divide_delay(IDLE, self.schedule.sandbox_speed.max(1.0))) => {}
                    () = self.stopping.cancelled() => return,
                }
            }
        }
    }

    /// Starts to ask about due transactions, as many as there are slots for. Returns how many.
    ///
    /// It does not wait for the responses, so a slow operator delays no transaction of another.
    async fn round(self: &Arc<Self>, slots: &Arc<Semaphore>) -> Result<usize, StoreError> {
        let (store, now) = (&self.settlement.store, self.settlement.clock.now());
        let free = u32::try_from(slots.available_permits()).unwrap_or(u32::MAX);
        if free == 0 || store.next_due().await?.is_none_or(|due| due > now) {
            return Ok(0);
        }
        let due = store.lease_due(now, now + LEASE, free).await?;
        let count = due.len();
        for due in due {
            let slot = slots.clone().acquire_owned().await;
            let worker = self.clone();
            // A call that breaks off stays leased, and is repeated when the lease expires.
            self.tasks.spawn(async move {
                worker.verify(due).await;
                drop(slot);
            });
        }
        Ok(count)
    }

    async fn verify(&self, Due { transaction, asks }: Due) {
        let Settlement { store, clock, .. } = &*self.settlement;
        let id = transaction.begun.id.clone();
        let next = self.schedule.next(&transaction.begun.scope, transaction.created_at, asks + 1, clock.now());
        self.settlement.verify(transaction).await;
        match store.plan_ask(&id, asks + 1, next, clock.now()).await {
            Ok(true) if next.is_none() => warn!(transaction = %id, "still pending after a day: flagged for review"),
            Ok(_) => {}
            Err(error) => error!(transaction = %id, %error, "the next poll could not be planned; the lease expires"),
        }
    }
}
