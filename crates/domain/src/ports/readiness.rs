//! The port that checks whether the database accepts writes.

use super::StoreError;
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The part of the store that checks whether the database accepts writes.
#[async_trait]
pub trait Readiness: Debug + Send + Sync + 'static {
    /// Checks that the store accepts writes, by a write.
    async fn is_ready(&self, now: Timestamp) -> Result<(), StoreError>;
}
