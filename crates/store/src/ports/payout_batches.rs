//! Batches of payouts: the [`PayoutBatches`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries};
use jiff::Timestamp;
use tua_domain::{
    BatchId, Scope,
    approval::{DecideError, PayoutDecision, RoutedDecision},
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
            let id = batch.id.clone();
            let exists = "SELECT 1 FROM payout_batches WHERE id = $1";
            let input = (batch, routes, attempt, by.cloned());
            self.try_write(
                InDoubt::Verify(exists, id.as_str()),
                input,
                async move |db, (batch, routes, attempt, by)| {
                    let attempt = attempt.as_ref();
                    let by = by.as_ref();
                    queries::payout_batches::begin(db, batch, routes, attempt, by, now).await
                },
            )
            .await
        }

        async fn check_batch(
            &self,
            batch: &NewBatch,
            now: Timestamp,
        ) -> Result<BatchCheck, StoreError> {
            self.read_many(batch.clone(), async move |db, batch| {
                queries::payout_batches::check(db, batch, now).await
            })
            .await
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
            let in_doubt = match decision.decision {
                PayoutDecision::Cancel => InDoubt::Retry,
                // A second approval or refusal would find the first one, and report an error.
                PayoutDecision::Approve { .. } | PayoutDecision::Refuse { .. } => InDoubt::Surface,
            };
            let input = (id.clone(), decision, by.cloned());
            self.try_write(in_doubt, input, async move |db, (id, decision, by)| {
                queries::payout_batches::decide(db, id, decision, by.as_ref(), now).await
            })
            .await
        }
    }
}
