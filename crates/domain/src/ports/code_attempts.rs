//! The port for the codes that payers enter.

use super::{CodeAttemptError, SettledCode, StoreError};
use crate::{
    Transaction, TransactionId, idempotency::Attempt, persistent_bucket::PersistentBucket,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The part of the store for the codes that payers enter.
#[async_trait]
pub trait CodeAttempts: Debug + Send + Sync + 'static {
    /// Counts a code and inserts its idempotency record, before the code is sent to the operator.
    /// The tokens of `guesses` are consumed last, as those of prompts.
    async fn count_code_attempt(
        &self,
        id: &TransactionId,
        attempt: Option<Attempt>,
        guesses: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Transaction, CodeAttemptError>;
    /// Stores that a counted code is not in flight any more, and was not accepted. A code that is
    /// accepted changes the transaction instead.
    async fn settle_code(&self, id: &TransactionId) -> Result<SettledCode, StoreError>;
}
