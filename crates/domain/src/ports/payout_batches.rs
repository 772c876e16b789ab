//! Batches of payouts: begun, approved and refused whole. Each method is one use case and atomic.

use super::{BeginError, DecidedPayout, StoreError};
use crate::{
    BatchId, Scope,
    approval::{DecideError, RoutedDecision},
    audit::AuditContext,
    idempotency::Attempt,
    payout_batch::{BatchCheck, BatchSummary, NewBatch, PayoutBatch},
    payout_route::PayoutRoutes,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// A batch after a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecidedBatch {
    /// The batch with all its lines, after the decision.
    pub batch: PayoutBatch,
    /// The lines that changed.
    pub changed: Vec<DecidedPayout>,
}

/// The port to the stored batches.
#[async_trait]
pub trait PayoutBatches: Debug + Send + Sync + 'static {
    /// Inserts a batch with all its payouts and the idempotency record, or nothing. Its sum is
    /// checked against the limits of its account under their lock. `routes` has the operator of
    /// each payout. It is audited if `by` is given.
    ///
    /// # Errors
    /// [`BeginError::Repeat`] also where there is a batch with this id.
    async fn begin_batch(
        &self,
        batch: NewBatch,
        routes: PayoutRoutes,
        attempt: Option<Attempt>,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<PayoutBatch, BeginError>;
    /// What a batch would meet if it began now. Writes nothing.
    async fn check_batch(&self, batch: &NewBatch, now: Timestamp)
    -> Result<BatchCheck, StoreError>;
    /// Finds a batch with its payouts.
    async fn payout_batch(&self, id: &BatchId) -> Result<Option<PayoutBatch>, StoreError>;
    /// Lists batches, newest first, at most so many; those of one account and mode, or all.
    async fn payout_batches(
        &self,
        scope: Option<&Scope>,
        limit: u32,
    ) -> Result<Vec<BatchSummary>, StoreError>;
    /// Lists the batches with lines that wait for an approval, the longest waiting first.
    async fn unapproved_batches(
        &self,
        scope: Option<&Scope>,
    ) -> Result<Vec<BatchSummary>, StoreError>;
    /// Decides about a batch ([`crate::payout_batch::decide`]). Of simultaneous decisions
    /// exactly one wins, but a cancellation may follow an approval. An approval is checked against
    /// limits, key and account as they then are. The decision is audited, if `by` is given.
    async fn decide_batch(
        &self,
        id: &BatchId,
        decision: RoutedDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<DecidedBatch, DecideError>;
}
