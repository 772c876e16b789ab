//! Pending transactions by age.

use super::{Mode, string_enum};
use jiff::{SignedDuration, Timestamp};

string_enum! {
    /// The age of a pending transaction, in steps that a person acts on.
    pub enum AgeBucket {
        /// As usual: the payer is approving.
        UnderMinute = "under_1m",
        /// Longer than a payer usually takes.
        Minutes = "1m_to_10m",
        /// The merchant was sent a `delayed` event (docs/reference/webhooks.md).
        Delayed = "10m_to_1h",
        /// Its operator is asked every hour.
        Hours = "1h_to_24h",
        /// Flagged for review (docs/reference/lifecycle.md).
        Days = "over_24h",
    }
}

impl AgeBucket {
    /// The age of a transaction that was handed over at `handed_over_at`.
    #[must_use]
    pub fn of(handed_over_at: Timestamp, now: Timestamp) -> Self {
        match now.duration_since(handed_over_at) {
            age if age < SignedDuration::from_mins(1) => Self::UnderMinute,
            age if age < SignedDuration::from_mins(10) => Self::Minutes,
            age if age < SignedDuration::from_hours(1) => Self::Delayed,
            age if age < SignedDuration::from_hours(24) => Self::Hours,
            _ => Self::Days,
        }
    }
}

/// A group of pending transactions whose orders are handed over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PendingGroup {
    /// Whether the payments are tests or move real money.
    pub mode: Mode,
    /// How long ago their orders were handed over to the operator, in steps.
    pub age: AgeBucket,
    /// Whether they are flagged for review. Then their operator is asked once a day.
    pub is_flagged: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_falls_into_one_step() {
        let words = [0, 59, 60, 599, 600, 3599, 3600, 86_399, 86_400].map(|seconds| {
            AgeBucket::of(Timestamp::UNIX_EPOCH, Timestamp::from_second(seconds).unwrap()).as_str()
        });
        let expected = [
            "under_1m",
            "under_1m",
            "1m_to_10m",
            "1m_to_10m",
            "10m_to_1h",
            "10m_to_1h",
            "1h_to_24h",
            "1h_to_24h",
            "over_24h",
        ];
        assert_eq!(words, expected);
    }
}
