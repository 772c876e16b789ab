//! Networks that have ended: no payment is begun on them any more, or payments of them are sent as
//! another network's.

use tua_contract::Network;

/// What became of a network (docs/reference/operators.md#networks-that-end).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkEnd {
    /// No new payment can begin on it. Its phone numbers continue on another network, which only
    /// their owners know.
    Retired,
    /// It became a part of another network: its new payments are that network's.
    MovedTo(Network),
}

/// The networks that have ended, by the settings. Payments that are pending go on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EndedNetworks([Option<NetworkEnd>; Network::ALL.len()]);

impl EndedNetworks {
    /// The same, with the end of one more network.
    #[must_use]
    pub const fn with(mut self, network: Network, end: NetworkEnd) -> Self {
        self.0[network as usize] = Some(end);
        self
    }

    /// What became of a network; `None` where it goes on.
    #[must_use]
    pub const fn end_of(&self, network: Network) -> Option<NetworkEnd> {
        self.0[network as usize]
    }

    /// The network on which new payments of this one are sent.
    #[must_use]
    pub const fn sent_as(&self, network: Network) -> Network {
        match self.end_of(network) {
            Some(NetworkEnd::MovedTo(other)) => other,
            Some(NetworkEnd::Retired) | None => network,
        }
    }

    /// The networks that have moved, and where to.
    pub fn moved(&self) -> impl Iterator<Item = (Network, Network)> + '_ {
        Network::ALL.into_iter().filter_map(|network| match self.end_of(network)? {
            NetworkEnd::MovedTo(other) => Some((network, other)),
            NetworkEnd::Retired => None,
        })
    }
}
