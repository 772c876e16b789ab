//! The [`PayoutApprovals`] port: each use case is one transaction.

use super::{PostgresStore, approvals, payout_controls};
use crate::in_doubt::InDoubt;
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    AccountId, Scope, Transaction, TransactionId,
    approval::{DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    payout_controls::{ControlsChange, PayoutControls},
    ports::{Decided, PayoutApprovals, StoreError},
};

type Stored<T> = Result<T, StoreError>;

#[async_trait]
impl PayoutApprovals for PostgresStore {
    async fn payout_controls(&self, scope: &Scope) -> Stored<PayoutControls> {
        self.tx.read(|db| async move { payout_controls::read(&db, scope).await }).await
    }

    async fn set_payout_controls(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> Stored<PayoutControls> {
        self.tx
            .write(InDoubt::Retry, |db| async move {
                payout_controls::change(&db, scope, change, by).await
            })
            .await
    }

    async fn unapproved(&self, account: Option<&AccountId>) -> Stored<Vec<Transaction>> {
        self.tx.read(|db| async move { approvals::unapproved(&db, account).await }).await
    }

    async fn decide_payout(
        &self,
        id: &TransactionId,
        decision: RoutedDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<Decided, DecideError> {
        let decision = &decision;
        let in_doubt = match decision.decision {
            PayoutDecision::Cancel => InDoubt::Retry,
            // A second approval or refusal would find the first one, and report an error.
            PayoutDecision::Approve { .. } | PayoutDecision::Refuse { .. } => InDoubt::Surface,
        };
        self.tx
            .try_write(
                in_doubt,
                |db| async move { approvals::decide(&db, id, decision, by, now).await },
            )
            .await?
    }

    async fn expire_approvals(&self, now: Timestamp, most: u32) -> Stored<Vec<Decided>> {
        if self.tx.read(|db| async move { approvals::is_any_expired(&db, now).await }).await? {
            self.tx
                .write(InDoubt::Retry, |db| async move { approvals::expire(&db, now, most).await })
                .await
        } else {
            Ok(Vec::new())
        }
    }
}
