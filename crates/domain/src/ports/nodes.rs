//! The port for other processes on the same database.

use super::{ClusterLink, StoreError};
use async_trait::async_trait;
use std::fmt::Debug;

/// The part of the store that reports what other processes on the same database change.
#[async_trait]
pub trait Nodes: Debug + Send + Sync + 'static {
    /// Whether a process that publishes no changes, such as `tua review settle`, has written since
    /// the last call.
    async fn changed_externally(&self) -> Result<bool, StoreError>;
    /// The link to the other processes on this database. `None` if there can be only one.
    fn cluster_link(&self) -> Option<&dyn ClusterLink>;
}
