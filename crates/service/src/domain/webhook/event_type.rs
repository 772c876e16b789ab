//! Which events there are, and which follow from what happens to a transaction.

use crate::domain::{Event, Kind, Transaction, string_enum::string_enum};
use tua_contract::{State, Status, Step};

string_enum! {
    /// What a webhook tells of (docs/reference/webhooks.md).
    pub enum EventType {
        /// A charge has begun.
        ChargePending = "charge.pending",
        /// The payer is to do something: approve, or enter a passcode or voucher.
        ChargeActionRequired = "charge.action_required",
        /// The payer's money has moved.
        ChargeSuccessful = "charge.successful",
        /// It has not, and will not.
        ChargeFailed = "charge.failed",
        /// A charge has been pending for ten minutes.
        ChargeDelayed = "charge.delayed",
        /// The operator contradicted a final state, which stands.
        ChargeConflict = "charge.conflict",
        /// A payout has begun.
        PayoutPending = "payout.pending",
        /// The recipient has the money.
        PayoutSuccessful = "payout.successful",
        /// The recipient does not, and will not.
        PayoutFailed = "payout.failed",
        /// A payout has been pending for ten minutes.
        PayoutDelayed = "payout.delayed",
        /// The operator sent a payout back after it had succeeded.
        PayoutReversed = "payout.reversed",
        /// The operator contradicted a final state, which stands.
        PayoutConflict = "payout.conflict",
        /// A checkout session was opened.
        CheckoutOpened = "checkout.opened",
        /// A session is paid, maybe after it expired.
        CheckoutPaid = "checkout.paid",
        /// A session expired, and no charge of it is pending or paid.
        CheckoutExpired = "checkout.expired",
        /// A merchant tries an endpoint.
        Ping = "ping",
    }
}

impl EventType {
    /// What a merchant hears of an event of a transaction, which has taken it in already.
    #[must_use]
    pub const fn of(transaction: &Transaction, event: &Event) -> Option<Self> {
        let charge = matches!(transaction.begun.transfer.kind, Kind::Charge);
        Some(match event {
            Event::Begun(_) if charge => Self::ChargePending,
            Event::Begun(_) => Self::PayoutPending,
            Event::Moved(State::Pending(Step::ApproveOnPhone | Step::EnterOtp | Step::EnterVoucher)) if charge => {
                Self::ChargeActionRequired
            }
            Event::Moved(State::Successful) if charge => Self::ChargeSuccessful,
            Event::Moved(State::Successful) => Self::PayoutSuccessful,
            Event::Moved(State::Failed(_)) if charge => Self::ChargeFailed,
            Event::Moved(State::Failed(_)) => Self::PayoutFailed,
            Event::Contradicted(_) if charge => Self::ChargeConflict,
            Event::Contradicted(_) => Self::PayoutConflict,
            Event::Reversed => Self::PayoutReversed,
            // That nothing is known yet, that a code was tried, or why people decide what follows, is no
            // news to a merchant.
            Event::Moved(State::Pending(_)) | Event::CodeAttempted | Event::Reviewed(_) => return None,
        })
    }

    /// What a merchant hears when a transaction has been pending for too long.
    #[must_use]
    pub const fn delayed(kind: Kind) -> Self {
        match kind {
            Kind::Charge => Self::ChargeDelayed,
            Kind::Payout => Self::PayoutDelayed,
        }
    }

    /// Whether this event makes the session of a transaction paid, where nothing else did before.
    #[must_use]
    pub const fn pays(event: &Event) -> bool {
        matches!(event, Event::Moved(State::Successful) | Event::Contradicted(Status::Successful))
    }
}
