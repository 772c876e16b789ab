//! What a person, or a test, does with an order.

use crate::phase::Failure;

/// What a person, or a test, does with an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The payer approves: the money moves now.
    Approve,
    /// The order fails now. A charge is rejected by its payer, a payout or refund is refused by the
    /// network.
    Decline(Failure),
    /// The outcome is due one minute later than planned. An order that waits for a decision
    /// succeeds in one minute.
    Delay,
    /// Every callback of this order is lost from now on.
    LoseCallback,
    /// The last callback is sent again.
    RepeatCallback,
    /// A payout that had succeeded is undone.
    Reverse,
    /// The operator's final outcome turns into the opposite: failed into successful, successful
    /// into failed.
    Contradict,
    /// A refund needs the payer's account details (Paystack).
    NeedAttention,
    /// The payer disputes a successful charge (Paystack), or a dispute goes on.
    Dispute(DisputeEvent),
}

/// Why a decision has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecisionError {
    /// No order has this reference.
    #[error("there is no such order")]
    UnknownOrder,
    /// The order is in another state, of another kind, or of an operator that does not do this.
    #[error("the order does not allow this now")]
    NotAllowed,
}

/// A step of a dispute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DisputeEvent {
    /// The payer disputes the charge.
    Create,
    /// The merchant has not responded yet.
    Remind,
    /// The dispute is decided: the merchant accepted it.
    Resolve,
}
