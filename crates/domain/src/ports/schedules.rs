//! The port for the times at which transactions are due.

use super::{DueTransaction, NextStatusQuery, StoreError};
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
    /// Leases due transactions of these queues, oldest first, and of each queue at most as many as
    /// `limits` says. Until `leased_until` no other process gets them.
    async fn lease_due(
        &self,
        limits: Vec<(Queue, u32)>,
        now: Timestamp,
        leased_until: Timestamp,
    ) -> Result<Vec<DueTransaction>, StoreError>;
    /// Ends the leases that expire at `latest` or earlier: they belong to a process that has ended,
    /// or expire soon anyway. Does nothing while another process is running that may hold them.
    async fn end_leases(&self, now: Timestamp, latest: Timestamp) -> Result<(), StoreError>;
    /// Makes due now the orders to send, queries, webhook deliveries and e-mail whose time is more
    /// than the longest delay from now. A clock that was ahead has scheduled them, here or on
    /// another node.
    async fn correct_schedules(&self, now: Timestamp) -> Result<(), StoreError>;
    /// Stores the time of the next query and whether the transaction is flagged for review. Does
    /// nothing if the transaction has a final state. Returns whether it was pending. `query_count`:
    /// the number of queries so far.
    async fn schedule_status_query(
        &self,
        id: &TransactionId,
        query_count: u32,
        next: NextStatusQuery,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Schedules the next status query of a final transaction at `at`, or ends its status queries
    /// where that is `None`: a statement, a callback or the operator itself may contradict its
    /// status. `query_count`: the number of queries so far.
    async fn schedule_status_query_of_final(
        &self,
        id: &TransactionId,
        query_count: u32,
        at: Option<Timestamp>,
    ) -> Result<(), StoreError>;
}
