//! What the page's template shows.

use super::{
    rule_form::RuleForm,
    selection::{Selection, address},
};
use crate::{
    chaos::Fault,
    decision::{Decision, DisputeEvent},
    lifecycle,
    operator::Call,
    order::Order,
    pawapay,
    pawapay::{Operation, ProviderStatus},
    phase::{Failure, Kind, Phase, State},
    protocol::Shared,
};
use jiff::Timestamp;
use serde::Serialize;
use tua_contract::Network;

/// How many orders one page shows.
const PAGE_SIZE: usize = 50;

/// The decisions of the page: their name in forms, their button, and whether it stands out.
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

/// Everything on the page.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    selection: Selection,
    /// The query of the present selection, for the forms.
    query: String,
    reloads: bool,
    clock: String,
    operators: Vec<Link>,
    states: Vec<Link>,
    refresh: Link,
    orders: Vec<OrderView>,
    total: usize,
    pages: usize,
    newer: Option<String>,
    older: Option<String>,
    rules: Vec<RuleView>,
    /// The rule that was refused, as it was filled in.
    refused: RuleForm,
    /// Why it was refused; empty where none was.
    fault: String,
    operator_names: Vec<&'static str>,
    calls: Vec<&'static str>,
    faults: Vec<&'static str>,
    providers: Vec<Provider>,
    networks: Vec<&'static str>,
    operations: Vec<&'static str>,
    statuses: Vec<&'static str>,
}

/// A link, or the present place.
#[derive(Debug, Serialize)]
struct Link {
    label: String,
    href: String,
    is_current: bool,
}

#[derive(Debug, Serialize)]
struct RuleView {
    id: u64,
    text: String,
}

#[derive(Debug, Serialize)]
struct Provider {
    network: &'static str,
    operation: &'static str,
    status: &'static str,
}

#[derive(Debug, Serialize)]
struct OrderView {
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

impl Page {
    pub(super) fn new(shared: &Shared, selection: Selection) -> Self {
        let (orders, total) = select(shared, &selection);
        let page = selection.page.max(1);
        let pages = total.div_ceil(PAGE_SIZE).max(1);
        let to_page = |page| address(&Selection { page, ..selection.clone() });
        let reloads = selection.refresh != "off";
        let refresh =
            Selection { refresh: if reloads { "off" } else { "" }.to_owned(), ..selection.clone() };
        let label = if reloads { "Stop reloading" } else { "Reload every 5 s" };
        let provider = |network: Network, operation: Operation| Provider {
            network: network.as_str(),
            operation: operation.as_str(),
            status: pawapay::provider_status(shared, network, operation).as_str(),
        };
        let providers = Network::ALL.into_iter().flat_map(|network| {
            Operation::ALL.into_iter().map(move |operation| (network, operation))
        });
        Self {
            query: address(&selection).trim_start_matches('/').to_owned(),
            reloads,
            clock: time(shared.clock.now()),
            operators: operator_links(shared, &selection),
            states: state_links(&selection),
            refresh: Link { label: label.to_owned(), href: address(&refresh), is_current: false },
            orders,
            total,
            pages,
            newer: (page > 1).then(|| to_page(page - 1)),
            older: (page < pages).then(|| to_page(page + 1)),
            rules: shared
                .chaos
                .rules()
                .into_iter()
                .map(|(id, rule)| RuleView { id, text: rule.to_string() })
                .collect(),
            refused: RuleForm::default(),
            fault: String::new(),
            operator_names: operator_names(shared).collect(),
            calls: Call::ALL.map(Call::as_str).to_vec(),
            faults: Fault::ALL.map(Fault::as_str).to_vec(),
            providers: providers.map(|(network, operation)| provider(network, operation)).collect(),
            networks: Network::ALL.map(Network::as_str).to_vec(),
            operations: Operation::ALL.map(Operation::as_str).to_vec(),
            statuses: ProviderStatus::ALL.map(ProviderStatus::as_str).to_vec(),
            selection,
        }
    }

    /// The page with the form of a rule as it was filled in, and why the rule was refused. It does
    /// not reload itself: that would lose what was typed.
    pub(super) fn with_refused_rule(self, refused: RuleForm, fault: String) -> Self {
        Self { reloads: false, refused, fault, ..self }
    }
}

/// The orders of one page, newest first, and how many there are in all.
fn select(shared: &Shared, selection: &Selection) -> (Vec<OrderView>, usize) {
    let orders = shared.orders();
    let matches = |order: &&Order| {
        (selection.operator.is_empty() || order.new.operator.as_str() == selection.operator)
            && (selection.state.is_empty() || state(order.phase.state()) == selection.state)
    };
    let total = orders.iter().filter(matches).count();
    let skipped = (selection.page.max(1) - 1).saturating_mul(PAGE_SIZE);
    let selected = orders.iter().rev().filter(matches).skip(skipped).take(PAGE_SIZE);
    (selected.map(|order| OrderView::new(shared, order)).collect(), total)
}

const fn state(state: State) -> &'static str {
    match state {
        State::Pending => "PENDING",
        State::Successful => "SUCCESSFUL",
        State::Failed => "FAILED",
    }
}

fn operator_names(shared: &Shared) -> impl Iterator<Item = &'static str> {
    shared.protocols().iter().map(|protocol| protocol.operator().as_str())
}

fn operator_links(shared: &Shared, selection: &Selection) -> Vec<Link> {
    let names = [""].into_iter().chain(operator_names(shared));
    let links = names.map(|name| Link {
        label: if name.is_empty() { "All operators" } else { name }.to_owned(),
        href: address(&Selection { operator: name.to_owned(), page: 1, ..selection.clone() }),
        is_current: selection.operator == name,
    });
    links.collect()
}

fn state_links(selection: &Selection) -> Vec<Link> {
    let states = [
        ("", "All states"),
        ("PENDING", "Pending"),
        ("SUCCESSFUL", "Successful"),
        ("FAILED", "Failed"),
    ];
    let links = states.map(|(value, label)| Link {
        label: label.to_owned(),
        href: address(&Selection { state: value.to_owned(), page: 1, ..selection.clone() }),
        is_current: selection.state == value,
    });
    links.into()
}

fn time(at: Timestamp) -> String {
    at.strftime("%H:%M:%S").to_string()
}

impl OrderView {
    fn new(shared: &Shared, order: &Order) -> Self {
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
    let last = log.last.as_ref().map(|last| format!(", last answer: {last}")).unwrap_or_default();
    let lost = if log.lost > 0 { format!(", {} lost", log.lost) } else { String::new() };
    match (log.sent, log.lost, order.loses_callback) {
        (0, 0, false) => "none".to_owned(),
        (0, 0, true) => "will be lost".to_owned(),
        (sent, _, _) => format!("{sent} sent{last}{lost}"),
    }
}
