//! The port for the times at which transactions are due.

use super::{Due, NextAsk, StoreError};
use crate::{TransactionId, queue::Queue};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The part of the store for the times at which orders are sent and operators are queried.
#[async_trait]
pub trait Schedules: Debug + Send + Sync + 'static {
    /// Which of these queues contain due transactions: an order to send, or a query.
    async fn due_queues(
        &self,
        queues: Vec<Queue>,
        now: Timestamp,
    ) -> Result<Vec<Queue>, StoreError>;
    /// Leases due transactions of these queues, oldest first, each queue with its maximum. Until
    /// `leased_until` no other process gets them.
    async fn lease_due(
        &self,
        places: Vec<(Queue, u32)>,
        now: Timestamp,
        leased_until: Timestamp,
    ) -> Result<Vec<Due>, StoreError>;
    /// Ends the leases that expire at `latest` or earlier: they belong to a process that has ended,
    /// or expire soon anyway. Does nothing while another process is running that may hold them.
    async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError>;
    /// Makes due now what is scheduled later than any schedule reaches: orders to send, queries,
    /// webhook deliveries and e-mail. A clock that was ahead has scheduled it, here or on another
    /// node.
    async fn bring_schedules_back(&self, now: Timestamp) -> Result<(), StoreError>;
    /// Schedules the next query, or flags the transaction for review, as `next` says. Does nothing
    /// if the transaction has a final state. Returns whether it was pending.
    async fn plan_ask(
        &self,
        id: &TransactionId,
        asks: u32,
        next: NextAsk,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
}
