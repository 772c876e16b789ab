//! Calls operators, and turns their responses into the state of a transaction.

use super::reading;
use crate::domain::{
    NewTransaction, Transaction, TransactionId,
    change_notifier::ChangeNotifier,
    idempotency::{Attempt, ResponseSnapshot, StoredResponse},
    ports::{
        Answer, Cancelled, Clock, Observed, Operator, Operators, Order, OutcomeLabel, PaymentMetrics, Store, StoreError,
    },
};
use futures_util::FutureExt;
use jiff::SignedDuration;
use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Instant};
use tracing::{error, info, warn};
use tua_contract::{FailureCode, Step, lifecycle::Observation};

/// How long a call to an operator may take. A response that comes later is found by asking again.
pub const OPERATOR_TIMEOUT: SignedDuration = SignedDuration::from_secs(30);

/// Calls operators and records what they respond.
#[derive(Debug)]
pub struct Settlement {
    /// Where transactions are kept.
    pub store: Arc<dyn Store>,
    /// Who moves the money.
    pub operators: Operators,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Who waits for changes.
    pub changes: Arc<ChangeNotifier>,
    /// What is counted.
    pub metrics: Arc<dyn PaymentMetrics>,
}

/// What has come of a transaction and of the attempt that began it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The transaction as it now stands.
    pub transaction: Transaction,
    /// Whether the attempt's response was stored in the same commit.
    pub is_response_stored: bool,
}

impl Settlement {
    /// Sends a transaction to its operator and records the first response. `None` where there was no response, or where
    /// it could not be stored; then the worker asks later.
    ///
    /// The response to `attempt`, which began the transaction, is stored in the same commit.
    ///
    /// Safe to repeat where the operator refuses a second order under the same reference; it is repeated only there.
    pub async fn send(&self, transaction: Transaction, attempt: Option<Attempt>) -> Option<Recorded> {
        let id = &transaction.begun.id;
        let Some(operator) = self.operator_of(&transaction.begun) else {
            warn!(transaction = %id, "no operator serves this network any more; the transaction stays pending");
            return None;
        };
        let order = match self.order(&transaction).await {
            Ok(order) => order,
            Err(error) => {
                error!(transaction = %id, %error, "an order could not be prepared; the worker asks later");
                return None;
            }
        };
        let observation = self.call(&transaction.begun, operator.send(&order), Observation::Ambiguous).await;
        log_failure(&transaction, self.record_with_response(&transaction, observation, attempt).await)
    }

    /// Asks the operator for the status of a transaction, by reference, and records it.
    pub async fn verify(&self, transaction: Transaction) {
        let Some(operator) = self.operator_of(&transaction.begun) else { return };
        let reference = transaction.begun.id.operator_reference();
        match self.call(&transaction.begun, operator.ask(&reference), Answer::Unanswered).await {
            Answer::Known(observation) => {
                let recorded = match observation {
                    // It could not be cancelled before, or a crash came between the last wrong code and the
                    // cancellation.
                    Observation::Awaits(Step::EnterOtp | Step::EnterVoucher) if transaction.has_no_code_left() => {
                        self.end_without_codes(&transaction).await
                    }
                    _ => self.record(&transaction, observation).await,
                };
                drop(log_failure(&transaction, recorded));
            }
            // A crash came between the commit and the call. The order is sent now, under the same reference.
            Answer::NeverReceived if operator.refuses_repeats() => drop(self.send(transaction, None).await),
            Answer::NeverReceived | Answer::Unanswered => {}
        }
    }

    /// Handles an operator's callback about a reference. A callback is only a hint: the operator is asked, and what it
    /// responds is recorded.
    pub async fn verify_by_reference(self: Arc<Self>, operator_reference: String) {
        let found = match TransactionId::of_operator_reference(&operator_reference) {
            Some(id) => self.store.transaction(&id).await,
            None => Ok(None),
        };
        match found {
            Ok(Some(transaction)) => self.verify(transaction).await,
            Ok(None) => warn!("a callback names a reference that is not ours"),
            Err(error) => error!(%error, "the transaction of a callback could not be read; the worker asks later"),
        }
    }

    /// Records an observation about `asked`, and notifies those who wait for a change. Returns the transaction as it
    /// now stands.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn record(&self, asked: &Transaction, observation: Observation) -> Result<Transaction, StoreError> {
        self.record_with_response(asked, observation, None).await.map(|recorded| recorded.transaction)
    }

    /// As [`Self::record`]. The attempt's response is stored in the same commit, unless the transaction has changed
    /// since `asked`: only then is it not known beforehand which version the response shows.
    async fn record_with_response(
        &self,
        asked: &Transaction,
        observation: Observation,
        attempt: Option<Attempt>,
    ) -> Result<Recorded, StoreError> {
        let (id, now) = (&asked.begun.id, self.clock.now());
        let response = attempt.and_then(|attempt| {
            let (_, after) = asked.after(observation, now)?;
            Some(StoredResponse { attempt, snapshot: ResponseSnapshot::payment(after.version) })
        });
        let Observed { transaction, before, is_response_stored } =
            self.store.observe(asked, observation, response, now).await?;
        if let Some(before) = before {
            self.metrics.transaction_changed(&transaction, before);
            info!(
                transaction = %id,
                status = transaction.state.status().as_str(),
                next_action = transaction.state.next_action(),
                phone = transaction.begun.transfer.phone.last_three(),
                "transaction moved"
            );
            if transaction.conflict.is_some() {
                warn!(transaction = %id, "an operator contradicts a final state; the state stands");
            }
            self.changes.notify(id);
        }
        Ok(Recorded { transaction, is_response_stored })
    }

    /// Ends a transaction after its last wrong code. It fails only once the operator can no longer take money for it;
    /// otherwise it waits for the operator's final status.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn end_without_codes(&self, transaction: &Transaction) -> Result<Transaction, StoreError> {
        let begun = &transaction.begun;
        let cancelled = match self.operator_of(begun) {
            Some(operator) => {
                let reference = begun.id.operator_reference();
                self.call(begun, operator.cancel(&reference), Cancelled::No).await
            }
            None => Cancelled::No,
        };
        let observation = match cancelled {
            Cancelled::Yes => Observation::Failed(FailureCode::OtpAttemptsExhausted),
            Cancelled::No => Observation::Ambiguous,
        };
        self.record(transaction, observation).await
    }

    /// The operator that serves a transaction's mode and network.
    pub(super) fn operator_of(&self, begun: &NewTransaction) -> Option<&Arc<dyn Operator>> {
        self.operators.serving(begun.scope.mode, begun.transfer.network)
    }

    /// The response to a call, or `unanswered` after [`OPERATOR_TIMEOUT`] or where the connector panics.
    pub(super) async fn call<T: OutcomeLabel>(
        &self,
        begun: &NewTransaction,
        response: impl Future<Output = T>,
        unanswered: T,
    ) -> T {
        let called_at = Instant::now();
        let (response, outcome) = tokio::select! {
            response = AssertUnwindSafe(response).catch_unwind() => match response {
                Ok(response) => {
                    let outcome = response.outcome();
                    (response, outcome)
                }
                Err(_) => {
                    error!(transaction = %begun.id, "the operator's connector panicked; its response is not known");
                    (unanswered, "panicked")
                }
            },
            () = self.clock.sleep_until(self.clock.now() + OPERATOR_TIMEOUT) => (unanswered, "timed_out"),
        };
        self.metrics.operator_called(begun, T::OPERATION, outcome, called_at.elapsed());
        response
    }

    /// Reads a transaction that must exist.
    pub(super) async fn reload(&self, id: &TransactionId) -> Result<Transaction, StoreError> {
        reading::existing(self.store.as_ref(), id).await
    }

    async fn order(&self, transaction: &Transaction) -> Result<Order, StoreError> {
        let begun = &transaction.begun;
        let account = self.store.account(&begun.scope.account).await?;
        Ok(Order {
            reference: begun.id.operator_reference(),
            transfer: begun.transfer.clone(),
            merchant: account.map(|account| account.name).unwrap_or_default(),
            message: begun.details.payer_message.clone(),
        })
    }
}

/// Logs that a response could not be stored. Nothing is lost: the transaction is on disk, pending and due.
fn log_failure<T>(transaction: &Transaction, stored: Result<T, StoreError>) -> Option<T> {
    let id = &transaction.begun.id;
    stored.inspect_err(|error| error!(transaction = %id, %error, "an operator's response could not be stored")).ok()
}
