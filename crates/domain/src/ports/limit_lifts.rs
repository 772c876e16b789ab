//! The port for changes of limits that wait for a second person.

use super::StoreError;
use crate::{
    Scope,
    audit::AuditContext,
    limit_lift::{LiftDecision, LiftRefusal, LimitLift, RequestedControls},
    payout_controls::{ControlsChange, PayoutControls},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// Why a change that waits was not decided.
#[derive(Debug, thiserror::Error)]
pub enum LiftError {
    /// A rule forbids it.
    #[error(transparent)]
    Refused(#[from] LiftRefusal),
    /// The store failed. The variant of [`StoreError`] shows whether it may be decided.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The part of the store for lifted limits. The owners get a notice about each change.
#[async_trait]
pub trait LimitLifts: Debug + Send + Sync + 'static {
    /// Changes limits as a person of the dashboard asks. What lifts a limit waits, if the account
    /// has another person who may change limits and has enrolled, or lost one a short time ago. It
    /// replaces an earlier request.
    async fn request_payout_controls(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> Result<RequestedControls, StoreError>;
    /// The change of limits that waits for a second person.
    async fn limit_lift(
        &self,
        scope: &Scope,
        now: Timestamp,
    ) -> Result<Option<LimitLift>, StoreError>;
    /// Decides about the change that was asked for at this time. Of simultaneous decisions one
    /// wins.
    async fn decide_limit_lift(
        &self,
        scope: &Scope,
        asked_at: Timestamp,
        decision: LiftDecision,
        by: &AuditContext,
    ) -> Result<PayoutControls, LiftError>;
}
