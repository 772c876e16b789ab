//! The [`PayoutApprovals`] port: each use case is one transaction.

use super::{SqliteStore, approvals, payout_controls};
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    AccountId, Scope, Transaction, TransactionId,
    approval::{DecideError, RoutedDecision},
    audit::AuditContext,
    payout_controls::{ControlsChange, PayoutControls},
    ports::{Decided, PayoutApprovals, StoreError},
};

#[async_trait]
impl PayoutApprovals for SqliteStore {
    async fn payout_controls(&self, scope: &Scope) -> Result<PayoutControls, StoreError> {
        self.readers.read(|db| payout_controls::read(db, scope))
    }

    async fn set_payout_controls(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> Result<PayoutControls, StoreError> {
        let scope = scope.clone();
        let by = by.clone();
        self.writer.write(move |db| payout_controls::change(db, &scope, change, &by)).await
    }

    async fn unapproved(
        &self,
        account: Option<&AccountId>,
    ) -> Result<Vec<Transaction>, StoreError> {
        let account = account.cloned();
        self.readers.read_many(move |db| approvals::unapproved(db, account.as_ref())).await
    }

    async fn decide_payout(
        &self,
        id: &TransactionId,
        decision: RoutedDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<Decided, DecideError> {
        let id = id.clone();
        let by = by.cloned();
        self.writer.write(move |db| approvals::decide(db, &id, &decision, by.as_ref(), now)).await?
    }

    async fn expire_approvals(
        &self,
        now: Timestamp,
        most: u32,
    ) -> Result<Vec<Decided>, StoreError> {
        if self.readers.read(|db| approvals::is_any_expired(db, now))? {
            self.writer.write(move |db| approvals::expire(db, now, most)).await
        } else {
            Ok(Vec::new())
        }
    }
}
