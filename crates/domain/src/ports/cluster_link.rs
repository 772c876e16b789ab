//! The port of a store that several processes (nodes) serve from at once.

use super::StoreError;
use crate::{
    Kind, TransactionId,
    breaker_change::{BreakerChange, BreakerScope, BreakerState},
    pinned_operator::OperatorFingerprint,
};
use async_trait::async_trait;
use std::fmt::Debug;
use tua_contract::Network;

/// What a node publishes to the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClusterMessage {
    /// A transaction has changed.
    Changed(TransactionId),
    /// A circuit breaker of the node has opened or closed.
    Breaker(BreakerChange),
    /// The operators that people connected have changed.
    ConnectedOperators,
}

/// The prefix of the text of [`ClusterMessage::Breaker`]. No id begins with it.
const BREAKER: &str = "breaker";

/// The text of [`ClusterMessage::ConnectedOperators`]. No id is like it. An earlier version takes
/// it for a transaction that nobody waits for.
const CONNECTED_OPERATORS: &str = "connected-operators";

/// In place of a network.
const EVERY_NETWORK: &str = "all";

impl ClusterMessage {
    /// The message as text without spaces.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Changed(id) => id.as_str().to_owned(),
            Self::ConnectedOperators => CONNECTED_OPERATORS.to_owned(),
            Self::Breaker(BreakerChange { operator, scope, state }) => {
                let BreakerScope { kind, network } = scope;
                let state = match state {
                    BreakerState::Open => "open",
                    BreakerState::HalfOpen => "half-open",
                    BreakerState::Closed => "closed",
                };
                let network = network.map_or(EVERY_NETWORK, Network::as_str);
                format!("{BREAKER}:{state}:{}:{network}:{}", kind.as_str(), operator.as_str())
            }
        }
    }

    /// Reads a text of [`Self::to_text`]. `None` for a message of a newer version.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == CONNECTED_OPERATORS {
            return Some(Self::ConnectedOperators);
        }
        let Some(breaker) = text.strip_prefix(BREAKER) else {
            return Some(Self::Changed(TransactionId::new(text)));
        };
        let parts: Vec<&str> = breaker.strip_prefix(':')?.splitn(4, ':').collect();
        let [state, kind, network, operator] = parts[..] else { return None };
        let state = match state {
            "open" => BreakerState::Open,
            "half-open" => BreakerState::HalfOpen,
            "closed" => BreakerState::Closed,
            _ => return None,
        };
        let network = if network == EVERY_NETWORK { None } else { Some(Network::parse(network)?) };
        let scope = BreakerScope { kind: Kind::parse(kind)?, network };
        let operator = OperatorFingerprint::of_row(operator.to_owned());
        Some(Self::Breaker(BreakerChange { operator, scope, state }))
    }
}

/// Messages between the nodes of one store.
///
/// Notifications of changes only make long polls answer sooner. A node that misses one finds the
/// change within a second, because it also compares [`Self::versions`].
#[async_trait]
pub trait ClusterLink: Debug + Send + Sync {
    /// Subscribes to the changes that other nodes publish. This instance counts as alive while the
    /// subscription is open.
    ///
    /// # Errors
    /// [`StoreError`] if the connection could not be opened.
    async fn join(&self, instance: &str) -> Result<Box<dyn ChangeSubscription>, StoreError>;

    /// Publishes messages to all nodes but this one: when they arrive, its circuit breaker may be
    /// in a later state than they tell.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be published.
    async fn publish(&self, instance: &str, messages: &[ClusterMessage]) -> Result<(), StoreError>;

    /// The current versions of these transactions.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be read.
    async fn versions(
        &self,
        ids: &[TransactionId],
    ) -> Result<Vec<(TransactionId, u32)>, StoreError>;
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
        let networks = || std::iter::once(None).chain(Network::ALL.map(Some));
        let scopes_of = |kind| networks().map(move |network| BreakerScope { kind, network });
        let scopes = Kind::ALL.iter().flat_map(|kind| scopes_of(*kind));
        let states = [BreakerState::Open, BreakerState::HalfOpen, BreakerState::Closed];
        let breakers = scopes.flat_map(|scope| {
            let change = |state| BreakerChange { operator: operator.clone(), scope, state };
            states.map(|state| ClusterMessage::Breaker(change(state)))
        });
        let others =
            [ClusterMessage::Changed(TransactionId::mint()), ClusterMessage::ConnectedOperators];
        for message in breakers.chain(others) {
            let text = message.to_text();
            assert!(!text.contains(' '));
            assert_eq!(ClusterMessage::parse(&text), Some(message));
        }
        assert_eq!(ClusterMessage::parse("breaker:half:CHARGE:all:0"), None);
        let earlier_version = "breaker:open:CHARGE:0";
        assert_eq!(ClusterMessage::parse(earlier_version), None);
    }
}
