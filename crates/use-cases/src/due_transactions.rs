//! Transactions that are due: orders to hand over, and status queries of pending transactions, on
//! the polling schedule.

use super::{payouts::Payouts, status_queries::StatusQueries};
use jiff::SignedDuration;
use std::sync::Arc;
use tracing::{error, warn};
use tua_domain::{
    poll_schedule::PollSchedule,
    ports::{DueTransaction, Schedules, SendPermit, StoreError},
    queue::Queue,
};

/// How long a transaction is leased while it is asked about, and then sent again if it never
/// arrived. Each takes [`OPERATOR_TIMEOUT`](super::operator_gateway::OPERATOR_TIMEOUT) at most, and
/// a send ends with the lease.
const LEASE_DURATION: SignedDuration = SignedDuration::from_secs(60);

/// Sends orders that are due, and queries the status of pending transactions.
#[derive(Clone, Debug)]
pub struct DueTransactions {
    /// Queries the status of pending transactions. Its gateway sends orders, and has the clock.
    pub status_queries: Arc<StatusQueries>,
    /// Ends payouts that nobody approved.
    pub payouts: Payouts,
    /// Where it is stored when each transaction is due, and who has leased it.
    pub schedules: Arc<dyn Schedules>,
    /// When they are called.
    pub schedule: PollSchedule,
}

/// Transactions that were leased, so that no other process works on them.
#[derive(Debug)]
pub struct LeasedTransactions {
    /// The transactions, oldest first.
    pub due: Vec<DueTransaction>,
    /// Permits sends until the lease expires.
    pub permit: SendPermit,
}

impl DueTransactions {
    /// Ends the leases of the process before this one, so that the transactions that it leased
    /// before it was killed are due now. A fault of the store is logged.
    pub async fn end_leases(&self) {
        let clock = &self.status_queries.gateway.clock;
        if let Err(error) =
            self.schedules.end_leases(clock.now(), clock.now() + LEASE_DURATION).await
        {
            error!(%error, "leases could not be ended; they expire by themselves");
        }
    }

    /// Makes due now what a clock that was ahead has scheduled. Otherwise, after the clock was set
    /// back, nothing would be due for as long as it was ahead. A fault of the store is logged.
    pub async fn correct_schedules(&self) {
        let clock = &self.status_queries.gateway.clock;
        if let Err(error) = self.schedules.correct_schedules(clock.now()).await {
            error!(%error, "what a wrong clock scheduled could not be corrected; trying again in a \
                minute");
        }
    }

    /// Ends payouts that have waited too long for an approval. Returns how many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn expire_payouts(&self) -> Result<usize, StoreError> {
        self.payouts.expire().await
    }

    /// Leases due transactions, oldest first. `limits` returns for queues with due transactions how
    /// many of each to lease.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn lease(
        &self,
        queues: Vec<Queue>,
        limits: impl FnOnce(&[Queue]) -> Vec<(Queue, u32)>,
    ) -> Result<LeasedTransactions, StoreError> {
        let clock = &self.status_queries.gateway.clock;
        let now = clock.now();
        let limits = limits(&self.schedules.due_queues(queues, now).await?);
        let permit = SendPermit::new(clock, LEASE_DURATION.unsigned_abs());
        let due = if limits.is_empty() {
            Vec::new()
        } else {
            self.schedules.lease_due(limits, now, now + LEASE_DURATION).await?
        };
        Ok(LeasedTransactions { due, permit })
    }

    /// Sends an order that is not handed over, or queries the status of one that is, and schedules
    /// the next status query. A fault of the store is logged.
    pub async fn send_or_refresh(&self, due: DueTransaction, permit: &SendPermit) {
        let DueTransaction { transaction, query_count, clock_advance, .. } = &due;
        let clock = &self.status_queries.gateway.clock;
        let id = transaction.order.id.clone();
        let scope = transaction.order.scope.clone();
        let Some(handed_over_at) = transaction.handed_over_at else {
            let first_query_at = self.schedule.first_query_at(&scope, clock.now());
            return self.status_queries.gateway.hand_over(transaction, first_query_at).await;
        };
        let next = self.schedule.next_query(
            &scope,
            handed_over_at - *clock_advance,
            query_count + 1,
            clock.now(),
        );
        if transaction.state.is_final() {
            let status = self.status_queries.refresh_final_status(transaction).await;
            let next_at = if status.is_stored { status.ask_again_at } else { next.at };
            let planned =
                self.schedules.schedule_status_query_of_final(&id, query_count + 1, next_at).await;
            return planned.unwrap_or_else(|error| {
                error!(transaction = %id, %error, "the next poll could not be planned; the lease \
                    expires");
            });
        }
        self.status_queries.refresh_status(&due, permit).await;
        match self.schedules.schedule_status_query(&id, query_count + 1, next, clock.now()).await {
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
