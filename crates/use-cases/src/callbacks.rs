//! Operators' callbacks: verified, then answered at once. Only afterwards the operator is asked.

use super::OperatorGateway;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tracing::{Span, field::Empty, instrument, warn};
use tua_contract::lifecycle::Observation;
use tua_domain::{
    Kind, Transaction, TransactionId,
    exchange::Exchange,
    key_ring::KeyRing,
    ports::{
        CallbackHint, CallbackLog, CallbackRefusal, CallbackRequest, CallbackSubject, FailureClaim,
        ReceivedCallback, StoreError,
    },
    routing::OperatorEntry,
    secret::SecretDigest,
};

/// Verifies operators' callbacks and records them, before an operator is asked.
#[derive(Debug)]
pub struct Callbacks {
    /// Records what is reported; has the operators.
    pub gateway: Arc<OperatorGateway>,
    /// Where callbacks are recorded before anything else is done.
    pub callback_log: Arc<dyn CallbackLog>,
    /// The server keys, from which the secrets of the paths are derived.
    pub keys: KeyRing,
    /// Passes hints to the worker, which asks the operator for the status soon.
    pub hints: UnboundedSender<CallbackHint>,
}

/// What came of a callback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallbackOutcome {
    /// There is no such operator, or the secret is wrong.
    Unknown,
    /// Its signature is missing or wrong.
    WrongSignature,
    /// It is taken: what it is about is on disk.
    Taken,
    /// It is verified, and about no payment that is pinned to this operator entry. Nothing of it is
    /// used.
    NotOurs,
    /// It is verified, but not in a form that is understood. The operator need not repeat it.
    Unreadable,
    /// It is, or may be, the question whether to execute transfers, and not about exactly one
    /// pending payout that this service ordered there, with its amount and wallet.
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
            Self::NotOurs => "not_ours",
            Self::Unreadable => "unreadable",
            Self::TransferRefused => "transfer_refused",
        }
    }
}

/// The path of the callbacks of an operator, with the current secret. `name` is that of the
/// settings, or the id of an operator that people connected.
#[must_use]
pub fn callback_path(name: &str, keys: &KeyRing) -> String {
    format!("/callbacks/{name}/{}", keys.current().callback_secret(name))
}

impl Callbacks {
    /// Takes a callback that arrived at the path of this operator with this secret. `evidence` is
    /// its body, redacted. What is taken is on disk when this returns, because the operator may not
    /// repeat it.
    ///
    /// # Errors
    /// Those of the store. Then the operator must repeat the callback.
    #[instrument(
        name = "take_callback",
        skip_all,
        fields(tua.operator.name = Empty, tua.transaction.id = Empty)
    )]
    pub async fn take(
        &self,
        operator: &str,
        secret: &str,
        request: CallbackRequest,
        evidence: String,
    ) -> Result<CallbackOutcome, StoreError> {
        let Some(entry) = self.entry(operator, secret) else { return Ok(CallbackOutcome::Unknown) };
        Span::current().record("tua.operator.name", entry.pin.name.as_str());
        let verified = match entry.operator.verify_callback(&request).await {
            Ok(verified) => verified,
            Err(CallbackRefusal::WrongSignature) => return Ok(CallbackOutcome::WrongSignature),
            Err(CallbackRefusal::Unreadable) => {
                warn!(operator, "a callback is not in a form that is understood");
                return Ok(CallbackOutcome::Unreadable);
            }
            Err(CallbackRefusal::UnclearQuestion) => {
                warn!(
                    operator,
                    "a callback may ask about transfers, and is not about exactly one: refused"
                );
                return Ok(CallbackOutcome::TransferRefused);
            }
        };
        let accepted = AcceptedCallback { entry: &entry, request: &request, evidence };
        match verified.into_subject() {
            CallbackSubject::Order { reference, claim } => {
                if self.record(accepted, &reference, claim).await?.is_none() {
                    return Ok(CallbackOutcome::NotOurs);
                }
                // Fails only while the service stops; then the worker asks later.
                let _ = self.hints.send(CallbackHint { reference });
                Ok(CallbackOutcome::Taken)
            }
            CallbackSubject::Approval(question) => {
                let found = self.record(accepted, &question.reference, None).await?;
                if found.is_some_and(|transaction| question.is_about(&transaction)) {
                    return Ok(CallbackOutcome::Taken);
                }
                let reference = question.reference;
                warn!(
                    operator,
                    reference,
                    "the operator asks about a transfer that was not ordered here: refused"
                );
                Ok(CallbackOutcome::TransferRefused)
            }
            CallbackSubject::Dispute { reference } => {
                let found = self.record(accepted, &reference, None).await?;
                match found.filter(|found| found.order.transfer.kind == Kind::Charge) {
                    Some(charge) => {
                        self.gateway.record(&charge, Observation::Disputed).await?;
                        Ok(CallbackOutcome::Taken)
                    }
                    None => Ok(CallbackOutcome::NotOurs),
                }
            }
            CallbackSubject::Nothing => Ok(CallbackOutcome::Taken),
        }
    }

    /// The operator whose secret this is. Digests are compared, so the time of the comparison does
    /// not depend on the secret.
    fn entry(&self, operator: &str, secret: &str) -> Option<Arc<OperatorEntry>> {
        let given = SecretDigest::of(secret);
        let is_right = |key: &tua_domain::secret::ServerKey| {
            SecretDigest::of(&key.callback_secret(operator)) == given
        };
        self.keys
            .all()
            .iter()
            .any(is_right)
            .then(|| self.gateway.operators.called_back(operator))
            .flatten()
    }

    /// Stores the callback, if it is about a transaction that is pinned to the entry at whose
    /// address it arrived. Returns the transaction.
    async fn record(
        &self,
        AcceptedCallback { entry, request, evidence }: AcceptedCallback<'_>,
        reference: &str,
        claim: Option<FailureClaim>,
    ) -> Result<Option<Transaction>, StoreError> {
        let operator = entry.pin.name.as_str();
        let found = match TransactionId::of_operator_reference(reference) {
            Some(transaction) => {
                let now = self.gateway.clock.now();
                let exchange = Exchange::of_callback(transaction, operator, request, evidence, now);
                let received =
                    ReceivedCallback { exchange, operator: entry.pin.fingerprint.clone(), claim };
                self.callback_log.record_callback(received).await?
            }
            None => None,
        };
        if let Some(transaction) = &found {
            Span::current().record("tua.transaction.id", transaction.order.id.as_str());
        } else {
            warn!(
                operator,
                "a callback is about no payment of this operator: nothing of it is used"
            );
        }
        Ok(found)
    }
}

/// A verified callback, and the operator entry at whose address it arrived.
struct AcceptedCallback<'a> {
    entry: &'a OperatorEntry,
    request: &'a CallbackRequest,
    evidence: String,
}
