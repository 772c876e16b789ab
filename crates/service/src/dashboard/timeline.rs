//! What happened to a payment, and why it waits: the keys of texts with their values.

use super::views::cedis;
use crate::domain::{Event, Transaction, reporting::WaitingTimes};
use jiff::Timestamp;
use minijinja::{Value, context};
use tua_contract::State;

/// The events of a transaction. `key` is that of the event's text, `detail` that of a text that follows.
pub(super) fn events(events: &[(Timestamp, Event)]) -> Vec<Value> {
    events.iter().map(|(at, event)| context! { at => at.to_string(), ..event_text(event) }).collect()
}

fn event_text(event: &Event) -> Value {
    let text = |key: &str| context! { key, detail => "", who => "", note => "", amount => "" };
    let with = |key: &str, detail: String| context! { detail, ..text(key) };
    match event {
        Event::Begun { .. } => text("event-begun"),
        Event::HandedOver => text("event-handed-over"),
        Event::HandOverWithdrawn => text("event-not-sent"),
        Event::Moved(state @ State::Pending(_), _) => with("event-pending", format!("state-{}", state.next_action())),
        Event::Moved(State::Successful, _) => text("event-successful"),
        Event::Moved(State::Failed(code), _) => with("event-failed", format!("failure-{}", code.as_str())),
        Event::Mismatched(mismatch, _) => match mismatch.received {
            Some(sum) => context! { amount => cedis(sum.pesewas()), ..text("event-mismatched") },
            None => text("event-mismatched-unknown"),
        },
        Event::SumSettled(sum) => context! { amount => cedis(sum.pesewas()), ..text("event-sum-settled") },
        Event::CodeAttempted => text("event-code"),
        Event::Contradicted(status, _) => with("event-contradicted", format!("status-{}", status.as_str())),
        Event::Disputed => text("event-disputed"),
        Event::CaseDecided(status) => with("event-case-decided", format!("status-{}", status.as_str())),
        Event::Reviewed(note) => context! { note => note.as_str(), ..text("event-reviewed") },
        Event::Approved { by, .. } => context! { who => by.as_str(), ..text("event-approved") },
        Event::FoundAtOperator { .. } => text("event-found"),
        Event::ApprovalRefused { by, note } => {
            context! { who => by.as_str(), note => note.as_str(), ..text("event-refused") }
        }
        Event::Reversed => text("event-reversed"),
        Event::RefundsChanged(_) => text("event-refunds-changed"),
    }
}

/// Why a pending transaction waits, most important first. Each has the key of its text, and the time in it.
pub(super) fn waiting(transaction: &Transaction, times: &WaitingTimes) -> Vec<Value> {
    if transaction.state.is_final() {
        return Vec::new();
    }
    let reason = |key: &str, at: Option<Timestamp>| {
        context! { key, at => at.map(|at| at.to_string()) }
    };
    let is_sent = transaction.handed_over_at.is_some();
    let mut reasons = Vec::new();
    if transaction.mismatch.is_some() {
        reasons.push(reason("waiting-mismatch", times.review_at));
    } else if times.review_at.is_some() {
        reasons.push(reason("waiting-review", times.review_at));
    }
    if times.approval_due.is_some() {
        reasons.push(reason("waiting-approval", times.approval_due));
    } else if !is_sent {
        reasons.push(reason("waiting-send", times.send_at));
    } else if times.acknowledged_at.is_none() {
        reasons.push(reason("waiting-acknowledgement", None));
    } else if times.review_at.is_none() {
        reasons.push(reason("waiting-answer", times.acknowledged_at));
    }
    if times.delayed_at.is_some() {
        reasons.push(reason("waiting-delayed", times.delayed_at));
    }
    if times.ask_at.is_some() {
        reasons.push(reason("waiting-next-question", times.ask_at));
    }
    reasons
}
