//! The port for token buckets that are stored.

use super::StoreError;
use crate::persistent_bucket::PersistentBucket;
use async_trait::async_trait;
use std::fmt::Debug;

/// The part of the store for token buckets. Tokens are taken by the methods of the other ports, in
/// the same database transaction as what they limit.
#[async_trait]
pub trait RateBuckets: Debug + Send + Sync + 'static {
    /// Returns a token that was taken from a bucket.
    async fn return_token(&self, bucket: PersistentBucket) -> Result<(), StoreError>;
}
