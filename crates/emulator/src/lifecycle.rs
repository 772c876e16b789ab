//! Moves orders from acceptance to their outcome, by script or by a person's decision, and reports
//! each change by callback.

use crate::{
    decision::{Decision, DecisionError},
    delivery,
    event::Event,
    order::{NewOrder, Order, OrderId},
    phase::{Failure, Kind, Phase, State},
    protocol::Shared,
    script::Outcome,
};
use jiff::Timestamp;
use std::time::Duration;

/// How much later an outcome is due after [`Decision::Delay`].
const DELAY_STEP: Duration = Duration::from_secs(60);

/// Stores an order and begins its script. `Err` is the id of the order that has its reference
/// already.
pub(crate) fn accept(shared: &Shared, new: NewOrder) -> Result<Order, OrderId> {
    let now = shared.clock.now();
    let inserted = shared.orders().insert(new, now).cloned();
    let order = inserted.map_err(|duplicate| duplicate.0)?;
    delivery::send_forged(shared, &order);
    if order.phase == Phase::Accepted {
        plan_outcome(shared, order.id, order.new.script.after);
    }
    Ok(shared.order(order.id).unwrap_or(order))
}

/// Plans the scripted outcome for `after` from now. An undecided order gets none.
pub(crate) fn plan_outcome(shared: &Shared, id: OrderId, after: Duration) {
    match shared.order(id).map(|order| order.new.script.outcome) {
        Some(Outcome::Success) => plan(shared, id, after, Phase::Successful),
        Some(Outcome::Failure(failure)) => plan(shared, id, after, Phase::Failed(failure)),
        Some(Outcome::Undecided) | None => {}
    }
}

/// Plans a success for `after` from now, whatever the script.
pub(crate) fn succeed_after(shared: &Shared, id: OrderId, after: Duration) {
    plan(shared, id, after, Phase::Successful);
}

fn plan(shared: &Shared, id: OrderId, after: Duration, phase: Phase) {
    if after.is_zero() {
        finish(shared, id, phase);
        return;
    }
    let due = shared.clock.after(after);
    if let Some(order) = shared.orders().get_mut(id) {
        order.due = Some(due);
    }
    shared.clock.schedule(due, Event::FinishOrder { order: id, phase, due });
}

/// Plans that the operator begins to process an accepted order, `after` from now.
pub(crate) fn plan_processing(shared: &Shared, id: OrderId, after: Duration) {
    shared.clock.schedule(shared.clock.after(after), Event::ProcessOrder { order: id });
}

/// Ends an order whose outcome was planned for `due`. A person may have moved the time meanwhile,
/// or decided.
pub(crate) fn finish_planned(shared: &Shared, id: OrderId, phase: Phase, due: Timestamp) {
    let is_current = shared.orders().get(id).is_some_and(|order| order.due == Some(due));
    if is_current {
        finish(shared, id, phase);
    }
}

/// Begins to process an order that is still accepted, and reports it.
pub(crate) fn process(shared: &Shared, id: OrderId) {
    if shared.order(id).is_some_and(|order| order.phase == Phase::Accepted) {
        advance_to(shared, id, Phase::Processing);
    }
}

/// Ends an order. Returns whether it had no outcome before.
pub(crate) fn finish(shared: &Shared, id: OrderId, phase: Phase) -> bool {
    let now = shared.clock.now();
    let mut orders = shared.orders();
    let Some(order) = orders.get_mut(id).filter(|order| !order.phase.is_final()) else {
        return false;
    };
    order.due = None;
    orders.set_phase(id, phase, now);
    drop(orders);
    report(shared, id);
    true
}

/// Moves an order to a phase and reports that by callback, where its operator does so.
pub(crate) fn advance_to(shared: &Shared, id: OrderId, phase: Phase) {
    set_phase(shared, id, phase);
    report(shared, id);
}

/// Moves an order to a phase without a callback.
pub(crate) fn set_phase(shared: &Shared, id: OrderId, phase: Phase) {
    let now = shared.clock.now();
    shared.orders().set_phase(id, phase, now);
}

/// Reports an order's present phase by callback, where its operator does so.
pub(crate) fn report(shared: &Shared, id: OrderId) {
    if let Some(callback) = shared.order(id).and_then(|order| delivery::callback(shared, &order)) {
        delivery::send_with_faults(shared, callback);
    }
}

/// Applies a decision to an order, and reports what changes.
pub(crate) fn decide(
    shared: &Shared,
    id: OrderId,
    decision: Decision,
) -> Result<(), DecisionError> {
    let order = shared.order(id).ok_or(DecisionError::UnknownOrder)?;
    let allowed = allows(shared, &order, decision);
    match decision {
        _ if !allowed => return Err(DecisionError::NotAllowed),
        Decision::Approve => _ = finish(shared, id, Phase::Successful),
        Decision::Decline(failure) => _ = finish(shared, id, Phase::Failed(failure)),
        Decision::Delay => delay(shared, id),
        Decision::LoseCallback => {
            if let Some(order) = shared.orders().get_mut(id) {
                order.drops_callbacks = true;
            }
        }
        Decision::RepeatCallback => {
            if let Some(order) = shared.orders().get_mut(id) {
                order.drops_callbacks = false;
            }
            report(shared, id);
        }
        Decision::Reverse => advance_to(shared, id, Phase::Reversed),
        Decision::Contradict if order.phase.state() == State::Failed => {
            advance_to(shared, id, Phase::Successful)
        }
        Decision::Contradict => advance_to(shared, id, Phase::Failed(Failure::Refused)),
        Decision::NeedAttention => advance_to(shared, id, Phase::NeedsAttention),
        Decision::Dispute(event) => delivery::report_dispute(shared, &order, event),
    }
    Ok(())
}

/// Whether an order allows a decision now. The page offers only the decisions that it allows.
pub(crate) fn allows(shared: &Shared, order: &Order, decision: Decision) -> bool {
    let protocol = shared.protocol(order.new.operator);
    if !protocol.is_some_and(|protocol| protocol.supports(decision)) {
        return false;
    }
    match decision {
        Decision::Approve | Decision::Decline(_) => !order.phase.is_final(),
        Decision::Delay => order.due.is_some() || waits_for_decision(order),
        Decision::LoseCallback => !order.drops_callbacks && !order.phase.is_final(),
        Decision::RepeatCallback => order.phase.is_final(),
        Decision::Contradict => order.phase.is_final() && order.phase != Phase::Reversed,
        Decision::Reverse => order.new.kind == Kind::Payout && order.phase == Phase::Successful,
        Decision::NeedAttention => {
            order.new.kind == Kind::Refund
                && !order.phase.is_final()
                && order.phase != Phase::NeedsAttention
        }
        Decision::Dispute(_) => order.new.kind == Kind::Charge && order.phase == Phase::Successful,
    }
}

/// Whether the script leaves the outcome to a person.
fn waits_for_decision(order: &Order) -> bool {
    let is_begun = matches!(order.phase, Phase::Accepted | Phase::Processing);
    is_begun && order.due.is_none() && order.new.script.outcome == Outcome::Undecided
}

fn delay(shared: &Shared, id: OrderId) {
    let Some(order) = shared.order(id) else { return };
    let now = shared.clock.now();
    let left = order
        .due
        .and_then(|due| Duration::try_from(due.duration_since(now)).ok())
        .unwrap_or_default();
    match order.new.script.outcome {
        Outcome::Undecided => succeed_after(shared, id, left + DELAY_STEP),
        Outcome::Success | Outcome::Failure(_) => plan_outcome(shared, id, left + DELAY_STEP),
    }
}
