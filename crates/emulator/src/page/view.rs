//! What the page's template shows.

use super::{
    order_view::{OrderView, state, time},
    rule_form::RuleForm,
    selection::{Selection, address},
};
use crate::{chaos::Fault, control::Control, operator::Call, order::Order, protocol::Shared};
use serde::Serialize;

/// How many orders one page shows.
const PAGE_SIZE: usize = 50;

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
    controls: Vec<ControlView>,
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

/// What one operator alone offers.
#[derive(Debug, Serialize)]
struct ControlView {
    operator: &'static str,
    #[serde(flatten)]
    control: Control,
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
            controls: controls(shared),
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

fn controls(shared: &Shared) -> Vec<ControlView> {
    let views = shared.protocols().iter().filter_map(|protocol| {
        let control = protocol.control()?;
        Some(ControlView { operator: protocol.operator().as_str(), control })
    });
    views.collect()
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
