//! The port that deletes old rows.

use super::StoreError;
use crate::retention::{Horizon, Pruned};
use async_trait::async_trait;
use std::fmt::Debug;

/// The part of the store that deletes old rows.
#[async_trait]
pub trait Retention: Debug + Send + Sync + 'static {
    /// Deletes rows that are older than the horizon, at most `limit` of each kind, so that other
    /// writes wait only briefly.
    async fn prune(&self, horizon: Horizon, limit: u32) -> Result<Pruned, StoreError>;
}
