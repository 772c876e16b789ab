//! The port of a store that several processes (nodes) serve from at once.

use super::StoreError;
use crate::domain::{
    Kind, TransactionId,
    routing::{BreakerChange, OperatorFingerprint},
};
use async_trait::async_trait;
use std::fmt::Debug;

/// What a node publishes to the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClusterMessage {
    /// A transaction has changed.
    Changed(TransactionId),
    /// A circuit breaker of the node has opened or closed.
    Breaker(BreakerChange),
}

/// The prefix of the text of [`ClusterMessage::Breaker`]. No id begins with it.
const BREAKER: &str = "breaker";

impl ClusterMessage {
    /// The message as text without spaces.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Changed(id) => id.as_str().to_owned(),
            Self::Breaker(BreakerChange { operator, kind, is_open }) => {
                let state = if *is_open { "open" } else { "closed" };
                format!("{BREAKER}:{state}:{}:{}", kind.as_str(), operator.as_str())
            }
        }
    }

    /// Reads a text of [`Self::to_text`]. `None` for a message of a newer version.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let Some(breaker) = text.strip_prefix(BREAKER) else { return Some(Self::Changed(TransactionId::new(text))) };
        let mut parts = breaker.strip_prefix(':')?.splitn(3, ':');
        let (state, kind, operator) = (parts.next()?, parts.next()?, parts.next()?);
        let is_open = match state {
            "open" => true,
            "closed" => false,
            _ => return None,
        };
        let operator = OperatorFingerprint::of_row(operator.to_owned());
        Some(Self::Breaker(BreakerChange { operator, kind: Kind::parse(kind)?, is_open }))
    }
}

/// Messages between the nodes of one store.
///
/// Notifications of changes only make long polls answer sooner. A node that misses one finds the change within a second, because
/// it also compares [`Self::versions`].
#[async_trait]
pub trait ClusterLink: Debug + Send + Sync {
    /// Subscribes to the changes that other nodes publish. This instance counts as alive while the subscription is
    /// open.
    ///
    /// # Errors
    /// [`StoreError`] if the connection could not be opened.
    async fn join(&self, instance: &str) -> Result<Box<dyn ChangeSubscription>, StoreError>;

    /// Publishes messages to all other nodes.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be published.
    async fn publish(&self, messages: &[ClusterMessage]) -> Result<(), StoreError>;

    /// The current versions of these transactions.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be read.
    async fn versions(&self, ids: &[TransactionId]) -> Result<Vec<(TransactionId, u32)>, StoreError>;
}

/// An open subscription. Dropping it unsubscribes.
#[async_trait]
pub trait ChangeSubscription: Debug + Send {
    /// Waits for the next messages. `None` once the connection is lost.
    async fn next(&mut self) -> Option<Vec<ClusterMessage>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_from_their_texts() {
        let operator = OperatorFingerprint::of(&["mtn-momo"]);
        let breakers = Kind::ALL.iter().flat_map(|kind| {
            let change = |is_open| BreakerChange { operator: operator.clone(), kind: *kind, is_open };
            [true, false].map(|is_open| ClusterMessage::Breaker(change(is_open)))
        });
        for message in breakers.chain([ClusterMessage::Changed(TransactionId::mint())]) {
            let text = message.to_text();
            assert!(!text.contains(' '));
            assert_eq!(ClusterMessage::parse(&text), Some(message));
        }
        assert_eq!(ClusterMessage::parse("breaker:half:CHARGE:0"), None);
    }
}
