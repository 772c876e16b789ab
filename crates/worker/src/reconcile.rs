//! Hands over the orders that wait, and asks operators for the status of pending transactions, on
//! the polling schedule.

use super::bulkheads::Bulkheads;
use jiff::SignedDuration;
use std::{sync::Arc, time::Duration};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{error, warn};
use tua_domain::{
    poll_schedule::PollSchedule,
    ports::{Due, SendPermit, StoreError},
};
use tua_use_cases::{OperatorGateway, Payouts, Readiness, readiness::Worker};

/// How long a transaction is leased while it is asked about, and then sent again if it never
/// arrived. Each takes [`tua_use_cases::operator_gateway::OPERATOR_TIMEOUT`] at most, and a
/// send ends with the lease.
const LEASE_DURATION: SignedDuration = SignedDuration::from_secs(60);

/// The polling interval when there is no due work, or no place for it, since another process or
/// a fast sandbox may make some due earlier.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The interval between two searches for work that a clock which was ahead has scheduled too late.
const CORRECTION_INTERVAL: Duration = Duration::from_secs(60);

/// Sends the orders that are due, and asks for the status of pending transactions.
#[derive(Debug)]
pub struct Reconciliation {
    /// Calls the operators, and records what they respond.
    pub gateway: Arc<OperatorGateway>,
    /// When they are called.
    pub schedule: PollSchedule,
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
        let store = &self.gateway.store;
        let clock = &self.gateway.clock;
        let bulkheads = Bulkheads::new(&self.gateway.operators);
        // What the process before this one was asking about when it was killed need not wait for
        // its lease.
        if let Err(error) = store.end_leases(clock.now(), clock.now() + LEASE_DURATION).await {
            error!(%error, "leases could not be ended; they expire by themselves");
        }
        let mut corrects_at = clock.uptime();
        while !self.stopping.is_cancelled() {
            let looked_at = clock.uptime();
            if looked_at >= corrects_at {
                corrects_at = looked_at + CORRECTION_INTERVAL;
                self.correct_schedules().await;
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
                tokio::select! {
                    // From the look on: a test clock that was moved meanwhile has made something
                    // due.
                    () = clock.sleep_until_uptime(
                        looked_at + POLL_INTERVAL.div_f64(self.schedule.sandbox_speed.max(1.0)),
                    ) => {}
                    // An operator with more due work than places: it goes on as soon as calls have
                    // ended.
                    () = bulkheads.refill() => {}
                    () = self.stopping.cancelled() => return,
                }
            }
        }
    }

    /// After a clock was set back, nothing would be due for as long as it was ahead.
    async fn correct_schedules(&self) {
        let OperatorGateway { store, clock, .. } = &*self.gateway;
        if let Err(error) = store.bring_schedules_back(clock.now()).await {
            error!(%error, "what a wrong clock scheduled could not be looked for; trying again in \
                a minute");
        }
    }

    /// Starts to send and to ask about due transactions, as many as each operator and direction has
    /// places for. Returns how many.
    ///
    /// It does not wait for the responses, so a slow operator delays no transaction of another.
    async fn round(self: &Arc<Self>, bulkheads: &Bulkheads) -> Result<usize, StoreError> {
        let ended = Payouts { gateway: self.gateway.clone() }.expire().await?;
        let store = &self.gateway.store;
        let now = self.gateway.clock.now();
        let shares = bulkheads.shares(&store.due_queues(bulkheads.queues(), now).await?);
        if shares.is_empty() {
            return Ok(ended);
        }
        let lease = SendPermit::new(&self.gateway.clock, LEASE_DURATION.unsigned_abs());
        let due = store.lease_due(shares, now, now + LEASE_DURATION).await?;
        let count = due.len();
        for due in due {
            let place = bulkheads.enter(&due.transaction).await;
            let worker = self.clone();
            let lease = lease.clone();
            // A call that breaks off stays leased, and is repeated when the lease expires.
            self.tasks.spawn(async move {
                worker.send_or_verify(due, &lease).await;
                drop(place);
            });
        }
        Ok(ended + count)
    }

    /// Sends an order that is not handed over, or asks about one that is.
    async fn send_or_verify(&self, due: Due, lease: &SendPermit) {
        let Due { transaction, asks, .. } = &due;
        let OperatorGateway { store, clock, .. } = &*self.gateway;
        let id = transaction.order.id.clone();
        let scope = transaction.order.scope.clone();
        let Some(handed_over_at) = transaction.handed_over_at else {
            let first_ask = self.schedule.first(&scope, clock.now());
            return self.gateway.hand_over(transaction, first_ask).await;
        };
        let next = self.schedule.next(&scope, handed_over_at, asks + 1, clock.now());
        if transaction.state.is_final() {
            let is_answered = self.gateway.verify_failed(transaction).await;
            let planned =
                store.plan_ask_of_failed(&id, asks + 1, next.at.filter(|_| !is_answered)).await;
            return planned.unwrap_or_else(|error| {
                error!(transaction = %id, %error, "the next poll could not be planned; the lease \
                    expires");
            });
        }
        self.gateway.verify(&due, lease).await;
        match store.plan_ask(&id, asks + 1, next, clock.now()).await {
            Ok(true) if next.is_flagged => {
                warn!(transaction = %id, "still pending after a day: flagged for review")
            }
            Ok(_) => {}
            Err(error) => {
                error!(transaction = %id, %error, "the next poll could not be planned; the lease \
                    expires")
            }
        }
    }
}
