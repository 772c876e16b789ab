//! What an order does, and how far it is.

use serde::Serialize;

/// What an order does with the money.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Kind {
    /// Money moves from a customer's wallet to the merchant.
    Charge,
    /// Money moves from the merchant to a recipient's wallet.
    Payout,
    /// The money of a charge moves back to the payer.
    Refund,
}

/// The state of an order as `/orders` reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// The order has no outcome yet.
    Pending,
    /// The money moved. A reversed payout stays successful.
    Successful,
    /// The money did not move.
    Failed,
}

/// The exact progress of an order. Each protocol has its own words for these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The payer has not chosen a wallet on the operator's page (Paystack).
    Offered,
    /// The payer has to submit a code.
    AwaitingCode,
    /// The payer has to approve, or the operator has not begun.
    Accepted,
    /// The operator waits for the merchant's approval of a payout (Paystack).
    Held,
    /// The operator holds a payout back while its network is delayed (pawaPay).
    Enqueued,
    /// The operator is moving the money.
    Processing,
    /// A refund needs the payer's account details (Paystack).
    NeedsAttention,
    /// The money moved, so the order has its outcome.
    Successful,
    /// A payout that had succeeded was undone.
    Reversed,
    /// The money did not move.
    Failed(Failure),
}

impl Phase {
    /// The state in `/orders`.
    #[must_use]
    pub const fn state(self) -> State {
        match self {
            Self::Offered
            | Self::AwaitingCode
            | Self::Held
            | Self::Accepted
            | Self::Enqueued
            | Self::Processing
            | Self::NeedsAttention => State::Pending,
            Self::Successful | Self::Reversed => State::Successful,
            Self::Failed(_) => State::Failed,
        }
    }

    /// Whether the order has its outcome.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self.state(), State::Pending)
    }
}

/// Why an order fails. Each protocol has its own code and text for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The wallet that pays does not hold the amount.
    InsufficientFunds,
    /// The payer declined the prompt.
    Rejected,
    /// The payer did not respond to the prompt in time.
    ApprovalTimeout,
    /// The payer entered a wrong PIN.
    WrongPin,
    /// The amount exceeds a limit of the payer's or the recipient's wallet.
    LimitReached,
    /// The number has no wallet on the network.
    NotFound,
    /// The network refused a payout without a more specific reason.
    Refused,
    /// The merchant's own wallet does not hold the amount.
    FloatTooLow,
    /// The merchant cancelled the order.
    Cancelled,
    /// The operator's own code, of its documented test numbers.
    Code(&'static str),
}
