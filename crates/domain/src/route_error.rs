//! Why no operator serves a payment.

use crate::Mode;
use std::ops::RangeInclusive;
use tua_contract::{Amount, Network};

/// Why no operator can serve a payment now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RouteError {
    /// None that serves the network and direction works at present.
    #[error("no operator serves this network now")]
    NetworkUnavailable,
    /// None is set up for the network and direction in this mode, so that a repetition gets the
    /// same refusal.
    #[error("no operator is set up for {} payments on this network", .0.as_str())]
    NoOperator(Mode),
    /// The network is retired.
    #[error("{0} has ended: its numbers go on with another network")]
    NetworkEnded(Network),
    /// The amount, with the fee if the payer bears it, is outside every operator's limits.
    #[error(
        "the amount, with a fee that the payer bears, must be from GHS {} to GHS {}",
        .0.start(),
        .0.end()
    )]
    AmountOutOfRange(RangeInclusive<Amount>),
}
