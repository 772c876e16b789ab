//! Hands over the orders that wait, and asks operators for the status of pending transactions, on
//! the polling schedule.

use super::bulkheads::Bulkheads;
use futures_util::FutureExt;
use std::{sync::Arc, time::Duration};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::error;
use tua_domain::{ports::StoreError, queue::Queue};
use tua_use_cases::{DueTransactions, LeasedTransactions, Readiness, readiness::Worker};

/// The polling interval when there is no due work, or no place for it, since another process or
/// a fast sandbox may make some due earlier.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The interval between two searches for work that a clock which was ahead has scheduled too late.
const CORRECTION_INTERVAL: Duration = Duration::from_secs(60);

/// Sends the orders that are due, and asks for the status of pending transactions.
#[derive(Debug)]
pub struct Reconciliation {
    /// Sends orders that are due, and asks for the status of pending transactions.
    pub transactions: DueTransactions,
    /// Where it reports that it still runs.
    pub readiness: Arc<Readiness>,
    /// Tracks the calls in flight, which a stop waits for.
    pub tasks: TaskTracker,
    /// Ends the worker, between two rounds.
    pub stopping: CancellationToken,
}

impl Reconciliation {
    /// Looks for due work until the service stops.
    pub async fn run(self: Arc<Self>) {
        let clock = &self.transactions.status_queries.gateway.clock;
        let bulkheads = Bulkheads::new(&self.transactions.status_queries.gateway.operators);
        self.transactions.end_leases().await;
        let mut corrects_at = clock.uptime();
        while !self.stopping.is_cancelled() {
            let looked_at = clock.uptime();
            if looked_at >= corrects_at {
                corrects_at = looked_at + CORRECTION_INTERVAL;
                self.transactions.correct_schedules().await;
            }
            self.readiness.worker_looked(Worker::Reconciliation, looked_at);
            let is_idle = match self.round(&bulkheads).await {
                Ok(asked) => asked == 0,
                Err(error) => {
                    error!(%error, "due transactions could not be read; trying again");
                    true
                }
            };
            if is_idle {
                let speed = self.transactions.schedule.sandbox_speed.max(1.0);
                let looks_at = looked_at + POLL_INTERVAL.div_f64(speed);
                tokio::select! {
                    // From the look on: a test clock that was moved meanwhile has made something
                    // due.
                    () = clock.sleep_until_uptime(looks_at) => {}
                    // An operator with more due work than places: it goes on as soon as calls have
                    // ended.
                    () = bulkheads.refill() => {}
                    () = self.stopping.cancelled() => return,
                }
            }
        }
    }

    /// Starts to send orders and status queries that are due, as many as each operator and
    /// direction has places for. Returns how many.
    ///
    /// It does not wait for the responses, so a slow operator delays no transaction of another.
    async fn round(self: &Arc<Self>, bulkheads: &Bulkheads) -> Result<usize, StoreError> {
        let ended = self.transactions.expire_payouts().await?;
        let limits = |due: &[Queue]| bulkheads.shares(due);
        let LeasedTransactions { due, permit } =
            self.transactions.lease(bulkheads.queues(), limits).await?;
        let count = due.len();
        for due in due {
            let place = bulkheads.enter(&due.transaction).await;
            let worker = self.clone();
            let permit = permit.clone();
            // A call that breaks off stays leased, and is repeated when the lease expires.
            let call = async move {
                worker.transactions.send_or_refresh(due, &permit).await;
                drop(place);
            };
            self.tasks.spawn(call.boxed());
        }
        Ok(ended + count)
    }
}
