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
            (Fate::Tapped, Some(_)) => Some(now),
            _ => None,
        }
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
mod tests {
    use super::*;
    use tua_contract::{Amount, Phone};
    use tua_domain::{Transfer, ports::Order};

    const PLAIN: Script = Script { speed: 1.0, phone: false };

    fn received(kind: Kind, network: Network, ending: &str) -> Received {
        let order = Order {
            reference: "r".to_owned(),
            transfer: Transfer {
                kind,
                amount: Amount::from_pesewas(100).unwrap(),
                network,
                phone: Phone::parse(&format!("024123{ending}")).unwrap(),
            },
            merchant: "Adom Stores".to_owned(),
            message: None,
            email: None,
        };
        Received::new(order, Timestamp::UNIX_EPOCH)
    }

    fn after(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    #[test]
    fn the_table_of_numbers_holds_for_charges_that_are_approved_on_the_phone() {
        use Observation::{Awaits, Failed, Succeeded};
        let prompt = Awaits(Step::ApproveOnPhone);
        for network in [Network::Mtn, Network::AirtelTigo] {
            for (ending, at_once, in_3_s, in_31_s) in [
                (
                    "0001",
                    prompt,
                    Failed(FailureCode::InsufficientFunds),
                    Failed(FailureCode::InsufficientFunds),
                ),
                (
                    "0002",
                    prompt,
                    Failed(FailureCode::CustomerRejected),
                    Failed(FailureCode::CustomerRejected),
                ),
                (
                    "0003",
                    prompt,
                    Failed(FailureCode::ApprovalTimeout),
                    Failed(FailureCode::ApprovalTimeout),
                ),
                ("0004", prompt, Failed(FailureCode::WrongPin), Failed(FailureCode::WrongPin)),
                ("0005", prompt, Failed(FailureCode::PayerLimit), Failed(FailureCode::PayerLimit)),
                ("0007", prompt, prompt, prompt),
                ("0008", prompt, Succeeded, Succeeded),
                ("0009", prompt, prompt, Succeeded),
                ("0012", prompt, prompt, prompt),
                ("4567", prompt, Succeeded, Succeeded),
            ] {
                let order = received(Kind::Charge, network, ending);
                assert_eq!(PLAIN.answer_to_send(&order, after(0)), at_once, "{ending}");
                assert_eq!(PLAIN.stands_at(&order, after(3)), in_3_s, "{ending}");
                assert_eq!(PLAIN.stands_at(&order, after(31)), in_31_s, "{ending}");
            }
        }
    }

    #[test]
    fn an_unknown_wallet_is_refused_at_once_on_every_network() {
        for network in Network::ALL {
            let charge = received(Kind::Charge, network, "0006");
            assert_eq!(
                PLAIN.answer_to_send(&charge, after(0)),
                Observation::Failed(FailureCode::PayerNotFound)
            );
            let payout = received(Kind::Payout, network, "0006");
            assert_eq!(
                PLAIN.answer_to_send(&payout, after(0)),
                Observation::Failed(FailureCode::RecipientNotFound)
            );
        }
    }

    #[test]
    fn an_ambiguous_send_is_found_paid_by_asking_and_never_calls_back() {
        for network in Network::ALL {
            let order = received(Kind::Charge, network, "0010");
            assert_eq!(PLAIN.answer_to_send(&order, after(0)), Observation::Ambiguous);
            assert_eq!(PLAIN.stands_at(&order, after(3)), Observation::Succeeded);
            assert_eq!(PLAIN.calls_back_at(&order, after(0)), None);
        }
    }

    #[test]
    fn telecel_asks_for_a_voucher_first_and_the_outcome_follows_it() {
        let mut order = received(Kind::Charge, Network::Telecel, "0001");
        assert_eq!(PLAIN.stands_at(&order, after(1000)), Observation::Awaits(Step::EnterVoucher));
        assert_eq!(PLAIN.calls_back_at(&order, after(0)), None);
        order.code_accepted_at = Some(after(1000));
        assert_eq!(PLAIN.stands_at(&order, after(1000)), Observation::Awaits(Step::Wait));
        assert_eq!(
            PLAIN.stands_at(&order, after(1003)),
            Observation::Failed(FailureCode::InsufficientFunds)
        );
    }

    #[test]
    fn a_number_that_asks_for_a_passcode_does_so_on_every_network() {
        for network in Network::ALL {
            let mut order = received(Kind::Charge, network, "0011");
            assert_eq!(PLAIN.answer_to_send(&order, after(0)), Observation::Awaits(Step::EnterOtp));
            order.code_accepted_at = Some(after(5));
            assert_eq!(PLAIN.stands_at(&order, after(8)), Observation::Succeeded);
        }
    }

    #[test]
    fn payouts_are_never_verified() {
        for network in Network::ALL {
            for (ending, expected) in [
                ("0001", Observation::Failed(FailureCode::InsufficientFunds)),
                ("0002", Observation::Failed(FailureCode::OperatorRefused)),
                ("0004", Observation::Failed(FailureCode::OperatorRefused)),
                ("0005", Observation::Failed(FailureCode::RecipientLimit)),
                ("0011", Observation::Succeeded),
                ("0012", Observation::Succeeded),
                ("4567", Observation::Succeeded),
            ] {
                let order = received(Kind::Payout, network, ending);
                assert_eq!(
                    PLAIN.answer_to_send(&order, after(0)),
                    Observation::StillPending,
                    "{ending}"
                );
                assert_eq!(PLAIN.stands_at(&order, after(3)), expected, "{ending}");
            }
        }
    }

    #[test]
    fn refunds_succeed_but_for_two_numbers() {
        for (ending, expected) in [
            ("0021", Observation::Failed(FailureCode::RecipientNotFound)),
            ("0022", Observation::StillPending),
            ("0010", Observation::Succeeded),
            ("4567", Observation::Succeeded),
        ] {
            let charge = received(Kind::Charge, Network::Mtn, ending);
            assert_eq!(PLAIN.stands_at(&charge, after(3)), Observation::Succeeded, "{ending}");
            let refund = received(Kind::Payout, Network::Mtn, ending).as_refund();
            assert_eq!(
                PLAIN.answer_to_send(&refund, after(0)),
                Observation::StillPending,
                "{ending}"
            );
            assert_eq!(PLAIN.stands_at(&refund, after(3)), expected, "{ending}");
        }
    }

    #[test]
    fn with_a_phone_at_hand_a_plain_number_waits_for_the_tap() {
        let script = Script { phone: true, ..PLAIN };
        let mut order = received(Kind::Charge, Network::Mtn, "4567");
        assert_eq!(
            script.stands_at(&order, after(3600)),
            Observation::Awaits(Step::ApproveOnPhone)
        );
        assert!(script.waits_for_tap(&order));
        order.decided = Some((Decision::Decline, after(10)));
        assert_eq!(
            script.stands_at(&order, after(10)),
            Observation::Failed(FailureCode::CustomerRejected)
        );
        assert_eq!(script.calls_back_at(&order, after(10)), Some(after(10)));
    }

    #[test]
    fn speed_divides_every_delay() {
        let script = Script { speed: 10.0, ..PLAIN };
        let order = received(Kind::Charge, Network::Mtn, "0009");
        assert_eq!(script.calls_back_at(&order, after(0)), Some(after(3)));
    }
}
