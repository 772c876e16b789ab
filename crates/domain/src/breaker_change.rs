//! Changes of circuit breakers, which nodes publish to each other.

use crate::{Kind, pinned_operator::OperatorFingerprint};
use tua_contract::Network;

/// Which of an operator's orders a breaker withholds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BreakerScope {
    /// The direction of the orders: charges, or payouts with the refunds among them.
    pub kind: Kind,
    /// The network whose orders the operator refuses; `None` for all networks, whose orders get no
    /// response.
    pub network: Option<Network>,
}

/// What a circuit breaker does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BreakerState {
    /// It withholds sends. From time to time the operator is probed by a read.
    Open,
    /// It lets sends pass, and the next failure opens it again.
    HalfOpen,
    /// It lets sends pass.
    Closed,
}

/// A circuit breaker has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BreakerChange {
    /// The operator to which the breaker belongs, on every node.
    pub operator: OperatorFingerprint,
    /// The direction, and perhaps the network, whose orders it withholds.
    pub scope: BreakerScope,
    /// What it does now.
    pub state: BreakerState,
}
