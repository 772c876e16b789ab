//! Payouts that wait for a second person: the [`PayoutApprovals`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries::approvals};
use jiff::Timestamp;
use tua_domain::{
    AccountId, Scope, Transaction, TransactionId,
    approval::{DecideError, PayoutDecision, RoutedDecision, WaitingRequests},
    audit::AuditContext,
    payout_controls::{ControlsChange, PayoutControls},
    ports::{DecidedPayout, PayoutApprovals, StoreError},
};
use tua_sql::queries::{limit_lifts, payout_controls, waiting_requests};

both_engines! {
    impl PayoutApprovals {
        async fn payout_controls(&self, scope: &Scope) -> Result<PayoutControls, StoreError> {
            self.read(scope.clone(), async |db, scope| payout_controls::read(db, scope).await).await
        }

        async fn set_payout_controls(
            &self,
            scope: &Scope,
            change: ControlsChange,
            by: &AuditContext,
        ) -> Result<PayoutControls, StoreError> {
            let input = (scope.clone(), by.clone());
            self.write(InDoubt::Retry, input, async move |db, (scope, by)| {
                limit_lifts::change(db, scope, change, by).await
            })
            .await
        }

        async fn unapproved(
            &self,
            account: Option<&AccountId>,
        ) -> Result<Vec<Transaction>, StoreError> {
            self.read_many(account.cloned(), async |db, account| {
                approvals::unapproved(db, account.as_ref()).await
            })
            .await
        }

        async fn waiting_requests(
            &self,
            scope: &Scope,
        ) -> Result<Vec<WaitingRequests>, StoreError> {
            self.read_many(scope.clone(), async |db, scope| {
                waiting_requests::by_asker(db, scope).await
            })
            .await
        }

        async fn decide_payout(
            &self,
            id: &TransactionId,
            decision: RoutedDecision,
            by: Option<&AuditContext>,
            now: Timestamp,
        ) -> Result<DecidedPayout, DecideError> {
            let in_doubt = match decision.decision {
                PayoutDecision::Cancel => InDoubt::Retry,
                // A second approval or refusal would find the first one, and report an error.
                PayoutDecision::Approve { .. } | PayoutDecision::Refuse { .. } => InDoubt::Surface,
            };
            let input = (id.clone(), decision, by.cloned());
            self.try_write(in_doubt, input, async move |db, (id, decision, by)| {
                approvals::decide(db, id, decision, by.as_ref(), now).await
            })
            .await
        }

        async fn expire_approvals(
            &self,
            now: Timestamp,
            limit: u32,
        ) -> Result<Vec<DecidedPayout>, StoreError> {
            // Usually none has expired; then a read suffices.
            if !self.read(now, async |db, now| approvals::is_any_expired(db, *now).await).await? {
                return Ok(Vec::new());
            }
            self.write(InDoubt::Retry, (), async move |db, ()| {
                approvals::expire(db, now, limit).await
            })
            .await
        }
    }
}
