//! What each event that the sandbox can make needs: a payment of test mode with a number that
//! selects its outcome (docs/reference/test-mode.md#phone-numbers), or an advance of the sandbox
//! clock (docs/reference/test-mode.md#the-sandbox-clock).

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
    /// Something that changes with time, and an advance of the sandbox clock.
    Advance(Scheduled),
}

/// What happens with time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scheduled {
    /// The end of a checkout session, 30 minutes after it was opened.
    CheckoutExpiry,
    /// The event about a charge that has been pending for 10 minutes.
    ChargeDelay,
    /// The event about a payout that has been pending for 10 minutes.
    PayoutDelay,
    /// The event about a refund that has been pending for 10 minutes.
    RefundDelay,
    /// The return of the money of a payout, a day after it was made.
    PayoutReversal,
}

/// Asks for a passcode on every network, and then succeeds after about 2 seconds, also where the
/// simulated phone decides about other numbers.
const SUCCEEDS: &str = "0011";
/// On Telecel, every number outside the table asks for a voucher, as Telecel itself does, and never
/// for a decision on the simulated phone.
const SUCCEEDS_ON_TELECEL: &str = "1234";
const INSUFFICIENT_FUNDS: &str = "0001";
const REFUND_FAILS: &str = "0021";

/// The number of a payment that stays pending.
pub(super) const STAYS_PENDING: &str = "0007";
/// The number of a charge that succeeds, and whose refund stays pending.
pub(super) const REFUND_STAYS_PENDING: &str = "0022";

/// The number of a payout that succeeds, and is reversed a day later.
pub(super) const IS_REVERSED: &str = "0023";

/// The events that can be made, in the order of the list of webhooks.
pub(super) const ALL: &[(EventType, Steps)] = &[
    (EventType::ChargePending, Steps::Charge(SUCCEEDS)),
    (EventType::ChargeActionRequired, Steps::Charge(SUCCEEDS)),
    (EventType::ChargeSuccessful, Steps::Charge(SUCCEEDS)),
    (EventType::ChargeFailed, Steps::Charge(INSUFFICIENT_FUNDS)),
    (EventType::ChargeDelayed, Steps::Advance(Scheduled::ChargeDelay)),
    (EventType::PayoutPending, Steps::Payout(SUCCEEDS)),
    (EventType::PayoutSuccessful, Steps::Payout(SUCCEEDS)),
    (EventType::PayoutFailed, Steps::Payout(INSUFFICIENT_FUNDS)),
    (EventType::PayoutDelayed, Steps::Advance(Scheduled::PayoutDelay)),
    (EventType::PayoutReversed, Steps::Advance(Scheduled::PayoutReversal)),
    (EventType::RefundPending, Steps::Refund(SUCCEEDS)),
    (EventType::RefundSuccessful, Steps::Refund(SUCCEEDS)),
    (EventType::RefundFailed, Steps::Refund(REFUND_FAILS)),
    (EventType::RefundDelayed, Steps::Advance(Scheduled::RefundDelay)),
    (EventType::CheckoutOpened, Steps::OpenCheckout),
    (EventType::CheckoutPaid, Steps::ChargeCheckout(SUCCEEDS)),
    (EventType::CheckoutAttemptFailed, Steps::ChargeCheckout(INSUFFICIENT_FUNDS)),
    (EventType::CheckoutExpired, Steps::Advance(Scheduled::CheckoutExpiry)),
    (EventType::CheckoutClosed, Steps::CloseCheckout),
];

/// What an event needs.
///
/// # Errors
/// One line: the sandbox cannot make it. It names what to do instead.
pub(super) fn steps_of(event: EventType) -> Result<Steps, String> {
    let found = ALL.iter().find(|(one, _)| *one == event).map(|(_, steps)| *steps);
    found.ok_or_else(|| format!("{}: {}; see tua trigger --list", event.as_str(), why_not(event)))
}

/// Why the sandbox cannot make an event, and what to do instead.
const fn why_not(event: EventType) -> &'static str {
    match event {
        EventType::Ping => {
            "it is sent to one endpoint, by `tua webhook ping ENDPOINT_ID` where the database is, \
             or on the page Webhooks of the dashboard"
        }
        _ => {
            "no number of the sandbox makes it, because it needs an operator that changes a final \
             status. The OpenAPI document of the service has an example of its body"
        }
    }
}

/// A number of this network that ends with these digits, or that succeeds as they do.
pub(super) fn phone(network: Network, ending: &str) -> String {
    match network {
        Network::Mtn => format!("024123{ending}"),
        Network::Telecel if ending == SUCCEEDS => format!("020123{SUCCEEDS_ON_TELECEL}"),
        Network::Telecel => format!("020123{ending}"),
        Network::AirtelTigo => format!("027123{ending}"),
    }
}

impl Steps {
    /// The network where a person chooses none. The numbers whose refunds fail or stay pending wait
    /// for a tap where there is a simulated phone, but not on Telecel.
    pub(super) fn default_network(self) -> Network {
        match self {
            Self::Refund(REFUND_FAILS) | Self::Advance(Scheduled::RefundDelay) => Network::Telecel,
            _ => Network::Mtn,
        }
    }

    /// What is done, for the list of events.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Self::Charge(_) => "makes a charge",
            Self::Payout(_) => "makes a payout",
            Self::Refund(_) => "makes a charge, and refunds it",
            Self::OpenCheckout => "creates a checkout session",
            Self::ChargeCheckout(_) => "creates a checkout session, and charges it",
            Self::CloseCheckout => "creates a checkout session, and closes it",
            Self::Advance(scheduled) => scheduled.about(),
        }
    }
}

impl Scheduled {
    /// By how many seconds the sandbox clock is advanced: a minute more than it takes.
    pub(super) const fn seconds(self) -> i64 {
        match self {
            Self::CheckoutExpiry => 31 * 60,
            Self::ChargeDelay | Self::PayoutDelay | Self::RefundDelay => 11 * 60,
            Self::PayoutReversal => 24 * 60 * 60 + 60,
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::CheckoutExpiry => {
                "creates a checkout session, and advances the sandbox clock of the account by 31 \
                 minutes"
            }
            Self::ChargeDelay => {
                "makes a charge that stays pending, and advances the sandbox clock of the account \
                 by 11 minutes"
            }
            Self::PayoutDelay => {
                "makes a payout that stays pending, and advances the sandbox clock of the account \
                 by 11 minutes"
            }
            Self::RefundDelay => {
                "makes a charge, and a refund of it that stays pending, and advances the sandbox \
                 clock of the account by 11 minutes"
            }
            Self::PayoutReversal => {
                "makes a payout, and advances the sandbox clock of the account by a day, after \
                 which the sandbox reverses it"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As docs/reference/command-line.md#develop-a-shop lists them.
    const IMPOSSIBLE: [EventType; 4] = [
        EventType::ChargeConflict,
        EventType::PayoutConflict,
        EventType::RefundConflict,
        EventType::Ping,
    ];

    #[test]
    fn every_event_can_be_made_or_is_documented_as_impossible() {
        for event in EventType::ALL {
            let is_impossible = IMPOSSIBLE.contains(event);
            assert_eq!(steps_of(*event).is_err(), is_impossible, "{}", event.as_str());
        }
    }

    #[test]
    fn a_refusal_names_the_event_and_what_to_do_instead() {
        for (event, instead) in [
            (EventType::Ping, "tua webhook ping ENDPOINT_ID"),
            (EventType::PayoutConflict, "tua trigger --list"),
        ] {
            let refusal = steps_of(event).unwrap_err();
            assert!(refusal.starts_with(event.as_str()), "{refusal}");
            assert!(refusal.contains(instead), "{refusal}");
        }
    }

    #[test]
    fn a_successful_number_of_telecel_asks_for_a_voucher_as_telecel_does() {
        assert_eq!(phone(Network::Mtn, SUCCEEDS), "0241230011");
        assert_eq!(phone(Network::Telecel, SUCCEEDS), "0201231234");
        assert_eq!(phone(Network::Telecel, INSUFFICIENT_FUNDS), "0201230001");
        assert_eq!(phone(Network::AirtelTigo, SUCCEEDS), "0271230011");
    }
}
