//! The limits of the payouts of an account and mode, and lifts of them that wait for a second
//! person (docs/reference/payouts.md).

use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    Scope,
    audit::AuditContext,
    limit_lift::{LiftDecision, LimitLift, RequestedControls, has_second_person},
    payout_controls::{ControlsChange, PayoutControls},
    ports::{Clock, LiftError, LimitLifts, PayoutApprovals, People, StoreError},
};

/// Reads and changes limits.
#[derive(Clone, Debug)]
pub struct PayoutLimits {
    /// Where limits are stored.
    pub approvals: Arc<dyn PayoutApprovals>,
    /// Where lifts that wait for a second person are stored.
    pub lifts: Arc<dyn LimitLifts>,
    /// Has the people who may decide about lifts.
    pub people: Arc<dyn People>,
    /// Decides which lifts have waited too long.
    pub clock: Arc<dyn Clock>,
}

/// The limits of an account and mode.
#[derive(Clone, Debug)]
pub struct CurrentLimits {
    /// The limits as they are now.
    pub controls: PayoutControls,
    /// The change that lifts limits and waits for a second person.
    pub lift: Option<WaitingLift>,
}

/// A change that waits for a second person.
#[derive(Clone, Debug)]
pub struct WaitingLift {
    /// The change, and who asked for it.
    pub lift: LimitLift,
    /// Whether the account has a person who may decide about it.
    pub can_be_decided: bool,
}

impl PayoutLimits {
    /// The limits, and the change of them that waits.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn read(&self, scope: &Scope) -> Result<CurrentLimits, StoreError> {
        let controls = self.approvals.payout_controls(scope).await?;
        let lift = match self.lifts.limit_lift(scope, self.clock.now()).await? {
            Some(lift) => {
                let members = self.people.members(&scope.account).await?;
                let can_be_decided = has_second_person(&members, Some(&lift.asked_by));
                Some(WaitingLift { lift, can_be_decided })
            }
            None => None,
        };
        Ok(CurrentLimits { controls, lift })
    }

    /// Changes limits as a person of the dashboard asks. What lifts a limit may wait for a second
    /// person. It is audited.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn request(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> Result<RequestedControls, StoreError> {
        self.lifts.request_payout_controls(scope, change, by).await
    }

    /// Changes limits at once, which is audited, and ends a change that waits.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn set(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> Result<PayoutControls, StoreError> {
        self.approvals.set_payout_controls(scope, change, by).await
    }

    /// Decides about the change that was asked for at this time. Returns the limits as they then
    /// are. It is audited.
    ///
    /// # Errors
    /// [`LiftError`].
    pub async fn decide(
        &self,
        scope: &Scope,
        asked_at: Timestamp,
        decision: LiftDecision,
        by: &AuditContext,
    ) -> Result<PayoutControls, LiftError> {
        self.lifts.decide_limit_lift(scope, asked_at, decision, by).await
    }
}
