//! Verified callbacks: stored before they are acknowledged.

use super::{AcceptedClaim, FailureClaim, StoreError};
use crate::{Transaction, TransactionId, exchange::Exchange, pinned_operator::OperatorFingerprint};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use std::fmt::Debug;

/// How long after a callback the operator is asked at the latest, if this process ends before it
/// could ask. No shorter than a lease, so that no lease is changed.
pub const ASK_AFTER_CALLBACK: SignedDuration = SignedDuration::from_secs(60);

/// A verified callback about a transaction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReceivedCallback {
    /// The callback as evidence. It names the transaction and the time.
    pub exchange: Exchange,
    /// The operator entry at whose address the callback arrived.
    pub operator: OperatorFingerprint,
    /// The failure that it claims, if any.
    pub claim: Option<FailureClaim>,
}

impl ReceivedCallback {
    /// When the operator is asked at the latest.
    #[must_use]
    pub fn ask_until(&self) -> Timestamp {
        self.exchange.at + ASK_AFTER_CALLBACK
    }
}

/// The part of the store for callbacks.
#[async_trait]
pub trait CallbackLog: Debug + Send + Sync + 'static {
    /// Stores a callback about a transaction that is pinned to its operator: the evidence, the
    /// claim if it [counts](FailureClaim::accept), and that the operator is asked soon, also about
    /// a final transaction. Returns the transaction. Returns `None` and writes nothing where there
    /// is no such transaction, or where it is pinned to another operator entry.
    async fn record_callback(
        &self,
        callback: ReceivedCallback,
    ) -> Result<Option<Transaction>, StoreError>;
    /// The latest claim about a transaction that counts.
    async fn failure_claim(
        &self,
        transaction: &TransactionId,
    ) -> Result<Option<AcceptedClaim>, StoreError>;
}
