//! The sandbox's outcomes, as a pure function of the order and the time.
//!
//! The table of numbers stands in docs/reference/test-mode.md.

use super::orders::{Decision, Received};
use jiff::{SignedDuration, Timestamp};
use tua_contract::{Code, FailureCode, Network, Step, lifecycle::Observation};
use tua_domain::{Kind, poll_schedule::divide_delay};

/// The right code in test mode.
pub const RIGHT_CODE: &str = "123456";

/// Whether a submitted code is the right one.
#[must_use]
pub fn is_right(code: &Code) -> bool {
    code.expose() == RIGHT_CODE
}

/// How the sandbox behaves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Script {
    /// Divides every delay; above zero.
    pub speed: f64,
    /// Whether somebody holds the simulated phone, so that prompts wait for a tap.
    pub phone: bool,
}

/// The outcome of an order, by its phone number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// Paid after a while.
    Paid { after: SignedDuration, calls_back: bool },
    /// Paid after a while, and returned a day after the order was received.
    Reversed,
    /// Refused after a while.
    Refused { code: FailureCode, after: SignedDuration },
    /// Pending for ever: nothing decides it.
    Undecided,
    /// Decided on the simulated phone.
    Tapped,
}

/// The delays of payers and networks.
const A_WHILE: SignedDuration = SignedDuration::from_secs(2);
const A_LONG_WHILE: SignedDuration = SignedDuration::from_secs(30);
const A_DAY: SignedDuration = SignedDuration::from_hours(24);

impl Script {
    /// The response to an order: its status, except for the number whose network responds 503.
    #[must_use]
    pub fn answer_to_send(&self, received: &Received, now: Timestamp) -> Observation {
        match ending(received) {
            "0010" if !received.is_refund => Observation::Ambiguous,
            _ => self.stands_at(received, now),
        }
    }

    /// The status of an order.
    #[must_use]
    pub fn stands_at(&self, received: &Received, now: Timestamp) -> Observation {
        if received.cancelled_at.is_some() {
            return Observation::Failed(FailureCode::OtpAttemptsExhausted);
        }
        if let (Some(step), None) = (asks_code(received), received.code_accepted_at) {
            return Observation::Awaits(step);
        }
        match (self.fate(received), received.decided) {
            (Fate::Tapped, Some((Decision::Approve, _))) => Observation::Succeeded,
            (Fate::Tapped, Some((Decision::Decline, _))) => {
                Observation::Failed(FailureCode::CustomerRejected)
            }
            (Fate::Paid { after, .. }, _) if self.is_due(received, after, now) => {
                Observation::Succeeded
            }
            (Fate::Reversed, _) if self.is_due(received, A_DAY, now) => Observation::Reversed,
            (Fate::Reversed, _) if self.is_due(received, A_WHILE, now) => Observation::Succeeded,
            (Fate::Refused { code, after }, _) if self.is_due(received, after, now) => {
                Observation::Failed(code)
            }
            _ => waits_for(received),
        }
    }

    /// When the sandbox sends a callback about an order; `None` where it sends none.
    #[must_use]
    pub fn calls_back_at(&self, received: &Received, now: Timestamp) -> Option<Timestamp> {
        if asks_code(received).is_some() && received.code_accepted_at.is_none() {
            return None;
        }
        match (self.fate(received), received.decided) {
            (Fate::Paid { after, calls_back: true } | Fate::Refused { after, .. }, _)
                if !after.is_zero() =>
            {
                Some(self.due(received, after))
            }
            (Fate::Reversed, _) => Some(self.due(received, A_WHILE)),
            (Fate::Tapped, Some(_)) => Some(now),
            _ => None,
        }
    }

    /// When the sandbox returns the money of a payout that was paid; `None` where it does not.
    #[must_use]
    pub fn reverses_at(&self, received: &Received) -> Option<Timestamp> {
        (self.fate(received) == Fate::Reversed).then(|| self.due(received, A_DAY))
    }

    /// Whether an order waits for a tap on the simulated phone.
    #[must_use]
    pub fn waits_for_tap(&self, received: &Received) -> bool {
        let code_pending = asks_code(received).is_some() && received.code_accepted_at.is_none();
        self.fate(received) == Fate::Tapped
            && !code_pending
            && received.decided.is_none()
            && received.cancelled_at.is_none()
    }

    /// Whether an order waits for a voucher that the simulated phone can show.
    #[must_use]
    pub fn waits_for_voucher(&self, received: &Received) -> bool {
        asks_code(received) == Some(Step::EnterVoucher)
            && received.code_accepted_at.is_none()
            && received.cancelled_at.is_none()
    }

    fn fate(&self, received: &Received) -> Fate {
        let order = &received.order;
        let refused = |code| Fate::Refused { code, after: A_WHILE };
        if received.is_refund {
            return match ending(received) {
                "0021" => refused(FailureCode::RecipientNotFound),
                "0022" => Fate::Undecided,
                _ => Fate::Paid { after: A_WHILE, calls_back: true },
            };
        }
        match (order.transfer.kind, ending(received)) {
            (_, "0001") => refused(FailureCode::InsufficientFunds),
            (Kind::Payout, "0002" | "0003" | "0004") => refused(FailureCode::OperatorRefused),
            (Kind::Charge, "0002") => refused(FailureCode::CustomerRejected),
            (Kind::Charge, "0003") => refused(FailureCode::ApprovalTimeout),
            (Kind::Charge, "0004") => refused(FailureCode::WrongPin),
            (Kind::Charge, "0005") => refused(FailureCode::PayerLimit),
            (Kind::Payout, "0005") => refused(FailureCode::RecipientLimit),
            (Kind::Charge, "0006") => {
                Fate::Refused { code: FailureCode::PayerNotFound, after: SignedDuration::ZERO }
            }
            (Kind::Payout, "0006") => {
                Fate::Refused { code: FailureCode::RecipientNotFound, after: SignedDuration::ZERO }
            }
            (_, "0007") => Fate::Undecided,
            (_, "0008" | "0010") => Fate::Paid { after: A_WHILE, calls_back: false },
            (_, "0009") => Fate::Paid { after: A_LONG_WHILE, calls_back: true },
            (Kind::Payout, "0023") => Fate::Reversed,
            (Kind::Charge, "0012") => Fate::Tapped,
            (Kind::Charge, "0011") => Fate::Paid { after: A_WHILE, calls_back: true },
            (Kind::Charge, _) if self.phone && order.transfer.network != Network::Telecel => {
                Fate::Tapped
            }
            _ => Fate::Paid { after: A_WHILE, calls_back: true },
        }
    }

    fn is_due(&self, received: &Received, after: SignedDuration, now: Timestamp) -> bool {
        now >= self.due(received, after)
    }

    /// Delays count from the moment when nothing more is needed from the payer.
    fn due(&self, received: &Received, after: SignedDuration) -> Timestamp {
        received.code_accepted_at.unwrap_or(received.at) + divide_delay(after, self.speed)
    }
}

/// The code that an order needs from the payer, if any.
fn asks_code(received: &Received) -> Option<Step> {
    let order = &received.order;
    match (order.transfer.kind, order.transfer.network, ending(received)) {
        (Kind::Payout, ..) | (_, _, "0006" | "0010") => None,
        (_, _, "0011") => Some(Step::EnterOtp),
        (_, Network::Telecel, _) => Some(Step::EnterVoucher),
        (_, Network::Mtn | Network::AirtelTigo, _) => None,
    }
}

/// What a pending order waits for, once no code is missing.
fn waits_for(received: &Received) -> Observation {
    match (received.order.transfer.kind, received.code_accepted_at, ending(received)) {
        (Kind::Payout, ..) | (_, _, "0010") => Observation::StillPending,
        (Kind::Charge, Some(_), "0012") | (Kind::Charge, None, _) => {
            Observation::Awaits(Step::ApproveOnPhone)
        }
        (Kind::Charge, Some(_), _) => Observation::Awaits(Step::Wait),
    }
}

/// The last four digits, which choose the outcome.
fn ending(received: &Received) -> &str {
    &received.order.transfer.phone.as_str()[6..]
}

#[cfg(test)]
mod tests;
