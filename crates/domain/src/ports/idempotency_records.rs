//! The port for requests with an idempotency key.

use super::StoreError;
use crate::idempotency::{Attempt, IdempotencyRecord, ResponseSnapshot, StoredResponse};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The part of the store for requests with an idempotency key. Their records are inserted by the
/// methods of the other ports, in the same database transaction as what the request creates.
#[async_trait]
pub trait IdempotencyRecords: Debug + Send + Sync + 'static {
    /// Finds the record of an idempotency key. `None` if the key is unknown or was deleted.
    async fn find_attempt(
        &self,
        attempt: &Attempt,
        now: Timestamp,
    ) -> Result<Option<IdempotencyRecord>, StoreError>;
    /// Stores the response to a request with an idempotency key, unless there is one already.
    /// Returns the stored response.
    async fn record_response(
        &self,
        response: StoredResponse,
    ) -> Result<ResponseSnapshot, StoreError>;
}
