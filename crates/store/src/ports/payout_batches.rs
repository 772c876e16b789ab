//! The [`PayoutBatches`] port.

use super::both_engines;
use jiff::Timestamp;
use tua_domain::{
    BatchId, Scope,
    approval::{DecideError, RoutedDecision},
    audit::AuditContext,
    idempotency::Attempt,
    payout_batch::{BatchCheck, BatchSummary, NewBatch, PayoutBatch},
    payout_route::PayoutRoutes,
    ports::{BeginError, DecidedBatch, PayoutBatches, StoreError},
};
use tua_sql::queries::payout_batches;

both_engines! {
    impl PayoutBatches {
        async fn begin_batch(
            &self,
            batch: NewBatch,
            routes: PayoutRoutes,
            attempt: Option<Attempt>,
            by: Option<&AuditContext>,
            now: Timestamp,
        ) -> Result<PayoutBatch, BeginError> {
            self.insert_batch(batch, routes, attempt, by, now).await
        }

        async fn check_batch(
            &self,
            batch: &NewBatch,
            now: Timestamp,
        ) -> Result<BatchCheck, StoreError> {
            self.check_new_batch(batch, now).await
        }

        async fn payout_batch(
            &self,
            id: &BatchId,
        ) -> Result<Option<PayoutBatch>, StoreError> {
            self.read_many(id.clone(), async |db, id| payout_batches::by_id(db, id).await).await
        }

        async fn payout_batches(
            &self,
            scope: Option<&Scope>,
            limit: u32,
        ) -> Result<Vec<BatchSummary>, StoreError> {
            self.read_many(scope.cloned(), async move |db, scope| {
                payout_batches::newest(db, scope.as_ref(), limit).await
            })
            .await
        }

        async fn unapproved_batches(
            &self,
            scope: Option<&Scope>,
        ) -> Result<Vec<BatchSummary>, StoreError> {
            self.read_many(scope.cloned(), async |db, scope| {
                payout_batches::unapproved(db, scope.as_ref()).await
            })
            .await
        }

        async fn decide_batch(
            &self,
            id: &BatchId,
            decision: RoutedDecision,
            by: Option<&AuditContext>,
            now: Timestamp,
        ) -> Result<DecidedBatch, DecideError> {
            self.apply_batch_decision(id, decision, by, now).await
        }
    }
}
