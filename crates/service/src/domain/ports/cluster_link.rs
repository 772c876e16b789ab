//! The port of a store that several processes (nodes) serve from at once.

use super::StoreError;
use crate::domain::TransactionId;
use async_trait::async_trait;
use std::fmt::Debug;

/// Change notifications between the nodes of one store.
///
/// Notifications only make long polls answer sooner. A node that misses one finds the change within a second, because
/// it also compares [`Self::versions`].
#[async_trait]
pub trait ClusterLink: Debug + Send + Sync {
    /// Subscribes to the changes that other nodes publish. This instance counts as alive while the subscription is
    /// open.
    ///
    /// # Errors
    /// [`StoreError`] if the connection could not be opened.
    async fn join(&self, instance: &str) -> Result<Box<dyn ChangeSubscription>, StoreError>;

    /// Publishes the ids of changed transactions to all other nodes.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be published.
    async fn publish(&self, changed: &[TransactionId]) -> Result<(), StoreError>;

    /// The current versions of these transactions.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be read.
    async fn versions(&self, ids: &[TransactionId]) -> Result<Vec<(TransactionId, u32)>, StoreError>;
}

/// An open subscription; dropping it unsubscribes.
#[async_trait]
pub trait ChangeSubscription: Debug + Send {
    /// Waits for the next batch of changed transactions. `None` once the connection is lost.
    async fn next(&mut self) -> Option<Vec<TransactionId>>;
}
