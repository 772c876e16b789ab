//! A store that several processes serve from at once.

use super::StoreError;
use crate::{domain::TransactionId, secret::ServerKey};
use async_trait::async_trait;
use std::fmt::Debug;

/// What the processes on one store tell each other. Nothing hangs on it but how soon they hear: whoever
/// waits also looks for itself (see [`Self::versions`]).
#[async_trait]
pub trait Shared: Debug + Send + Sync {
    /// Agrees with the others about the server key: the first one's digest is kept, and every other key
    /// is refused. With two keys, tokens would open nothing on half of the nodes.
    ///
    /// # Errors
    /// One line.
    async fn agree_on(&self, key: &ServerKey) -> Result<(), String>;

    /// Opens the line on which the others are heard. As long as it is open, this instance counts as alive.
    ///
    /// # Errors
    /// The store's own, here and below.
    async fn listen(&self, instance: &str) -> Result<Box<dyn Line>, StoreError>;

    /// Tells everybody that these transactions have changed.
    async fn tell(&self, changed: &[TransactionId]) -> Result<(), StoreError>;

    /// Where these transactions stand.
    async fn versions(&self, ids: &[TransactionId]) -> Result<Vec<(TransactionId, u32)>, StoreError>;
}

/// An open line; dropped, it hangs up.
#[async_trait]
pub trait Line: Debug + Send {
    /// Waits for the next transactions that have changed; nothing once the line is broken.
    async fn heard(&mut self) -> Option<Vec<TransactionId>>;
}
