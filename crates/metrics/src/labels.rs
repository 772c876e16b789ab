//! The labels of the metrics. Their values come from closed lists and the declared routes, never
//! from a request, so that a client cannot add time series. Operators name their balances, of which
//! only so many and so long names are shown.

use prometheus_client::encoding::EncodeLabelSet;
use tua_contract::State;
use tua_domain::{Transaction, TransactionOrder, pending::PendingGroup};

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Route {
    pub(super) method: &'static str,
    pub(super) route: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) route: String,
    pub(super) status: u16,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Transition {
    pub(super) kind: &'static str,
    pub(super) network: &'static str,
    pub(super) mode: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) failure: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Subject {
    pub(super) kind: &'static str,
    pub(super) network: &'static str,
    pub(super) mode: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct OperatorCall {
    /// The name in the settings, or the id of one that people connected, whose name another one may
    /// have; `sandbox` for test mode without operators.
    pub(super) operator: String,
    pub(super) operation: &'static str,
    pub(super) outcome: &'static str,
    pub(super) kind: &'static str,
    pub(super) network: &'static str,
    pub(super) mode: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct PendingAge {
    pub(super) mode: &'static str,
    pub(super) age: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct OfMode {
    pub(super) mode: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct OperatorDirection {
    /// The name in the settings, or the id of one that people connected.
    pub(super) operator: String,
    pub(super) kind: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct OperatorService {
    /// The name in the settings, or the id of one that people connected.
    pub(super) operator: String,
    pub(super) network: &'static str,
    pub(super) kind: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct TokenRequest {
    /// The name in the settings, or the id of one that people connected.
    pub(super) operator: String,
    pub(super) kind: &'static str,
    pub(super) outcome: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct OperatorName {
    /// The name in the settings, or the id of one that people connected.
    pub(super) operator: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct OperatorAccount {
    /// The name in the settings, or the id of one that people connected.
    pub(super) operator: String,
    /// What it is the balance of, as the operator calls it.
    pub(super) account: String,
    /// As ISO 4217 names it.
    pub(super) currency: String,
}

/// A family without labels has no sample until it is set.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct NoLabels {}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Reason {
    pub(super) reason: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Outcome {
    pub(super) outcome: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Kind {
    pub(super) kind: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Build {
    pub(super) version: &'static str,
}

impl Subject {
    pub(super) const fn of(order: &TransactionOrder) -> Self {
        Self {
            kind: order.transaction_type().as_str(),
            network: order.transfer.network.as_str(),
            mode: order.scope.mode.as_str(),
        }
    }
}

impl OperatorCall {
    pub(super) fn new(
        operator: &str,
        transaction: &Transaction,
        operation: &'static str,
        outcome: &'static str,
    ) -> Self {
        let Subject { kind, network, mode } = Subject::of(&transaction.order);
        let operator = operator.to_owned();
        Self { operator, operation, outcome, kind, network, mode }
    }
}

impl Transition {
    pub(super) fn new(order: &TransactionOrder, from: Option<State>, to: State) -> Self {
        let Subject { kind, network, mode } = Subject::of(order);
        let failure = match to {
            State::Failed(code) => code.as_str(),
            State::Pending(_) | State::Successful => "",
        };
        Self {
            kind,
            network,
            mode,
            from: from.map_or("NONE", state_label),
            to: state_label(to),
            failure,
        }
    }
}

impl From<PendingGroup> for PendingAge {
    fn from(pending: PendingGroup) -> Self {
        Self { mode: pending.mode.as_str(), age: pending.age.as_str() }
    }
}

/// A transaction's status, and for a pending transaction the step that it waits for.
const fn state_label(state: State) -> &'static str {
    match state {
        State::Pending(step) => step.as_str(),
        State::Successful | State::Failed(_) => state.status().as_str(),
    }
}

/// The request's method as a label: `OTHER` for a method that HTTP does not define.
pub(super) fn method(method: &str) -> &'static str {
    const KNOWN: [&str; 8] =
        ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
    KNOWN.into_iter().find(|known| *known == method).unwrap_or("OTHER")
}
