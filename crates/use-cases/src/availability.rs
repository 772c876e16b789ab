//! Counts what operators respond for their circuit breakers
//! (docs/reference/operators.md#circuit-breakers).

use super::operator_gateway::OperatorGateway;
use std::sync::Arc;
use tracing::{info, warn};
use tua_contract::{FailureCode as F, State, lifecycle::Observation};
use tua_domain::{
    Transaction, Transfer,
    ports::{ClusterMessage, FailureScope, SendResponse},
    routing::{BreakerScope, BreakerState, OperatorEntry},
};

impl OperatorGateway {
    /// Counts a send: only a missing response is a failure of the operator. A refusal of every
    /// order of the network that leaves this one's outcome open counts for the network at once;
    /// any other refusal counts when its order ends.
    pub(super) fn count_send(&self, transaction: &Transaction, response: &SendResponse) {
        let Some(entry) = self.entry_with_breakers(transaction) else { return };
        if is_open_refusal(response) {
            return self.count_refusal(transaction, &entry);
        }
        let scope = BreakerScope { kind: transaction.order.transfer.kind, network: None };
        let has_failed = match response {
            // A response about this order is one, although it leaves the outcome open.
            SendResponse::Observed(report) => {
                let is_ambiguous = report.observation == Observation::Ambiguous;
                is_ambiguous && report.failure_scope != Some(FailureScope::Order)
            }
            // A refund is also not sent where a read before it shows that it must wait.
            SendResponse::NotSent if transaction.order.native_refund_of().is_some() => return,
            SendResponse::NotSent => true,
            SendResponse::Duplicate => false,
        };
        let operator = entry.pin.name.as_str();
        let breaker = entry.breaker_of(scope);
        if has_failed {
            if breaker.failed(self.clock.now()) {
                warn!(
                    operator,
                    "sends fail: the operator gets no new payments until a probe succeeds"
                );
                self.publish(&entry, scope, BreakerState::Open);
            }
        } else if breaker.succeeded() {
            info!(operator, "the operator responds again");
            self.publish(&entry, scope, BreakerState::Closed);
        }
    }

    /// Counts a repeated send of an order. If it is refused again, this reveals nothing more about
    /// other orders.
    pub(super) fn count_repeated_send(&self, transaction: &Transaction, response: &SendResponse) {
        if !is_open_refusal(response) {
            self.count_send(transaction, response);
        }
    }

    /// Counts how a payment has ended at its operator, when it has just become final. The operator
    /// refuses every order of a network if it refuses several in a row for a reason that concerns
    /// all of them. An order that it took does not show that it executes any: some operators refuse
    /// later, in the status.
    pub(super) fn count_end(&self, transaction: &Transaction, refusal: Option<FailureScope>) {
        let order = &transaction.order;
        let Some(entry) = self.entry_with_breakers(transaction) else { return };
        // The operator's own refunds are another product than its payouts.
        if order.native_refund_of().is_some() {
            return;
        }
        let Transfer { kind, network, .. } = order.transfer;
        let scope = BreakerScope { kind, network: Some(network) };
        let breaker = entry.breaker_of(scope);
        let operator = entry.pin.name.as_str();
        let network = network.as_str();
        let kind = kind.as_str();
        match (transaction.state, refusal) {
            (State::Failed(_), Some(FailureScope::Network)) => {
                self.count_refusal(transaction, &entry);
            }
            // The operator did not end these.
            (State::Pending(_), _) => {}
            (State::Failed(F::NotSent | F::ApprovalRefused | F::Cancelled), _) => {}
            (State::Successful | State::Failed(_), _) => {
                if breaker.succeeded() {
                    info!(
                        operator,
                        network, kind, "the operator takes orders of the network again"
                    );
                    self.publish(&entry, scope, BreakerState::Closed);
                }
            }
        }
    }

    /// Counts an order that was refused for a reason that concerns every order of its network.
    fn count_refusal(&self, transaction: &Transaction, entry: &OperatorEntry) {
        let Transfer { kind, network, .. } = transaction.order.transfer;
        let scope = BreakerScope { kind, network: Some(network) };
        // The operator's own refunds are another product than its payouts.
        let is_other_product = transaction.order.native_refund_of().is_some();
        if !is_other_product && entry.breaker_of(scope).failed(self.clock.now()) {
            let operator = entry.pin.name.as_str();
            let problem = "the operator refuses every order of the network: check its settings";
            warn!(operator, network = network.as_str(), kind = kind.as_str(), "{problem}");
            self.publish(entry, scope, BreakerState::Open);
        }
    }

    /// The operator of a payment, if it has breakers. The sandbox has none: a test number asks for
    /// each of its failures.
    fn entry_with_breakers(&self, transaction: &Transaction) -> Option<Arc<OperatorEntry>> {
        self.entry_of(transaction).filter(|entry| !entry.pin.is_sandbox())
    }

    pub(super) fn entry_of(&self, transaction: &Transaction) -> Option<Arc<OperatorEntry>> {
        let pin = transaction.operator.as_ref()?;
        self.operators.entry_of(pin)
    }

    fn publish(&self, entry: &OperatorEntry, scope: BreakerScope, state: BreakerState) {
        self.changes.publish(ClusterMessage::Breaker(entry.breaker_change(scope, state)));
    }
}

/// Whether a response refuses every order of the network, and leaves the outcome of this one open.
fn is_open_refusal(response: &SendResponse) -> bool {
    matches!(response, SendResponse::Observed(report)
        if report.observation == Observation::Ambiguous
            && report.failure_scope == Some(FailureScope::Network))
}
