//! Operators' callbacks: verified, then answered at once. Only afterwards the operator is asked.

use super::Settlement;
use crate::domain::{
    Kind, Transaction, TransactionId,
    exchange::Exchange,
    key_ring::KeyRing,
    ports::{CallbackHint, CallbackRefusal, CallbackRequest, CallbackSubject, ExchangeRecorder, StoreError},
    routing::{OperatorEntry, OperatorName},
    secret::SecretDigest,
};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tracing::warn;
use tua_contract::{Amount, lifecycle::Observation};

/// Takes callbacks.
#[derive(Debug)]
pub struct Callbacks {
    /// Records what is reported; has the operators.
    pub settlement: Arc<Settlement>,
    /// The server keys, from which the secrets of the paths are derived.
    pub keys: KeyRing,
    /// Takes the hints.
    pub hints: UnboundedSender<CallbackHint>,
    /// Keeps callbacks as evidence.
    pub recorder: Arc<dyn ExchangeRecorder>,
}

/// What came of a callback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallbackOutcome {
    /// There is no such operator, or the secret is wrong.
    Unknown,
    /// Its signature is missing or wrong.
    WrongSignature,
    /// It is taken.
    Taken,
    /// It is verified, but not in a form that is understood. The operator need not repeat it.
    Unreadable,
    /// The operator asks whether to execute a transfer that this service did not order.
    TransferRefused,
}

impl CallbackOutcome {
    /// The outcome as a label of metrics.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Unknown => "wrong_secret",
            Self::WrongSignature => "wrong_signature",
            Self::Taken => "taken",
            Self::Unreadable => "unreadable",
            Self::TransferRefused => "transfer_refused",
        }
    }
}

/// The path of the callbacks of an operator, with the current secret.
#[must_use]
pub fn callback_path(name: &OperatorName, keys: &KeyRing) -> String {
    format!("/callbacks/{name}/{}", keys.current().callback_secret(name.as_str()))
}

impl Callbacks {
    /// Takes a callback that arrived at the path of this operator with this secret. `evidence` is its body, redacted.
    ///
    /// # Errors
    /// Those of the store, where the books are needed for the response.
    pub async fn take(
        &self,
        operator: &str,
        secret: &str,
        request: CallbackRequest,
        evidence: String,
    ) -> Result<CallbackOutcome, StoreError> {
        let Some(entry) = self.entry(operator, secret) else { return Ok(CallbackOutcome::Unknown) };
        let verified = match entry.operator.verify_callback(&request).await {
            Ok(verified) => verified,
            Err(CallbackRefusal::WrongSignature) => return Ok(CallbackOutcome::WrongSignature),
            Err(CallbackRefusal::Unreadable) => {
                warn!(operator, "a callback is not in a form that is understood");
                return Ok(CallbackOutcome::Unreadable);
            }
        };
        match verified.into_subject() {
            CallbackSubject::Order { reference, claim } => {
                self.keep(entry, &reference, &request, evidence);
                // Fails only while the service stops; then the worker asks later.
                let _ = self.hints.send(CallbackHint { reference, claim });
                Ok(CallbackOutcome::Taken)
            }
            CallbackSubject::Approval { reference, amount } => {
                self.keep(entry, &reference, &request, evidence);
                self.approve(entry, &reference, amount).await
            }
            CallbackSubject::Dispute { reference } => {
                self.keep(entry, &reference, &request, evidence);
                self.record_dispute(entry, &reference).await?;
                Ok(CallbackOutcome::Taken)
            }
            CallbackSubject::Nothing => Ok(CallbackOutcome::Taken),
        }
    }

    /// The operator whose secret this is. Digests are compared, so the time of the comparison tells nothing.
    fn entry(&self, operator: &str, secret: &str) -> Option<&Arc<OperatorEntry>> {
        let given = SecretDigest::of(secret);
        let is_right =
            |key: &crate::domain::secret::ServerKey| SecretDigest::of(&key.callback_secret(operator)) == given;
        self.keys.all().iter().any(is_right).then(|| self.settlement.operators.named(operator)).flatten()
    }

    /// Whether this service ordered a transfer, and still waits for it.
    async fn approve(
        &self,
        entry: &OperatorEntry,
        reference: &str,
        amount: Option<Amount>,
    ) -> Result<CallbackOutcome, StoreError> {
        let is_ordered = self.served(entry, reference).await?.is_some_and(|transaction| {
            let transfer = &transaction.begun.transfer;
            let is_payout = transfer.kind == Kind::Payout && amount == Some(transfer.amount);
            is_payout && transaction.handed_over_at.is_some() && !transaction.state.is_final()
        });
        if !is_ordered {
            warn!(operator = %entry.pin.name, reference, "the operator asks about a transfer that was not ordered here");
        }
        Ok(if is_ordered { CallbackOutcome::Taken } else { CallbackOutcome::TransferRefused })
    }

    /// Stores that a payer disputes a charge, before the operator gets its response: it may not repeat the callback.
    async fn record_dispute(&self, entry: &OperatorEntry, reference: &str) -> Result<(), StoreError> {
        match self.served(entry, reference).await? {
            Some(transaction) => self.settlement.record(&transaction, Observation::Disputed).await.map(drop),
            None => {
                warn!(operator = %entry.pin.name, reference, "a payer disputes a charge that is not ours");
                Ok(())
            }
        }
    }

    /// The transaction with this reference, if this operator serves it.
    async fn served(&self, entry: &OperatorEntry, reference: &str) -> Result<Option<Transaction>, StoreError> {
        let Some(id) = TransactionId::of_operator_reference(reference) else { return Ok(None) };
        let found = self.settlement.store.transaction(&id).await?;
        let is_served = |transaction: &Transaction| {
            transaction.operator.as_ref().is_some_and(|pin| pin.fingerprint == entry.pin.fingerprint)
        };
        Ok(found.filter(is_served))
    }

    fn keep(&self, entry: &OperatorEntry, reference: &str, request: &CallbackRequest, evidence: String) {
        let Some(transaction) = TransactionId::of_operator_reference(reference) else { return };
        let (operator, now) = (entry.pin.name.as_str(), self.settlement.clock.now());
        self.recorder.record(Exchange::of_callback(transaction, operator, request, evidence, now));
    }
}
