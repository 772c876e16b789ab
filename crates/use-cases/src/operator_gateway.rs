//! Calls operators. `sending` sends orders, `status_queries` asks about them, and
//! `recording` turns responses into the state of a transaction.

use super::reading;
use futures_util::FutureExt;
use jiff::SignedDuration;
use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Instant};
use tracing::{Instrument, Span, error, field::Empty, info_span};
use tua_domain::{
    Transaction, TransactionId,
    capabilities::MAX_SEND_TIME,
    change_notifier::ChangeNotifier,
    known_orders::KnownOrders,
    ports::{
        Accounts, Checkouts, Clock, HandOvers, Operator, OutcomeLabel, PaymentMetrics, SentOrder,
        StoreError, Transactions,
    },
    routing::Operators,
    steady_time::SteadyTime,
};

/// How long a call to an operator may take. A response that comes later is found by asking again.
pub const OPERATOR_TIMEOUT: SignedDuration = MAX_SEND_TIME;

/// Calls operators and records what they respond.
#[derive(Debug)]
pub struct OperatorGateway {
    /// Reads transactions, and records what operators respond.
    pub transactions: Arc<dyn Transactions>,
    /// Marks orders as handed over before they are sent, also again.
    pub hand_overs: Arc<dyn HandOvers>,
    /// Has the session of a charge: after its end the order is not sent again.
    pub checkouts: Arc<dyn Checkouts>,
    /// Has the name of the merchant, which is part of an order.
    pub accounts: Arc<dyn Accounts>,
    /// Who moves the money.
    pub operators: Operators,
    /// Limits calls to operators, and dates what they respond.
    pub clock: Arc<dyn Clock>,
    /// Who waits for changes.
    pub changes: Arc<ChangeNotifier>,
    /// Counts transactions, their changes, and calls to operators.
    pub metrics: Arc<dyn PaymentMetrics>,
    /// The time by which payouts end without an approval.
    pub steady_time: SteadyTime,
    /// For how long this process has known of orders.
    pub known_orders: KnownOrders,
}

impl OperatorGateway {
    /// The operator that serves a transaction for good.
    pub(super) fn operator_of(&self, transaction: &Transaction) -> Option<Arc<dyn Operator>> {
        self.operators.serving(transaction.order.scope.mode, transaction.operator.as_ref())
    }

    /// The response to a call, or `unanswered` after [`OPERATOR_TIMEOUT`] or where the connector
    /// panics.
    pub(super) async fn call<T: OutcomeLabel>(
        &self,
        transaction: &Transaction,
        response: impl Future<Output = T>,
        unanswered: T,
    ) -> T {
        self.call_within(OPERATOR_TIMEOUT, transaction, response, unanswered).await
    }

    /// As [`Self::call`], with another time limit.
    pub(super) async fn call_within<T: OutcomeLabel>(
        &self,
        timeout: SignedDuration,
        transaction: &Transaction,
        response: impl Future<Output = T>,
        unanswered: T,
    ) -> T {
        let called_at = Instant::now();
        let span = call_span(transaction, T::OPERATION);
        let response = response.instrument(span.clone());
        let (response, outcome) = tokio::select! {
            // A response that is there at once needs no timer.
            biased;
            response = AssertUnwindSafe(response).catch_unwind() => match response {
                Ok(response) => {
                    let outcome = response.outcome();
                    (response, outcome)
                }
                Err(_) => {
                    error!(transaction = %transaction.order.id, "the operator's connector \
                        panicked; its response is not known");
                    (unanswered, "panicked")
                }
            },
            () = self.clock.sleep_until(self.clock.now() + timeout) => (unanswered, "timed_out"),
        };
        span.record("tua.operator.outcome", outcome);
        if let "panicked" | "timed_out" = outcome {
            span.record("otel.status_code", "ERROR");
        }
        let operator = self.operators.unique_name_of(transaction.operator.as_ref());
        let took = called_at.elapsed();
        self.metrics.operator_called(&operator, transaction, T::OPERATION, outcome, took);
        response
    }

    /// Reads a transaction that must exist.
    pub(super) async fn reload(&self, id: &TransactionId) -> Result<Transaction, StoreError> {
        reading::existing(self.transactions.as_ref(), id).await
    }
}

/// The span of a call to the operator of a transaction. The HTTP requests of the call are in it.
fn call_span(transaction: &Transaction, operation: &'static str) -> Span {
    let operator = transaction.operator.as_ref().map_or("sandbox", |pin| pin.name.as_str());
    info_span!(
        "call_operator",
        otel.name = format!("{operation} {operator}"),
        otel.status_code = Empty,
        tua.operator.name = operator,
        tua.operator.operation = operation,
        tua.operator.outcome = Empty,
        tua.transaction.id = %transaction.order.id,
    )
}

/// What later calls need of an order that was sent.
pub(super) fn sent_order(transaction: &Transaction) -> SentOrder {
    SentOrder {
        reference: transaction.order.id.operator_reference(),
        transfer: transaction.order.requested_transfer(),
        operator_transaction_id: transaction.details.transaction_id.clone(),
        is_ahead_of_schedule: false,
    }
}

/// Logs that a response could not be stored. Nothing is lost: the transaction is on disk, pending
/// and due.
pub(super) fn log_failure<T>(
    transaction: &Transaction,
    stored: Result<T, StoreError>,
) -> Option<T> {
    let id = &transaction.order.id;
    stored
        .inspect_err(
            |error| error!(transaction = %id, %error, "an operator's response could not be stored"),
        )
        .ok()
}
