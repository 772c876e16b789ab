//! Queues of due work: one for each mode, direction and network. One operator serves a whole queue.

use super::{Kind, Mode};
use tua_contract::Network;

/// The transactions of one mode, direction and network that are due to be sent or asked about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Queue {
    /// Test or live.
    pub mode: Mode,
    /// The direction.
    pub kind: Kind,
    /// The network.
    pub network: Network,
}

impl Queue {
    /// Every queue.
    pub fn all() -> impl Iterator<Item = Self> {
        Mode::ALL.iter().flat_map(|mode| {
            Kind::ALL.iter().flat_map(move |kind| {
                Network::ALL.into_iter().map(move |network| Self { mode: *mode, kind: *kind, network })
            })
        })
    }
}
