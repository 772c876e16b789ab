//! Changes that lift limits, and wait for a second person. Each locks the row of the limits.

use super::{PostgresStore, db::Db, error::Result, payout_controls, record::at};
use crate::in_doubt::InDoubt;
use crate::queries::audit;
use crate::queries::memberships;
use crate::queries::security_notices;
use crate::{audit_values, columns, lift_json, rows};
use async_trait::async_trait;
use jiff::Timestamp;
use tua_domain::{
    Scope,
    audit::{Action, AuditContext},
    limit_lift::{LiftDecision, LiftRefusal, LimitLift, RequestedControls, must_wait},
    mail::SecurityEvent,
    payout_controls::{ControlsChange, PayoutControls},
    ports::{LimitLifts, StoreError},
};

type Stored<T> = std::result::Result<T, StoreError>;
type Decided = std::result::Result<PayoutControls, LiftRefusal>;

#[async_trait]
impl LimitLifts for PostgresStore {
    async fn request_payout_controls(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> Stored<RequestedControls> {
        self.tx
            .write(InDoubt::Retry, |db| async move { request(&db, scope, change, by).await })
            .await
    }

    async fn limit_lift(&self, scope: &Scope, now: Timestamp) -> Stored<Option<LimitLift>> {
        let found = self.tx.read(|db| async move { find(&db, scope).await }).await?;
        Ok(found.filter(|lift| lift.is_waiting(now)))
    }

    async fn decide_limit_lift(
        &self,
        scope: &Scope,
        asked_at: Timestamp,
        decision: LiftDecision,
        by: &AuditContext,
    ) -> Stored<Decided> {
        self.tx
            .write(InDoubt::Surface, |db| async move {
                decide(&db, scope, asked_at, decision, by).await
            })
            .await
    }
}

async fn request(
    db: &Db,
    scope: &Scope,
    change: ControlsChange,
    by: &AuditContext,
) -> Result<RequestedControls> {
    let before = payout_controls::lock_one(db, scope).await?;
    let (at_once, lift) = change.split_lift(before);
    let is_lift = lift != ControlsChange::default();
    if !is_lift || !must_wait_now(db, scope, by).await? {
        let controls = change.apply(before);
        if is_lift {
            end(db, scope).await?;
        }
        store(db, scope, before, controls, by).await?;
        return Ok(RequestedControls { controls, lift: None });
    }
    let controls = at_once.apply(before);
    let lift = LimitLift {
        change: lift,
        asked_by: by.person().unwrap_or_default().to_owned(),
        asked_at: by.at,
    };
    let update = "UPDATE payout_controls SET lift = $3, lift_by = $4, lift_at = $5 WHERE \
        account_id = $1 AND mode = $2";
    let (account, mode, json) =
        (scope.account.as_str(), scope.mode.as_str(), lift_json::write(lift.change));
    db.execute(update, &[&account, &mode, &json, &lift.asked_by, &at(lift.asked_at)]).await?;
    let difference = controls.difference(&lift.change.apply(controls));
    security_notices::tell_owners(db, SecurityEvent::LiftRequested, scope, &difference, by).await?;
    store(db, scope, before, controls, by).await?;
    audit::append(
        db,
        by,
        &audit_values::payouts::limit_lift(Action::LimitLiftRequested, scope, controls, &lift),
    )
    .await?;
    Ok(RequestedControls { controls, lift: Some(lift) })
}

/// The people are read first: a person who is not among them any more was noted as lost before.
async fn must_wait_now(db: &Db, scope: &Scope, by: &AuditContext) -> Result<bool> {
    let members = memberships::of_account(db, &scope.account).await?;
    let sql = "SELECT decider_lost_at FROM accounts WHERE id = $1";
    let row = db.query_opt(sql, &[&scope.account.as_str()]).await?;
    let lost_at =
        row.as_ref().map(|row| columns::maybe_time(row, "decider_lost_at")).transpose()?.flatten();
    Ok(must_wait(&members, by.person(), lost_at, by.at))
}

/// Stores limits that apply at once.
async fn store(
    db: &Db,
    scope: &Scope,
    before: PayoutControls,
    after: PayoutControls,
    by: &AuditContext,
) -> Result<()> {
    if before == after {
        return Ok(());
    }
    payout_controls::write(db, scope, after).await?;
    payout_controls::tell(db, scope, before, after, by).await?;
    audit::append(db, by, &audit_values::payouts::payout_limits_changed(scope, before, after)).await
}

async fn find(db: &Db, scope: &Scope) -> Result<Option<LimitLift>> {
    let sql =
        "SELECT lift, lift_by, lift_at FROM payout_controls WHERE account_id = $1 AND mode = $2";
    let row = db.query_opt(sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    Ok(row.as_ref().map(rows::limit_lift).transpose()?.flatten())
}

/// Ends what waits for a second person.
pub(super) async fn end(db: &Db, scope: &Scope) -> Result<()> {
    let sql = "UPDATE payout_controls SET lift = NULL, lift_by = NULL, lift_at = NULL
               WHERE account_id = $1 AND mode = $2";
    db.execute(sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await.map(drop)
}

async fn decide(
    db: &Db,
    scope: &Scope,
    asked_at: Timestamp,
    decision: LiftDecision,
    by: &AuditContext,
) -> Result<Decided> {
    let before = payout_controls::lock_one(db, scope).await?;
    let Some(lift) = find(db, scope).await? else { return Ok(Err(LiftRefusal::NotWaiting)) };
    if let Err(refusal) = lift.check(asked_at, by.person(), by.at) {
        return Ok(Err(refusal));
    }
    let after = lift.change.apply(before);
    end(db, scope).await?;
    match decision {
        LiftDecision::Approve => {
            payout_controls::write(db, scope, after).await?;
            payout_controls::tell(db, scope, before, after, by).await?;
            audit::append(
                db,
                by,
                &audit_values::payouts::limit_lift_approved(scope, before, &lift),
            )
            .await?;
            Ok(Ok(after))
        }
        LiftDecision::Refuse => {
            let difference = before.difference(&after);
            security_notices::tell_owners(db, SecurityEvent::LiftRefused, scope, &difference, by)
                .await?;
            let refused =
                audit_values::payouts::limit_lift(Action::LimitLiftRefused, scope, before, &lift);
            audit::append(db, by, &refused).await?;
            Ok(Ok(before))
        }
    }
}
