//! Payments that an operator has, which no other may take: the [`PinnedPayments`] port.

use super::both_engines;
use crate::{
    in_doubt::InDoubt,
    queries::{hand_over, pinned_payments},
};
use jiff::Timestamp;
use tua_domain::{
    Transaction,
    audit::AuditContext,
    payout_route::PayoutRoute,
    ports::{PinnedPayments, ReservedFloats, StoreError},
    routing::{OperatorFingerprint, PinnedOperator},
};

both_engines! {
    impl PinnedPayments {
        async fn pending_by_operator(&self) -> Result<Vec<(PinnedOperator, u32)>, StoreError> {
            self.read_many((), async |db, ()| pinned_payments::pending_by_operator(db).await).await
        }

        async fn reserved_floats(&self) -> Result<ReservedFloats, StoreError> {
            self.read_many((), async |db, ()| pinned_payments::reserved_floats(db).await).await
        }

        async fn flag_unserved(
            &self,
            known: Vec<OperatorFingerprint>,
            before: Timestamp,
            now: Timestamp,
        ) -> Result<u64, StoreError> {
            self.write(InDoubt::Retry, known, async move |db, known| {
                pinned_payments::flag_unserved(db, known, before, now).await
            })
            .await
        }

        async fn unserved_prompts(&self, limit: u32) -> Result<Vec<Transaction>, StoreError> {
            self.read_many(i64::from(limit), async |db, limit| {
                pinned_payments::unserved_prompts(db, *limit).await
            })
            .await
        }

        async fn record_found(
            &self,
            asked: &Transaction,
            approved: Option<PayoutRoute>,
            by: &AuditContext,
        ) -> Result<Transaction, StoreError> {
            let input = (asked.order.id.clone(), approved, by.clone());
            // A repetition finds it handed over.
            self.write(InDoubt::Retry, input, async |db, (id, approved, by)| {
                hand_over::record_found(db, id, approved.as_ref(), by).await
            })
            .await
        }
    }
}
