//! Turns operators' responses into the state of a transaction, and reports the change.

use super::operator_gateway::{OperatorGateway, sent_order};
use tracing::{info, instrument, warn};
use tua_contract::{Amount, FailureCode, State, lifecycle::Observation};
use tua_domain::{
    Transaction,
    idempotency::{Attempt, ResponseSnapshot, StoredResponse},
    ports::{CancelResponse, Finding, Observed, StoreError},
};

/// What has come of a transaction and of the attempt that began it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The transaction as it now stands.
    pub transaction: Transaction,
    /// Whether the attempt's response was stored in the same commit.
    pub is_response_stored: bool,
}

impl OperatorGateway {
    /// Records a finding about `asked`, and notifies those who wait for a change. Returns the
    /// transaction as it now stands.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn record(
        &self,
        asked: &Transaction,
        finding: impl Into<Finding> + Send,
    ) -> Result<Transaction, StoreError> {
        self.record_with_response(asked, finding.into(), None)
            .await
            .map(|recorded| recorded.transaction)
    }

    /// As [`Self::record`]. The attempt's response is stored in the same commit if the finding
    /// changes the transaction as read before the question, or is the operator's first
    /// acknowledgement of it. Otherwise it is not known beforehand which version the response
    /// shows.
    #[instrument(
        name = "record_observation",
        skip_all,
        fields(tua.transaction.id = %asked.order.id)
    )]
    pub(super) async fn record_with_response(
        &self,
        asked: &Transaction,
        finding: Finding,
        attempt: Option<Attempt>,
    ) -> Result<Recorded, StoreError> {
        let now = self.clock.now();
        let version = match asked.after(&finding, now) {
            Some((_, after)) => {
                Some(if after.is_in_first_response() { after.version } else { asked.version })
            }
            // The operator's acknowledgement is stored, and the response with it.
            None => finding.observation.is_acknowledgement().then_some(asked.version),
        };
        let response = attempt.zip(version).map(|(attempt, version)| {
            let snapshot = ResponseSnapshot::payment(version);
            StoredResponse { attempt, snapshot }
        });
        let Finding { attention, failure_scope, .. } = finding;
        let Observed { transaction, before, is_response_stored } =
            self.transactions.observe(asked, finding, response, now).await?;
        if let Some(attention) = attention.filter(|_| !transaction.state.is_final()) {
            let id = &transaction.order.id;
            let attention = attention.as_str();
            warn!(transaction = %id, attention, "people must look at the order: flagged for \
                review");
        }
        if let Some(before) = before {
            self.announce(&transaction, before);
            if !before.is_final() && transaction.state.is_final() {
                self.count_end(&transaction, failure_scope);
            }
        }
        Ok(Recorded { transaction, is_response_stored })
    }

    /// Reports a change that is stored to those who wait for it, to the metrics and to the log.
    pub(super) fn announce(&self, transaction: &Transaction, before: State) {
        let id = &transaction.order.id;
        self.metrics.transaction_changed(transaction, before);
        info!(
            transaction = %id,
            status = transaction.state.status().as_str(),
            next_action = transaction.state.next_action(),
            phone = transaction.order.transfer.phone.last_three(),
            "transaction moved"
        );
        if let Some(mismatch) = transaction.mismatch.filter(|_| !transaction.state.is_final()) {
            let received_pesewas = mismatch.received.map(Amount::pesewas);
            warn!(transaction = %id, ?received_pesewas, "an operator reports a success for \
                something else: flagged for review");
        }
        if transaction.conflict.is_some() {
            warn!(transaction = %id, "an operator contradicts a final state; the state stands");
        }
        self.changes.notify(id);
    }

    /// Cancels a transaction at the operator after its last wrong code. It fails only once the
    /// operator can no longer take money for it; otherwise it waits for the operator's final
    /// status.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn cancel_after_last_code(
        &self,
        transaction: &Transaction,
    ) -> Result<Transaction, StoreError> {
        let cancelled = match self.operator_of(transaction) {
            Some(operator) => {
                self.call(
                    transaction,
                    operator.cancel(&sent_order(transaction)),
                    CancelResponse::NotConfirmed,
                )
                .await
            }
            None => CancelResponse::NotConfirmed,
        };
        let observation = match cancelled {
            CancelResponse::Confirmed => Observation::Failed(FailureCode::OtpAttemptsExhausted),
            CancelResponse::NotConfirmed => Observation::Ambiguous,
        };
        self.record(transaction, observation).await
    }

    /// As [`Self::cancel_after_last_code`], unless the transaction has changed since the operator
    /// was asked: then its response may be older than the change.
    pub(super) async fn cancel_after_last_code_if_unchanged(
        &self,
        asked: &Transaction,
    ) -> Result<Transaction, StoreError> {
        let current = self.reload(&asked.order.id).await?;
        if current.version == asked.version {
            self.cancel_after_last_code(asked).await
        } else {
            Ok(current)
        }
    }
}
