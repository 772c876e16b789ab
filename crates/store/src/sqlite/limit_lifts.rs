//! Changes that lift limits, and wait for a second person.

use super::sql::ready;
use super::{SqliteStore, payout_controls, record::Record};
use crate::queries::audit;
use crate::queries::memberships;
use crate::queries::security_notices;
use crate::{audit_values, columns, lift_json, rows};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    Scope,
    audit::{Action, AuditContext},
    limit_lift::{LiftDecision, LiftRefusal, LimitLift, RequestedControls, must_wait},
    mail::SecurityEvent,
    payout_controls::{ControlsChange, PayoutControls},
    ports::{LimitLifts, StoreError},
};

#[async_trait]
impl LimitLifts for SqliteStore {
    async fn request_payout_controls(
        &self,
        scope: &Scope,
        change: ControlsChange,
        by: &AuditContext,
    ) -> std::result::Result<RequestedControls, StoreError> {
        let scope = scope.clone();
        let by = by.clone();
        self.writer.write(move |db| request(db, &scope, change, &by)).await
    }

    async fn limit_lift(
        &self,
        scope: &Scope,
        now: Timestamp,
    ) -> std::result::Result<Option<LimitLift>, StoreError> {
        self.readers.read(|db| Ok(find(db, scope)?.filter(|lift| lift.is_waiting(now))))
    }

    async fn decide_limit_lift(
        &self,
        scope: &Scope,
        asked_at: Timestamp,
        decision: LiftDecision,
        by: &AuditContext,
    ) -> std::result::Result<std::result::Result<PayoutControls, LiftRefusal>, StoreError> {
        let scope = scope.clone();
        let by = by.clone();
        self.writer.write(move |db| decide(db, &scope, asked_at, decision, &by)).await
    }
}

fn request(
    db: &Connection,
    scope: &Scope,
    change: ControlsChange,
    by: &AuditContext,
) -> Result<RequestedControls> {
    let before = payout_controls::read(db, scope)?;
    let (at_once, lift) = change.split_lift(before);
    let is_lift = lift != ControlsChange::default();
    if !is_lift || !must_wait_now(db, scope, by)? {
        let controls = change.apply(before);
        store(db, scope, before, controls, by)?;
        if is_lift {
            end(db, scope)?;
        }
        return Ok(RequestedControls { controls, lift: None });
    }
    let controls = at_once.apply(before);
    store(db, scope, before, controls, by)?;
    let lift = LimitLift {
        change: lift,
        asked_by: by.person().unwrap_or_default().to_owned(),
        asked_at: by.at,
    };
    db.prepare_cached(
        "UPDATE payout_controls SET lift = ?3, lift_by = ?4, lift_at = ?5 WHERE account_id = ?1 \
         AND mode = ?2",
    )?
    .execute((
        scope.account.as_str(),
        scope.mode.as_str(),
        lift_json::write(lift.change),
        &lift.asked_by,
        lift.asked_at.as_millisecond(),
    ))?;
    ready(audit::append(
        db,
        by,
        &audit_values::payouts::limit_lift(Action::LimitLiftRequested, scope, controls, &lift),
    ))?;
    let difference = controls.difference(&lift.change.apply(controls));
    ready(security_notices::tell_owners(db, SecurityEvent::LiftRequested, scope, &difference, by))?;
    Ok(RequestedControls { controls, lift: Some(lift) })
}

fn must_wait_now(db: &Connection, scope: &Scope, by: &AuditContext) -> Result<bool> {
    let members = ready(memberships::of_account(db, &scope.account))?;
    let lost_at = db
        .prepare_cached("SELECT decider_lost_at FROM accounts WHERE id = ?1")?
        .query_row([scope.account.as_str()], |row| {
            columns::maybe_time(&Record::new(row), "decider_lost_at")
        })?;
    Ok(must_wait(&members, by.person(), lost_at, by.at))
}

/// Stores limits that apply at once.
fn store(
    db: &Connection,
    scope: &Scope,
    before: PayoutControls,
    after: PayoutControls,
    by: &AuditContext,
) -> Result<()> {
    payout_controls::write(db, scope, after)?;
    if before == after {
        return Ok(());
    }
    ready(audit::append(
        db,
        by,
        &audit_values::payouts::payout_limits_changed(scope, before, after),
    ))?;
    payout_controls::tell(db, scope, before, after, by)
}

fn find(db: &Connection, scope: &Scope) -> Result<Option<LimitLift>> {
    db.prepare_cached(
        "SELECT lift, lift_by, lift_at FROM payout_controls WHERE account_id = ?1 AND mode = ?2",
    )?
    .query_row((scope.account.as_str(), scope.mode.as_str()), |row| {
        rows::limit_lift(&Record::new(row))
    })
    .optional()
    .map(Option::flatten)
}

/// Ends what waits for a second person.
pub(super) fn end(db: &Connection, scope: &Scope) -> Result<()> {
    db.prepare_cached(
        "UPDATE payout_controls SET lift = NULL, lift_by = NULL, lift_at = NULL WHERE account_id = \
         ?1 AND mode = ?2",
    )?
    .execute((scope.account.as_str(), scope.mode.as_str()))
    .map(drop)
}

fn decide(
    db: &Connection,
    scope: &Scope,
    asked_at: Timestamp,
    decision: LiftDecision,
    by: &AuditContext,
) -> Result<std::result::Result<PayoutControls, LiftRefusal>> {
    let Some(lift) = find(db, scope)? else { return Ok(Err(LiftRefusal::NotWaiting)) };
    if let Err(refusal) = lift.check(asked_at, by.person(), by.at) {
        return Ok(Err(refusal));
    }
    let before = payout_controls::read(db, scope)?;
    let after = lift.change.apply(before);
    end(db, scope)?;
    match decision {
        LiftDecision::Approve => {
            payout_controls::write(db, scope, after)?;
            ready(audit::append(
                db,
                by,
                &audit_values::payouts::limit_lift_approved(scope, before, &lift),
            ))?;
            payout_controls::tell(db, scope, before, after, by)?;
            Ok(Ok(after))
        }
        LiftDecision::Refuse => {
            ready(audit::append(
                db,
                by,
                &audit_values::payouts::limit_lift(Action::LimitLiftRefused, scope, before, &lift),
            ))?;
            let difference = before.difference(&after);
            ready(security_notices::tell_owners(
                db,
                SecurityEvent::LiftRefused,
                scope,
                &difference,
                by,
            ))?;
            Ok(Ok(before))
        }
    }
}
