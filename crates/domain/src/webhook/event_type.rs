//! The webhook event types, and the type for each event of a transaction.

use crate::{
    Event, Transaction,
    refund::TransactionType::{self, Charge, Payout, Refund},
    string_enum,
};
use tua_contract::{State, Status, Step};

string_enum! {
    /// The type of a webhook event (docs/reference/webhooks.md).
    pub enum EventType {
        /// A charge has begun.
        ChargePending = "charge.pending",
        /// The payer must approve the charge, or enter a passcode or voucher.
        ChargeActionRequired = "charge.action_required",
        /// The payer's money has moved.
        ChargeSuccessful = "charge.successful",
        /// The charge failed; no money moved.
        ChargeFailed = "charge.failed",
        /// A charge has been pending for ten minutes.
        ChargeDelayed = "charge.delayed",
        /// The operator contradicted a final state. The state does not change.
        ChargeConflict = "charge.conflict",
        /// A payout has begun.
        PayoutPending = "payout.pending",
        /// The recipient has the money.
        PayoutSuccessful = "payout.successful",
        /// The payout failed; no money moved.
        PayoutFailed = "payout.failed",
        /// A payout has been pending for ten minutes.
        PayoutDelayed = "payout.delayed",
        /// The operator reversed a successful payout.
        PayoutReversed = "payout.reversed",
        /// The operator contradicted a final state. The state does not change.
        PayoutConflict = "payout.conflict",
        /// A refund has begun.
        RefundPending = "refund.pending",
        /// The payer has the money back.
        RefundSuccessful = "refund.successful",
        /// The refund failed; no money moved.
        RefundFailed = "refund.failed",
        /// A refund has been pending for ten minutes.
        RefundDelayed = "refund.delayed",
        /// The operator contradicted a final state. The state does not change.
        RefundConflict = "refund.conflict",
        /// A checkout session was opened.
        CheckoutOpened = "checkout.opened",
        /// A session is paid, possibly after it expired.
        CheckoutPaid = "checkout.paid",
        /// A charge of an open session has failed. The session goes on.
        CheckoutAttemptFailed = "checkout.attempt_failed",
        /// A session expired, and no charge of it is pending or paid.
        CheckoutExpired = "checkout.expired",
        /// The merchant closed a session, and no charge of it is pending or paid.
        CheckoutClosed = "checkout.closed",
        /// A merchant tests an endpoint.
        Ping = "ping",
    }
}

impl EventType {
    /// The type for an event that was just applied to a transaction. `None` if merchants do not
    /// receive that event.
    #[must_use]
    pub fn of(transaction: &Transaction, event: &Event) -> Option<Self> {
        let of = transaction.order.transaction_type();
        Some(match (event, of) {
            (Event::Begun { .. }, Charge) => Self::ChargePending,
            (Event::Begun { .. }, Payout) => Self::PayoutPending,
            (Event::Begun { .. }, Refund) => Self::RefundPending,
            (
                Event::Moved(
                    State::Pending(Step::ApproveOnPhone | Step::EnterOtp | Step::EnterVoucher),
                    _,
                ),
                Charge,
            ) => Self::ChargeActionRequired,
            (Event::Moved(State::Successful, _), Charge) => Self::ChargeSuccessful,
            (Event::Moved(State::Successful, _), Payout) => Self::PayoutSuccessful,
            (Event::Moved(State::Successful, _), Refund) => Self::RefundSuccessful,
            (Event::Moved(State::Failed(_), _), Charge) => Self::ChargeFailed,
            (Event::Moved(State::Failed(_), _), Payout) => Self::PayoutFailed,
            (Event::Moved(State::Failed(_), _), Refund) => Self::RefundFailed,
            (Event::Contradicted(..), Charge) => Self::ChargeConflict,
            (Event::Contradicted(..), Payout) => Self::PayoutConflict,
            (Event::Contradicted(..), Refund) => Self::RefundConflict,
            (Event::Reversed(_), _) => Self::PayoutReversed,
            // Merchants do not receive internal events: an unknown outcome, an order that is handed
            // over, an attempt with a code, a dispute, a manual review, sums that follow from a
            // refund's own event.
            (
                Event::Moved(State::Pending(_), _)
                | Event::HandedOver
                | Event::FoundAtOperator { .. }
                | Event::Mismatched(..)
                | Event::SumSettled(_)
                | Event::HandOverWithdrawn
                | Event::CodeAttempted
                | Event::Disputed
                | Event::CaseDecided(_)
                | Event::Reviewed { .. }
                | Event::Approved { .. }
                | Event::ApprovalRefused { .. }
                | Event::RefundsChanged(_),
                _,
            ) => return None,
        })
    }

    /// The type for a transaction that has been pending for ten minutes.
    #[must_use]
    pub const fn delayed(of: TransactionType) -> Self {
        match of {
            Charge => Self::ChargeDelayed,
            Payout => Self::PayoutDelayed,
            Refund => Self::RefundDelayed,
        }
    }

    /// Whether this event makes the transaction's session paid, if it was not paid before.
    #[must_use]
    pub const fn pays(event: &Event) -> bool {
        matches!(
            event,
            Event::Moved(State::Successful, _) | Event::Contradicted(Status::Successful, ..)
        )
    }

    /// Whether this event ends the transaction as failed.
    #[must_use]
    pub const fn fails(event: &Event) -> bool {
        matches!(event, Event::Moved(State::Failed(_), _))
    }
}
