//! Pending payments whose operator the settings no longer have.

use super::operator_gateway::OperatorGateway;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tracing::error;
use tua_contract::lifecycle::Observation;
use tua_domain::{
    ports::{PinnedPayments, StoreError},
    routing::{OperatorFingerprint, OperatorName, Operators},
};

/// The age from which such a payment is flagged for review.
const UNSERVED_AGE: SignedDuration = SignedDuration::from_mins(15);

/// How many payers' prompts are ended at once. The next ones follow at the next check.
const MAX_PROMPTS: u32 = 500;

/// Finds pending payments whose operator the settings no longer have.
#[derive(Clone, Debug)]
pub struct UnservedPayments {
    /// Has the operators of pending payments.
    pub pinned: Arc<dyn PinnedPayments>,
    /// The operators of the settings, and those that people connected.
    pub operators: Operators,
    /// Records that such a payment waits, and no longer for its payer.
    pub gateway: Arc<OperatorGateway>,
}

/// An operator that the settings no longer have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingOperator {
    /// Its name when the settings had it.
    pub name: OperatorName,
    /// How many pending payments wait for it.
    pub payments: u32,
}

impl UnservedPayments {
    /// The operators that pending payments wait for and that are not among the known ones.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn missing_operators(
        pinned: &dyn PinnedPayments,
        known: &[OperatorFingerprint],
    ) -> Result<Vec<MissingOperator>, StoreError> {
        let pending = pinned.pending_by_operator().await?.into_iter();
        let missing = pending.filter(|(pin, _)| !known.contains(&pin.fingerprint));
        Ok(missing.map(|(pin, payments)| MissingOperator { name: pin.name, payments }).collect())
    }

    /// Flags such payments for review that have waited for 15 minutes, and lifts the flag of those
    /// whose operator is back. Their payers are no longer asked to approve them or to enter a code:
    /// nobody would learn of it. Returns how many were flagged. Nothing happens while the operators
    /// that people connected are not known: one of them may be the operator.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn flag(&self, now: Timestamp) -> Result<u64, StoreError> {
        if !self.operators.knows_connected() {
            return Ok(0);
        }
        let known = self.operators.fingerprints();
        let flagged = self.pinned.flag_unserved(known, now - UNSERVED_AGE, now).await?;
        for payment in self.pinned.unserved_prompts(MAX_PROMPTS).await? {
            if let Err(error) = self.gateway.record(&payment, Observation::Ambiguous).await {
                let transaction = &payment.order.id;
                error!(%transaction, %error, "the prompt of a payment without an operator stays");
            }
        }
        Ok(flagged)
    }
}
