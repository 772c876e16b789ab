//! The methods of the [`tua_domain::ports::PayoutBatches`] port that are specific to SQLite.

use crate::sqlite::{SqliteStore, payout_batches};
use jiff::Timestamp;
use tua_domain::{
    BatchId,
    approval::{DecideError, RoutedDecision},
    audit::AuditContext,
    idempotency::Attempt,
    payout_batch::{BatchCheck, NewBatch, PayoutBatch},
    payout_route::PayoutRoutes,
    ports::{BeginError, DecidedBatch, StoreError},
};
use tua_sql::write_error::WriteError;

impl SqliteStore {
    /// Inserts a batch with all its payouts and the idempotency record, or nothing.
    pub(crate) async fn insert_batch(
        &self,
        batch: NewBatch,
        routes: PayoutRoutes,
        attempt: Option<Attempt>,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<PayoutBatch, BeginError> {
        let by = by.cloned();
        self.writer
            .try_write(move |db| {
                payout_batches::begin(db, &batch, &routes, attempt.as_ref(), by.as_ref(), now)
            })
            .await
            .map_err(WriteError::into_error)
    }

    /// What a batch would meet if it began now.
    pub(crate) async fn check_new_batch(
        &self,
        batch: &NewBatch,
        now: Timestamp,
    ) -> Result<BatchCheck, StoreError> {
        let batch = batch.clone();
        self.readers.read_many(move |db| payout_batches::check(db, &batch, now)).await
    }

    /// Decides about a batch.
    pub(crate) async fn apply_batch_decision(
        &self,
        id: &BatchId,
        decision: RoutedDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<DecidedBatch, DecideError> {
        let id = id.clone();
        let by = by.cloned();
        self.writer
            .try_write(move |db| payout_batches::decide(db, &id, &decision, by.as_ref(), now))
            .await
            .map_err(WriteError::into_error)
    }
}
