//! The port for transactions and their events.

use super::{BeginError, Finding, Observed, StoreError};
use crate::{
    Event, Transaction, TransactionId, TransactionOrder,
    idempotency::{Attempt, StoredResponse},
    persistent_bucket::PersistentBucket,
    transaction::Sending,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{fmt::Debug, sync::Arc};

/// The part of the store for transactions and their events.
#[async_trait]
pub trait Transactions: Debug + Send + Sync + 'static {
    /// Inserts a payment in one database transaction: its row, its first event, the times of its
    /// order and of its first query, and the idempotency record. Checks that no other charge of the
    /// session is pending, and that the refunds of a charge are not larger than its payment. The
    /// prompts' tokens are consumed last, all or none, so that refused and repeated requests
    /// consume none, however many run concurrently.
    async fn begin(
        &self,
        new: Arc<TransactionOrder>,
        sending: Sending,
        attempt: Option<Attempt>,
        prompts: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, BeginError>;
    /// Finds a transaction by its id, in any account and mode.
    async fn transaction(&self, id: &TransactionId) -> Result<Option<Transaction>, StoreError>;
    /// Lists the events of a transaction, oldest first.
    async fn events(&self, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>, StoreError>;
    /// Applies a finding about the transaction as it was when the operator was queried (see
    /// [`Transaction::weigh`]), and writes the result. The response is stored too if the new state
    /// is that of [`Transaction::after`], or if the finding is the first acknowledgement. What
    /// counts is [`Finding::weighed_against`] the order's sends. With [`Finding::ask_again_at`] a
    /// transaction that is final is queried again then.
    async fn observe(
        &self,
        asked: &Transaction,
        finding: Finding,
        response: Option<StoredResponse>,
        now: Timestamp,
    ) -> Result<Observed, StoreError>;
}
