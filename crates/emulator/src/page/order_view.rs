//! An order as the page shows it, with the decisions that it allows.

use crate::{
    decision::{Decision, DisputeEvent},
    lifecycle,
    order::Order,
    phase::{Failure, Kind, Phase, State},
    protocol::Shared,
};
use jiff::Timestamp;
use serde::Serialize;
use tua_contract::Network;

/// The decisions of the page, in its order: the name in forms, the label of the button.
pub(super) const DECISIONS: [(&str, &str, Decision); 11] = [
    ("approve", "Approve", Decision::Approve),
    ("decline", "Decline", Decision::Decline(Failure::Rejected)),
    ("delay", "Delay 1 min", Decision::Delay),
    ("need-attention", "Needs attention", Decision::NeedAttention),
    ("lose-callback", "Lose callback", Decision::LoseCallback),
    ("repeat-callback", "Repeat callback", Decision::RepeatCallback),
    ("reverse", "Reverse", Decision::Reverse),
    ("dispute", "Dispute", Decision::Dispute(DisputeEvent::Create)),
    ("remind", "Remind of dispute", Decision::Dispute(DisputeEvent::Remind)),
    ("resolve", "Resolve dispute", Decision::Dispute(DisputeEvent::Resolve)),
    ("contradict", "Report the opposite", Decision::Contradict),
];

/// A row of the page's table.
#[derive(Debug, Serialize)]
pub(super) struct OrderView {
    id: usize,
    operator: &'static str,
    kind: &'static str,
    reference: String,
    amount: String,
    currency: String,
    phone: String,
    network: Option<&'static str>,
    state: &'static str,
    phase: String,
    created: String,
    due: Option<String>,
    callbacks: String,
    decisions: Vec<Button>,
}

#[derive(Debug, Serialize)]
struct Button {
    value: &'static str,
    label: &'static str,
}

/// The state in `/orders`, by which the page filters.
pub(super) const fn state(state: State) -> &'static str {
    match state {
        State::Pending => "PENDING",
        State::Successful => "SUCCESSFUL",
        State::Failed => "FAILED",
    }
}

/// A time of day in UTC, to the second.
pub(super) fn time(at: Timestamp) -> String {
    at.strftime("%H:%M:%S").to_string()
}

impl OrderView {
    pub(super) fn new(shared: &Shared, order: &Order) -> Self {
        let pesewas = order.new.amount.pesewas();
        let allowed = DECISIONS
            .into_iter()
            .filter(|(_, _, decision)| lifecycle::allows(shared, order, *decision));
        Self {
            id: order.id,
            operator: order.new.operator.as_str(),
            kind: match order.new.kind {
                Kind::Charge => "Charge",
                Kind::Payout => "Payout",
                Kind::Refund => "Refund",
            },
            reference: order.new.reference.clone(),
            amount: format!("{}.{:02}", pesewas / 100, pesewas % 100),
            currency: order.new.currency.clone(),
            phone: order.new.phone.clone(),
            network: order.new.network.map(Network::as_str),
            state: state(order.phase.state()),
            phase: phase(order.phase),
            created: time(order.created),
            due: order.due.map(time),
            callbacks: callbacks(order),
            decisions: allowed.map(|(value, label, _)| Button { value, label }).collect(),
        }
    }
}

fn phase(phase: Phase) -> String {
    match phase {
        Phase::Offered => "waits for the payer's wallet".to_owned(),
        Phase::AwaitingCode => "waits for a code".to_owned(),
        Phase::Held => "waits for the merchant's approval".to_owned(),
        Phase::Accepted => "accepted".to_owned(),
        Phase::Enqueued => "enqueued".to_owned(),
        Phase::Processing => "processing".to_owned(),
        Phase::NeedsAttention => "needs attention".to_owned(),
        Phase::Successful => "successful".to_owned(),
        Phase::Reversed => "successful, then reversed".to_owned(),
        Phase::Failed(failure) => format!("failed: {}", reason(failure)),
    }
}

const fn reason(failure: Failure) -> &'static str {
    match failure {
        Failure::InsufficientFunds => "insufficient funds",
        Failure::Rejected => "rejected by the payer",
        Failure::ApprovalTimeout => "not approved in time",
        Failure::WrongPin => "wrong PIN",
        Failure::LimitReached => "limit reached",
        Failure::NotFound => "no such wallet",
        Failure::Refused => "refused by the network",
        Failure::FloatTooLow => "the merchant's balance is too low",
        Failure::Cancelled => "cancelled",
        Failure::Code(code) => code,
    }
}

fn callbacks(order: &Order) -> String {
    let log = &order.callbacks;
    let last =
        log.last_result.as_ref().map(|last| format!(", last answer: {last}")).unwrap_or_default();
    let dropped = if log.dropped > 0 { format!(", {} lost", log.dropped) } else { String::new() };
    match (log.attempts, log.dropped, order.drops_callbacks) {
        (0, 0, false) => "none".to_owned(),
        (0, 0, true) => "will be lost".to_owned(),
        (attempts, _, _) => format!("{attempts} sent{last}{dropped}"),
    }
}
