//! What the audit log shows of the limits and the batches of payouts.

use super::change::change;
use serde_json::{Value, json};
use tua_contract::Status;
use tua_domain::{
    Scope,
    audit::{Action, AuditChange},
    limit_lift::LimitLift,
    payout_batch::PayoutBatch,
    payout_controls::{Ceiling, PayoutControls},
};

pub(crate) fn payout_limits_changed(
    scope: &Scope,
    before: PayoutControls,
    after: PayoutControls,
) -> AuditChange {
    let subject = format!("{} {}", scope.account.as_str(), scope.mode.as_str());
    change(
        Action::PayoutLimitsChanged,
        &subject,
        Some(payout_limits(before)),
        Some(payout_limits(after)),
    )
}

/// A request to lift limits, or its refusal: from the limits as they are to those that were asked
/// for.
pub(crate) fn limit_lift(
    action: Action,
    scope: &Scope,
    before: PayoutControls,
    lift: &LimitLift,
) -> AuditChange {
    let subject = format!("{} {}", scope.account.as_str(), scope.mode.as_str());
    let mut after = payout_limits(lift.change.apply(before));
    after["askedBy"] = lift.asked_by.as_str().into();
    change(action, &subject, Some(payout_limits(before)), Some(after))
}

/// Limits that were lifted with the approval of a second person.
pub(crate) fn limit_lift_approved(
    scope: &Scope,
    before: PayoutControls,
    lift: &LimitLift,
) -> AuditChange {
    limit_lift(Action::PayoutLimitsChanged, scope, before, lift)
}

fn payout_limits(controls: PayoutControls) -> Value {
    let cedis = |ceiling: Option<Ceiling>| ceiling.map(|ceiling| ceiling.to_string());
    json!({
        "payoutLimit": cedis(controls.limit),
        "payoutDailyLimit": cedis(controls.daily_limit),
        "payoutApprovalAbove": cedis(controls.approval_above),
        "refundApprovalAbove": cedis(controls.refund_approval_above),
    })
}

/// The lines of a batch by their status, and its sum.
fn batch(batch: &PayoutBatch) -> Value {
    let count =
        |status: Status| batch.lines.iter().filter(|line| line.state.status() == status).count();
    let waiting = batch.lines.iter().filter(|line| line.state.is_unapproved()).count();
    json!({
        "accountId": batch.scope.account.as_str(),
        "mode": batch.scope.mode.as_str(),
        "totalPesewas": batch.total_pesewas(),
        "waiting": waiting,
        "pending": count(Status::Pending) - waiting,
        "successful": count(Status::Successful),
        "failed": count(Status::Failed),
    })
}

/// A batch of payouts that was begun.
pub fn batch_begun(new: &PayoutBatch) -> AuditChange {
    change(Action::PayoutBatchBegun, new.id.as_str(), None, Some(batch(new)))
}

/// A batch of payouts that was approved or refused as a whole.
pub fn batch_decided(action: Action, before: &PayoutBatch, after: &PayoutBatch) -> AuditChange {
    change(action, after.id.as_str(), Some(batch(before)), Some(batch(after)))
}
