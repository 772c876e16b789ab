//! Changes of limits: those that apply at once, and those that lift a limit and wait for a second
//! person. Each locks the row of the limits.

use super::{audit, memberships, payout_controls, security_notices};
use crate::{
    audit_values, columns::maybe_time, lift_json, rows, sql::Sql, write_error::WriteError,
};
use jiff::Timestamp;
use tua_domain::{
    Scope,
    audit::{Action, AuditContext},
    limit_lift::{LiftDecision, LiftRefusal, LimitLift, RequestedControls, must_wait},
    mail::SecurityEvent,
    payout_controls::{ControlsChange, PayoutControls},
};

/// Changes limits at once. A change that waits for a second person ends.
pub async fn change<S: Sql>(
    db: &S,
    scope: &Scope,
    change: ControlsChange,
    by: &AuditContext,
) -> Result<PayoutControls, S::Error> {
    let before = payout_controls::lock_one(db, scope).await?;
    let controls = change.apply(before);
    payout_controls::write(db, scope, controls).await?;
    end(db, scope).await?;
    payout_controls::notify_owners(db, scope, before, controls, by).await?;
    audit::append(db, by, &audit_values::payouts::payout_limits_changed(scope, before, controls))
        .await?;
    Ok(controls)
}

/// Changes limits; what lifts one waits where a second person must decide about it.
pub async fn request<S: Sql>(
    db: &S,
    scope: &Scope,
    change: ControlsChange,
    by: &AuditContext,
) -> Result<RequestedControls, S::Error> {
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
    db.execute(
        update,
        &[
            &scope.account.as_str(),
            &scope.mode.as_str(),
            &lift_json::write(lift.change),
            &lift.asked_by,
            &lift.asked_at,
        ],
    )
    .await?;
    let difference = controls.difference(&lift.change.apply(controls));
    security_notices::notify_owners(db, SecurityEvent::LiftRequested, scope, &difference, by)
        .await?;
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
async fn must_wait_now<S: Sql>(db: &S, scope: &Scope, by: &AuditContext) -> Result<bool, S::Error> {
    let members = memberships::of_account(db, &scope.account).await?;
    let sql = "SELECT decider_lost_at FROM accounts WHERE id = $1";
    let row = db.query_opt(sql, &[&scope.account.as_str()]).await?;
    let lost_at = row.as_ref().map(|row| maybe_time(row, "decider_lost_at")).transpose()?.flatten();
    Ok(must_wait(&members, by.person(), lost_at, by.at))
}

/// Stores limits that apply at once.
async fn store<S: Sql>(
    db: &S,
    scope: &Scope,
    before: PayoutControls,
    after: PayoutControls,
    by: &AuditContext,
) -> Result<(), S::Error> {
    if before == after {
        return Ok(());
    }
    payout_controls::write(db, scope, after).await?;
    payout_controls::notify_owners(db, scope, before, after, by).await?;
    audit::append(db, by, &audit_values::payouts::payout_limits_changed(scope, before, after)).await
}

/// What waits for a second person, if anything.
pub async fn find<S: Sql>(db: &S, scope: &Scope) -> Result<Option<LimitLift>, S::Error> {
    let sql =
        "SELECT lift, lift_by, lift_at FROM payout_controls WHERE account_id = $1 AND mode = $2";
    let row = db.query_opt(sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await?;
    Ok(row.as_ref().map(rows::limit_lift).transpose()?.flatten())
}

/// Ends what waits for a second person.
pub(crate) async fn end<S: Sql>(db: &S, scope: &Scope) -> Result<(), S::Error> {
    let sql = "UPDATE payout_controls SET lift = NULL, lift_by = NULL, lift_at = NULL
               WHERE account_id = $1 AND mode = $2";
    db.execute(sql, &[&scope.account.as_str(), &scope.mode.as_str()]).await.map(drop)
}

/// Approves or refuses what waits for a second person. Returns the limits that apply then.
pub async fn decide<S: Sql>(
    db: &S,
    scope: &Scope,
    asked_at: Timestamp,
    decision: LiftDecision,
    by: &AuditContext,
) -> Result<PayoutControls, WriteError<LiftRefusal, S::Error>> {
    let before = payout_controls::lock_one(db, scope).await?;
    let Some(lift) = find(db, scope).await? else {
        return Err(WriteError::Rejected(LiftRefusal::NotWaiting));
    };
    lift.check(asked_at, by.person(), by.at).map_err(WriteError::Rejected)?;
    let after = lift.change.apply(before);
    end(db, scope).await?;
    match decision {
        LiftDecision::Approve => {
            payout_controls::write(db, scope, after).await?;
            payout_controls::notify_owners(db, scope, before, after, by).await?;
            audit::append(
                db,
                by,
                &audit_values::payouts::limit_lift_approved(scope, before, &lift),
            )
            .await?;
            Ok(after)
        }
        LiftDecision::Refuse => {
            let difference = before.difference(&after);
            security_notices::notify_owners(db, SecurityEvent::LiftRefused, scope, &difference, by)
                .await?;
            let refused =
                audit_values::payouts::limit_lift(Action::LimitLiftRefused, scope, before, &lift);
            audit::append(db, by, &refused).await?;
            Ok(before)
        }
    }
}
