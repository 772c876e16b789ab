//! What each event that the sandbox can make needs: a payment of test mode with a number that
//! selects its outcome (docs/reference/test-mode.md#phone-numbers).

use tua_contract::Network;
use tua_domain::webhook::EventType;

/// What is done so that an event happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Steps {
    /// A charge, whose number ends with these digits.
    Charge(&'static str),
    /// A payout, whose number ends with these digits.
    Payout(&'static str),
    /// A charge, whose number ends with these digits, and a refund of all of it.
    Refund(&'static str),
    /// A checkout session that stays open.
    OpenCheckout,
    /// A checkout session, and a charge of it, whose number ends with these digits.
    ChargeCheckout(&'static str),
    /// A checkout session that is closed.
    CloseCheckout,
}

/// Succeeds at the next status query, also where the simulated phone decides about other numbers.
const SUCCEEDS: &str = "0008";
const INSUFFICIENT_FUNDS: &str = "0001";
const REFUND_FAILS: &str = "0021";

/// The events that can be made, in the order of the list of webhooks.
pub(super) const ALL: &[(EventType, Steps)] = &[
    (EventType::ChargePending, Steps::Charge(SUCCEEDS)),
    (EventType::ChargeActionRequired, Steps::Charge(SUCCEEDS)),
    (EventType::ChargeSuccessful, Steps::Charge(SUCCEEDS)),
    (EventType::ChargeFailed, Steps::Charge(INSUFFICIENT_FUNDS)),
    (EventType::PayoutPending, Steps::Payout(SUCCEEDS)),
    (EventType::PayoutSuccessful, Steps::Payout(SUCCEEDS)),
    (EventType::PayoutFailed, Steps::Payout(INSUFFICIENT_FUNDS)),
    (EventType::RefundPending, Steps::Refund(SUCCEEDS)),
    (EventType::RefundSuccessful, Steps::Refund(SUCCEEDS)),
    (EventType::RefundFailed, Steps::Refund(REFUND_FAILS)),
    (EventType::CheckoutOpened, Steps::OpenCheckout),
    (EventType::CheckoutPaid, Steps::ChargeCheckout(SUCCEEDS)),
    (EventType::CheckoutAttemptFailed, Steps::ChargeCheckout(INSUFFICIENT_FUNDS)),
    (EventType::CheckoutClosed, Steps::CloseCheckout),
];

/// What an event needs; `None` where the sandbox cannot make it at once.
pub(super) fn steps_of(event: EventType) -> Option<Steps> {
    ALL.iter().find(|(one, _)| *one == event).map(|(_, steps)| *steps)
}

/// A number of this network that ends with these digits.
pub(super) fn phone(network: Network, ending: &str) -> String {
    let prefix = match network {
        Network::Mtn => "024123",
        Network::Telecel => "020123",
        Network::AirtelTigo => "027123",
    };
    format!("{prefix}{ending}")
}

impl Steps {
    /// What is done, for the list of events.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Self::Charge(_) => "makes a charge",
            Self::Payout(_) => "makes a payout",
            Self::Refund(_) => "makes a charge, and refunds it",
            Self::OpenCheckout => "creates a checkout session",
            Self::ChargeCheckout(_) => "creates a checkout session, and charges it",
            Self::CloseCheckout => "creates a checkout session, and closes it",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As docs/reference/command-line.md#develop-a-shop lists them.
    const IMPOSSIBLE: [EventType; 9] = [
        EventType::ChargeDelayed,
        EventType::ChargeConflict,
        EventType::PayoutDelayed,
        EventType::PayoutReversed,
        EventType::PayoutConflict,
        EventType::RefundDelayed,
        EventType::RefundConflict,
        EventType::CheckoutExpired,
        EventType::Ping,
    ];

    #[test]
    fn every_event_can_be_made_or_is_documented_as_impossible() {
        for event in EventType::ALL {
            let is_impossible = IMPOSSIBLE.contains(event);
            assert_eq!(steps_of(*event).is_none(), is_impossible, "{}", event.as_str());
        }
    }
}
