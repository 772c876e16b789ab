//! Pending payments by the operator that they are pinned to.

use super::StoreError;
use crate::{
    Transaction,
    audit::AuditContext,
    payout_route::PayoutRoute,
    pinned_operator::{OperatorFingerprint, PinnedOperator},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{collections::HashMap, fmt::Debug};

/// What approved payouts that are not sent will take from the float at each operator, in pesewas.
pub type ReservedFloats = HashMap<OperatorFingerprint, i64>;

/// The part of the store for payments whose operator may be missing in the settings.
#[async_trait]
pub trait PinnedPayments: Debug + Send + Sync + 'static {
    /// How many pending payments each operator serves.
    async fn pending_by_operator(&self) -> Result<Vec<(PinnedOperator, u32)>, StoreError>;
    /// What approved payouts that are not sent will take from the float at each operator, in
    /// pesewas: those of every account and mode.
    async fn reserved_floats(&self) -> Result<ReservedFloats, StoreError>;
    /// Flags pending payments for review that were handed over at `before` or earlier and whose
    /// operator is not among `known`. Lifts the flag of those whose operator is back, unless they
    /// were flagged for another reason too. Returns how many were flagged.
    async fn flag_unserved(
        &self,
        known: Vec<OperatorFingerprint>,
        before: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
    /// Payments that [`Self::flag_unserved`] has flagged and whose payer is still asked to approve
    /// or to enter a code, at most `limit` of them.
    async fn unserved_prompts(&self, limit: u32) -> Result<Vec<Transaction>, StoreError>;
    /// Marks the order of a transaction that looked unsent as handed over, because an operator has
    /// it ([`crate::rules::found_at_operator`]). `approved` has what the lost approval
    /// chose, where one was needed. Returns the transaction as it now stands; if it has changed
    /// since `asked`, that is all. Audited.
    async fn record_found(
        &self,
        asked: &Transaction,
        approved: Option<PayoutRoute>,
        by: &AuditContext,
    ) -> Result<Transaction, StoreError>;
}
