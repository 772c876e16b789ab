//! The days of which a statement is fetched from an operator (docs/reference/statements.md).

use crate::calendar::{day_of, start_of_day};
use jiff::{Timestamp, civil::Date};

/// The longest period of one statement: what pawaPay documents (docs/operators/pawapay.md).
pub const MAX_PERIOD_DAYS: i32 = 31;

/// Whole days, in UTC. The last one may go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatementPeriod {
    from: Date,
    to: Date,
}

/// What is wrong with a period.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PeriodFault {
    /// It ends before it begins.
    #[error("the first day must not be after the last one")]
    Reversed,
    /// It is longer than [`MAX_PERIOD_DAYS`].
    #[error("a period has at most {MAX_PERIOD_DAYS} days; fetch a longer one in parts")]
    TooLong,
    /// It ends after today, or is outside the years of timestamps.
    #[error("the last day must not be after today")]
    NotBegun,
}

impl StatementPeriod {
    /// The days from the first to the last one.
    ///
    /// # Errors
    /// All faults.
    pub fn new(from: Date, to: Date, now: Timestamp) -> Result<Self, Vec<PeriodFault>> {
        let mut faults = Vec::new();
        faults.extend((from > to).then_some(PeriodFault::Reversed));
        let days = to.since(from).map_or(i32::MAX, |span| span.get_days());
        faults.extend((days >= MAX_PERIOD_DAYS).then_some(PeriodFault::TooLong));
        let is_begun = to <= day_of(now) && start_of_day(from).is_some();
        faults.extend((!is_begun).then_some(PeriodFault::NotBegun));
        if faults.is_empty() { Ok(Self { from, to }) } else { Err(faults) }
    }

    /// The midnight in UTC with which the first day begins.
    #[must_use]
    pub fn start(&self) -> Timestamp {
        start_of_day(self.from).unwrap_or(Timestamp::MIN)
    }

    /// The first moment after the period. It may be in the future.
    #[must_use]
    pub fn end(&self) -> Timestamp {
        self.to.tomorrow().ok().and_then(start_of_day).unwrap_or(Timestamp::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn period(from: Date, to: Date) -> Result<StatementPeriod, Vec<PeriodFault>> {
        StatementPeriod::new(from, to, "2026-03-31T12:00:00Z".parse().unwrap())
    }

    #[test]
    fn a_period_has_whole_days() {
        let march = period(date(2026, 3, 1), date(2026, 3, 31)).unwrap();
        let days = (march.start().to_string(), march.end().to_string());
        assert_eq!(days, ("2026-03-01T00:00:00Z".to_owned(), "2026-04-01T00:00:00Z".to_owned()));
    }

    #[test]
    fn every_fault_of_a_period_is_found() {
        use PeriodFault::{NotBegun, Reversed, TooLong};
        for (from, to, faults) in [
            (date(2026, 3, 2), date(2026, 3, 1), vec![Reversed]),
            (date(2026, 2, 28), date(2026, 3, 31), vec![TooLong]),
            (date(2026, 3, 31), date(2026, 4, 1), vec![NotBegun]),
            (date(2026, 3, 1), date(2026, 4, 1), vec![TooLong, NotBegun]),
            (date(2026, 4, 2), date(2026, 4, 1), vec![Reversed, NotBegun]),
        ] {
            assert_eq!(period(from, to), Err(faults), "{from} {to}");
        }
    }
}
