//! Which number leads to which outcome.
//!
//! Each protocol looks in its operator's documented test numbers first. Every other number follows
//! the table of test mode (docs/reference/test-mode.md): its last four digits choose the outcome. A
//! refund follows the number of its charge.

use crate::phase::{Failure, Kind};
use std::time::Duration;

/// What happens with one order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Script {
    /// How the order ends.
    pub outcome: Outcome,
    /// From the acceptance, or from the right code, to the outcome.
    pub after: Duration,
    /// What the payer has to submit first, where the operator has codes.
    pub code: Option<CodeKind>,
    /// Whether the callbacks about the outcome are dropped.
    pub drops_callbacks: bool,
    /// Whether the operator answers 503 to the send although it has accepted the order.
    pub hides_acceptance: bool,
}

/// What a payer submits before the operator goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeKind {
    /// The code of an SMS.
    Passcode,
    /// The voucher that the payer makes on the phone.
    Voucher,
}

/// How an order ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The money moves, and the order is successful.
    Success,
    /// The operator refuses it, for this reason.
    Failure(Failure),
    /// It has no outcome until a person chooses one on the page.
    Undecided,
}

/// The delay of orders without a delay of their own.
pub const USUAL_DELAY: Duration = Duration::from_secs(2);

/// A payment from 0009 takes this long.
const LONG_DELAY: Duration = Duration::from_secs(30);

impl Script {
    /// The money moves after about 2 s.
    pub const SUCCESS: Self = Self {
        outcome: Outcome::Success,
        after: USUAL_DELAY,
        code: None,
        drops_callbacks: false,
        hides_acceptance: false,
    };

    /// The order ends like this, after about 2 s.
    #[must_use]
    pub const fn ending(outcome: Outcome) -> Self {
        Self { outcome, ..Self::SUCCESS }
    }

    /// The order fails, for this reason, after about 2 s.
    #[must_use]
    pub const fn failing(failure: Failure) -> Self {
        Self::ending(Outcome::Failure(failure))
    }

    /// The same script with another delay.
    #[must_use]
    pub const fn within(self, after: Duration) -> Self {
        Self { after, ..self }
    }

    /// The script of a number that is not one of the operator's own test numbers. `phone` is the
    /// wallet's number, in any spelling that ends with its last four digits. For a refund it is the
    /// number of the charge.
    #[must_use]
    pub fn by_last_four(phone: &str, kind: Kind) -> Self {
        let last_four = phone.get(phone.len().saturating_sub(4)..).unwrap_or_default();
        match kind {
            Kind::Charge => Self::of_charge(last_four),
            Kind::Payout => Self::of_payout(last_four),
            Kind::Refund => Self::of_refund(last_four),
        }
    }

    fn of_charge(last_four: &str) -> Self {
        match last_four {
            "0002" => Self::failing(Failure::Rejected),
            "0003" => Self::failing(Failure::ApprovalTimeout),
            "0004" => Self::failing(Failure::WrongPin),
            "0011" => Self { code: Some(CodeKind::Passcode), ..Self::SUCCESS },
            "0012" => Self::ending(Outcome::Undecided),
            _ => Self::of_both(last_four),
        }
    }

    fn of_payout(last_four: &str) -> Self {
        match last_four {
            // Nobody approves a payout, so these cannot fail as they do for a charge.
            "0002" | "0003" | "0004" => Self::failing(Failure::Refused),
            _ => Self::of_both(last_four),
        }
    }

    fn of_refund(last_four: &str) -> Self {
        match last_four {
            "0021" => Self::failing(Failure::NotFound),
            "0022" => Self::ending(Outcome::Undecided),
            _ => Self::SUCCESS,
        }
    }

    fn of_both(last_four: &str) -> Self {
        match last_four {
            "0001" => Self::failing(Failure::InsufficientFunds),
            "0005" => Self::failing(Failure::LimitReached),
            "0006" => Self::failing(Failure::NotFound),
            "0007" => Self::ending(Outcome::Undecided),
            "0008" => Self { drops_callbacks: true, ..Self::SUCCESS },
            "0009" => Self::SUCCESS.within(LONG_DELAY),
            "0010" => Self { hides_acceptance: true, ..Self::SUCCESS },
            _ => Self::SUCCESS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charge(phone: &str) -> Script {
        Script::by_last_four(phone, Kind::Charge)
    }

    #[test]
    fn the_last_four_digits_choose_the_outcome_of_a_charge() {
        for (digits, failure) in [
            ("0001", Failure::InsufficientFunds),
            ("0002", Failure::Rejected),
            ("0003", Failure::ApprovalTimeout),
            ("0004", Failure::WrongPin),
            ("0005", Failure::LimitReached),
            ("0006", Failure::NotFound),
        ] {
            assert_eq!(charge(&format!("23324123{digits}")), Script::failing(failure));
            assert_eq!(charge(&format!("024123{digits}")), Script::failing(failure));
        }
        assert_eq!(charge("233241230007").outcome, Outcome::Undecided);
        assert_eq!(charge("233241230012").outcome, Outcome::Undecided);
        assert!(charge("233241230008").drops_callbacks);
        assert_eq!(charge("233241230009").after, Duration::from_secs(30));
        assert!(charge("233241230010").hides_acceptance);
        assert_eq!(charge("233241230011").code, Some(CodeKind::Passcode));
        assert_eq!(charge("233241234567"), Script::SUCCESS);
        assert_eq!(charge(""), Script::SUCCESS);
    }

    #[test]
    fn nobody_approves_a_payout() {
        let payout = |phone: &str| Script::by_last_four(phone, Kind::Payout);
        for digits in ["0002", "0003", "0004"] {
            assert_eq!(payout(digits), Script::failing(Failure::Refused));
        }
        assert_eq!(payout("0001"), Script::failing(Failure::InsufficientFunds));
        assert_eq!(payout("0011"), Script::SUCCESS);
        assert_eq!(payout("0012"), Script::SUCCESS);
        assert_eq!(payout("0007").outcome, Outcome::Undecided);
    }

    #[test]
    fn a_refund_follows_the_number_of_its_charge() {
        let refund = |phone: &str| Script::by_last_four(phone, Kind::Refund);
        assert_eq!(refund("0021"), Script::failing(Failure::NotFound));
        assert_eq!(refund("0022").outcome, Outcome::Undecided);
        assert_eq!(refund("0001"), Script::SUCCESS);
    }
}
