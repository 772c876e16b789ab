//! The methods of the [`tua_domain::ports::PayoutBatches`] port that are specific to PostgreSQL.

use crate::{
    in_doubt::InDoubt,
    postgres::{PostgresStore, payout_batches},
};
use jiff::Timestamp;
use tua_domain::{
    BatchId,
    approval::{DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    idempotency::Attempt,
    payout_batch::{BatchCheck, NewBatch, PayoutBatch},
    payout_route::PayoutRoutes,
    ports::{BeginError, DecidedBatch, StoreError},
};
use tua_sql::write_error::WriteError;

impl PostgresStore {
    /// Inserts a batch with all its payouts and the idempotency record, or nothing.
    pub(crate) async fn insert_batch(
        &self,
        batch: NewBatch,
        routes: PayoutRoutes,
        attempt: Option<Attempt>,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<PayoutBatch, BeginError> {
        let batch = &batch;
        let routes = &routes;
        let attempt = attempt.as_ref();
        let in_doubt =
            InDoubt::Verify("SELECT 1 FROM payout_batches WHERE id = $1", batch.id.as_str());
        self.tx
            .try_write(in_doubt, |db| async move {
                payout_batches::begin(&db, batch, routes, attempt, by, now).await
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
        self.tx.read(|db| async move { payout_batches::check(&db, batch, now).await }).await
    }

    /// Decides about a batch.
    pub(crate) async fn apply_batch_decision(
        &self,
        id: &BatchId,
        decision: RoutedDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<DecidedBatch, DecideError> {
        let decision = &decision;
        let in_doubt = match decision.decision {
            PayoutDecision::Cancel => InDoubt::Retry,
            // A second approval or refusal would find the first one, and report an error.
            PayoutDecision::Approve { .. } | PayoutDecision::Refuse { .. } => InDoubt::Surface,
        };
        self.tx
            .try_write(in_doubt, |db| async move {
                payout_batches::decide(&db, id, decision, by, now).await
            })
            .await
            .map_err(WriteError::into_error)
    }
}
