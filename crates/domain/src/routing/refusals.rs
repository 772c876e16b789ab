//! The circuit breakers of the networks at an operator: it gets no orders of a network while it
//! refuses all of them.

use super::Breaker;
use crate::Kind;
use tua_contract::Network;

/// A breaker for each network and direction.
#[derive(Debug, Default)]
pub struct RefusalBreakers([[Breaker; Kind::ALL.len()]; Network::ALL.len()]);

impl RefusalBreakers {
    /// The breaker of a network and direction.
    #[must_use]
    pub const fn of(&self, network: Network, kind: Kind) -> &Breaker {
        &self.0[network as usize][kind as usize]
    }
}
