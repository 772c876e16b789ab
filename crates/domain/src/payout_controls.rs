//! Limits and approval of payouts and refunds, for each account and mode
//! (docs/reference/payouts.md).

use super::{TransactionOrder, change::Change, refund_values::TransactionType};
use jiff::Timestamp;
use std::{fmt, str::FromStr};
use tua_contract::{Amount, AmountError};

/// The largest amount that something allows, in whole pesewas: as [`Amount`], but also zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Ceiling(i64);

impl Ceiling {
    /// A ceiling in pesewas; `None` if it is negative or above [`Amount::MAX_PESEWAS`].
    #[must_use]
    pub fn from_pesewas(pesewas: i64) -> Option<Self> {
        (0..=Amount::MAX_PESEWAS).contains(&pesewas).then_some(Self(pesewas))
    }

    /// The ceiling in pesewas.
    #[must_use]
    pub const fn pesewas(self) -> i64 {
        self.0
    }
}

impl FromStr for Ceiling {
    type Err = String;

    /// Reads cedis as people type them.
    fn from_str(text: &str) -> Result<Self, String> {
        match Amount::parse_typed(text) {
            Ok(amount) => Ok(Self(amount.pesewas())),
            Err(AmountError::NotPositive) => Ok(Self(0)),
            Err(_) => {
                Err("it must be cedis from 0 to 1000000000 with at most 2 decimals".to_owned())
            }
        }
    }
}

/// Writes cedis, as [`Amount`] does.
impl fmt::Display for Ceiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Amount::from_pesewas(self.0) {
            Ok(amount) => amount.fmt(f),
            Err(_) => f.write_str("0"),
        }
    }
}

/// The limits of payouts of one account and mode. The default is none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PayoutControls {
    /// The largest amount of one payout.
    pub limit: Option<Ceiling>,
    /// The largest sum of the payouts of one day (UTC).
    pub daily_limit: Option<Ceiling>,
    /// A payout above this amount needs an approval.
    pub approval_above: Option<Ceiling>,
    /// A refund above this amount needs an approval.
    pub refund_approval_above: Option<Ceiling>,
}

/// A payout that exceeds a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LimitExceeded {
    /// It is larger than one payout may be.
    #[error("a payout of this account may be GHS {0} at most")]
    Single(Ceiling),
    /// Together with the other payouts of the day it is larger than their sum may be.
    #[error(
        "the payouts of this account may be GHS {limit} a day (UTC) at most, and GHS {left} are \
         left today"
    )]
    Daily {
        /// The largest sum of the payouts of one day.
        limit: Ceiling,
        /// What is left of it.
        left: Ceiling,
    },
}

impl PayoutControls {
    /// Checks a payout on a day on which others of `paid_pesewas` count.
    ///
    /// # Errors
    /// [`LimitExceeded`].
    pub fn check(&self, amount: Amount, paid_pesewas: i64) -> Result<(), LimitExceeded> {
        match (self.limit, self.daily_limit) {
            (Some(limit), _) if amount.pesewas() > limit.0 => Err(LimitExceeded::Single(limit)),
            (_, Some(limit)) if amount.pesewas() > limit.0.saturating_sub(paid_pesewas) => {
                Err(LimitExceeded::Daily {
                    limit,
                    left: Ceiling(limit.0.saturating_sub(paid_pesewas).max(0)),
                })
            }
            _ => Ok(()),
        }
    }

    /// Whether a payout or refund needs an approval. A charge needs none.
    #[must_use]
    pub fn needs_approval(&self, new: &TransactionOrder) -> bool {
        let above = match new.transaction_type() {
            TransactionType::Charge => None,
            TransactionType::Payout => self.approval_above,
            TransactionType::Refund => self.refund_approval_above,
        };
        above.is_some_and(|above| new.transfer.amount.pesewas() > above.0)
    }

    /// Whether a second person must approve some payouts or refunds.
    #[must_use]
    pub const fn needs_second_person(&self) -> bool {
        self.approval_above.is_some() || self.refund_approval_above.is_some()
    }

    /// The limits, each with the name of its option of `tua account set`.
    #[must_use]
    pub const fn limits_by_name(&self) -> [(&'static str, Option<Ceiling>); 4] {
        [
            ("payout-limit", self.limit),
            ("payout-daily-limit", self.daily_limit),
            ("payout-approval-above", self.approval_above),
            ("refund-approval-above", self.refund_approval_above),
        ]
    }

    /// What differs in `after`, such as `payout-limit: GHS 500 → none`. Empty if nothing does.
    #[must_use]
    pub fn difference(&self, after: &Self) -> String {
        let text = |ceiling: Option<Ceiling>| {
            ceiling.map_or_else(|| "none".to_owned(), |one| format!("GHS {one}"))
        };
        let pairs = self
            .limits_by_name()
            .into_iter()
            .zip(after.limits_by_name())
            .filter(|((_, old), (_, new))| old != new);
        let lines =
            pairs.map(|((name, old), (_, new))| format!("{name}: {} → {}", text(old), text(new)));
        lines.collect::<Vec<_>>().join(", ")
    }
}

/// A change to [`PayoutControls`]. [`Change::Clear`] lifts a limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ControlsChange {
    /// The largest amount of one payout.
    pub limit: Change<Ceiling>,
    /// The largest sum of one day.
    pub daily_limit: Change<Ceiling>,
    /// The amount above which a payout needs an approval.
    pub approval_above: Change<Ceiling>,
    /// The amount above which a refund needs an approval.
    pub refund_approval_above: Change<Ceiling>,
}

impl ControlsChange {
    /// The controls after the change.
    #[must_use]
    pub fn apply(self, before: PayoutControls) -> PayoutControls {
        PayoutControls {
            limit: self.limit.apply(before.limit),
            daily_limit: self.daily_limit.apply(before.daily_limit),
            approval_above: self.approval_above.apply(before.approval_above),
            refund_approval_above: self.refund_approval_above.apply(before.refund_approval_above),
        }
    }
}

/// The first moment of a day in UTC, and of the next one, in milliseconds since 1970.
#[must_use]
pub fn day_of(now: Timestamp) -> (i64, i64) {
    const DAY_MS: i64 = 86_400_000;
    let start = now.as_millisecond().div_euclid(DAY_MS) * DAY_MS;
    (start, start + DAY_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cedis(text: &str) -> Option<Ceiling> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn a_ceiling_is_an_amount_or_zero() {
        for (text, pesewas) in
            [("0", 0), ("0.00", 0), ("0.01", 1), ("500", 50_000), ("1,000", 100_000)]
        {
            assert_eq!(text.parse::<Ceiling>().map(Ceiling::pesewas), Ok(pesewas), "{text}");
        }
        for text in ["", "-1", "-0", "0.001", "1000000000.01", "none", "1.2.3", "1e2", "1.250"] {
            assert!(text.parse::<Ceiling>().is_err(), "{text}");
        }
        assert_eq!(
            ["0", "0.5", "12.30"].map(|text| cedis(text).unwrap().to_string()),
            ["0", "0.5", "12.3"]
        );
    }

    #[test]
    fn a_limit_allows_itself_and_nothing_above() {
        let controls = PayoutControls {
            limit: cedis("500"),
            daily_limit: cedis("600"),
            approval_above: cedis("100"),
            ..PayoutControls::default()
        };
        let check = |amount: &str, paid: &str| {
            controls
                .check(Amount::parse(amount).unwrap(), cedis(paid).unwrap().pesewas())
                .map_err(|error| error.to_string())
        };
        assert_eq!(check("500", "100"), Ok(()));
        assert!(check("500.01", "0").unwrap_err().contains("GHS 500 at most"));
        assert!(check("500", "100.01").unwrap_err().contains("GHS 499.99 are left"));
        // Also where the limit was lowered during the day.
        assert!(check("0.01", "700").unwrap_err().contains("GHS 0 are left"));
        let needs = |amount: &str| {
            let mut new = crate::transaction::tests::new_order();
            (new.transfer.kind, new.transfer.amount) =
                (crate::Kind::Payout, Amount::parse(amount).unwrap());
            controls.needs_approval(&new)
        };
        assert!(!needs("100") && needs("100.01"));
        assert_eq!(
            PayoutControls::default().check(Amount::parse("1000000000").unwrap(), i64::MAX),
            Ok(())
        );
    }

    #[test]
    fn a_day_begins_at_midnight_in_utc() {
        let day = |text: &str| day_of(text.parse().unwrap());
        let (start, end) = day("2026-11-22T23:59:59.999Z");
        assert_eq!((start, end), day("2026-11-22T00:00:00Z"));
        assert_eq!(day("2026-11-23T00:00:00Z").0, end);
        assert_eq!(Timestamp::from_millisecond(start).unwrap().to_string(), "2026-11-22T00:00:00Z");
    }

    #[test]
    fn a_change_leaves_what_it_does_not_name() {
        let before = PayoutControls {
            limit: cedis("5"),
            daily_limit: cedis("6"),
            ..PayoutControls::default()
        };
        let change = ControlsChange {
            limit: Change::Clear,
            approval_above: cedis("0").into(),
            ..ControlsChange::default()
        };
        let after = PayoutControls {
            daily_limit: cedis("6"),
            approval_above: cedis("0"),
            ..PayoutControls::default()
        };
        assert_eq!(change.apply(before), after);
    }
}
