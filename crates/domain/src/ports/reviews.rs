//! The port for payments whose outcome people decide.

use super::{ReviewError, StoreError};
use crate::{
    AccountId, Transaction, TransactionId,
    audit::AuditContext,
    decision_text::DecisionNote,
    pending::PendingGroup,
    review::{FlaggedTransaction, ReviewVerdict},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{collections::HashMap, fmt::Debug};

/// The part of the store for pending transactions and those that wait for a person's decision.
#[async_trait]
pub trait Reviews: Debug + Send + Sync + 'static {
    /// Lists the transactions that are flagged for review, oldest first.
    async fn flagged(
        &self,
        account: Option<&AccountId>,
    ) -> Result<Vec<FlaggedTransaction>, StoreError>;
    /// Applies a manual decision to a flagged transaction, by the same rules as an operator's
    /// response.
    async fn review(
        &self,
        id: &TransactionId,
        verdict: ReviewVerdict,
        note: DecisionNote,
        by: &AuditContext,
    ) -> Result<Transaction, ReviewError>;

    /// Counts the pending transactions of each group. Groups without a transaction are absent.
    async fn pending(&self, now: Timestamp) -> Result<HashMap<PendingGroup, u32>, StoreError>;
}
