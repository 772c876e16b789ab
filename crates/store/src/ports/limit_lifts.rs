//! The [`LimitLifts`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::Timestamp;
use tua_domain::{
    Scope,
    audit::AuditContext,
    limit_lift::{LiftDecision, LimitLift, RequestedControls},
    payout_controls::{ControlsChange, PayoutControls},
    ports::{LiftError, LimitLifts, StoreError},
};
use tua_sql::queries::limit_lifts;

both_engines! {
    impl LimitLifts {
        async fn request_payout_controls(
            &self,
            scope: &Scope,
            change: ControlsChange,
            by: &AuditContext,
        ) -> Result<RequestedControls, StoreError> {
            let input = (scope.clone(), by.clone());
            self.write(InDoubt::Retry, input, async move |db, (scope, by)| {
                limit_lifts::request(db, scope, change, by).await
            })
            .await
        }

        async fn limit_lift(
            &self,
            scope: &Scope,
            now: Timestamp,
        ) -> Result<Option<LimitLift>, StoreError> {
            let found = self
                .read(scope.clone(), async |db, scope| limit_lifts::find(db, scope).await)
                .await?;
            Ok(found.filter(|lift| lift.is_waiting(now)))
        }

        async fn decide_limit_lift(
            &self,
            scope: &Scope,
            asked_at: Timestamp,
            decision: LiftDecision,
            by: &AuditContext,
        ) -> Result<PayoutControls, LiftError> {
            let input = (scope.clone(), by.clone());
            self.try_write(InDoubt::Surface, input, async move |db, (scope, by)| {
                limit_lifts::decide(db, scope, asked_at, decision, by).await
            })
            .await
        }
    }
}
