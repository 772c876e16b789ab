//! The port for approvals and limits of payouts.

use super::{DecidedPayout, StoreError};
use crate::{
    AccountId, Scope, Transaction, TransactionId,
    approval::{DecideError, RoutedDecision, WaitingRequests},
    audit::AuditContext,
    payout_controls::{ControlsChange, PayoutControls},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The part of the store for payouts that wait for a person, and for the limits above which they
/// do.
#[async_trait]
pub trait PayoutApprovals: Debug + Send + Sync + 'static {
    /// The limits of the payouts of an account and mode.
    async fn payout_controls(&self, scope: &Scope) -> Result<PayoutControls, StoreError>;
    /// Changes these limits at once; returns them as they then are. A change that waits for a
    /// second person ends.
    async fn set_payout_controls(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> Result<PayoutControls, StoreError>;
    /// Payouts that wait for an approval, the longest first.
    async fn unapproved(&self, account: Option<&AccountId>)
    -> Result<Vec<Transaction>, StoreError>;
    /// The payouts and refunds of an account and mode that wait for an approval and are in no
    /// batch, counted for each key or person that asked for them.
    async fn waiting_requests(&self, scope: &Scope) -> Result<Vec<WaitingRequests>, StoreError>;
    /// Decides about a payout that is not handed over. Of simultaneous decisions exactly one wins,
    /// but a cancellation may follow an approval. An approval is checked against limits, key and
    /// account as they then are. The decision is audited, if `by` is given.
    async fn decide_payout(
        &self,
        id: &TransactionId,
        decision: RoutedDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> Result<DecidedPayout, DecideError>;
    /// Ends payouts that have waited too long for an approval, at most so many.
    async fn expire_approvals(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<DecidedPayout>, StoreError>;
}
