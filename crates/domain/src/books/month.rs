//! Months of the calendar in UTC, which is the time zone of Ghana.

use jiff::{Span, civil::Date};
use std::{fmt, ops::RangeInclusive};

/// A month of the calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Month {
    first: Date,
}

/// Whether the last day of a month has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MonthProgress {
    /// The last day has ended.
    Finished,
    /// The month is running, and its figures can still change.
    Running,
}

/// The days of a month that have begun, and the days with which they are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MonthPeriod {
    /// The month that the report is about.
    pub month: Month,
    /// Whether its last day has ended.
    pub progress: MonthProgress,
    /// The days of the month: all of a finished one, else those until today.
    pub days: RangeInclusive<Date>,
    /// The days of the month before: all of it for a finished month, else as many from its first
    /// day on, as far as it has them.
    pub before: RangeInclusive<Date>,
}

impl Month {
    /// The month that contains a day.
    #[must_use]
    pub fn of(day: Date) -> Self {
        Self { first: day.first_of_month() }
    }

    /// A month as `2026-11`, of the years 1970 to 9998.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        let is_written = |part: &str, digits| {
            part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_written(year, 4) || !is_written(month, 2) {
            return None;
        }
        let year: i16 = year.parse().ok().filter(|year| (1970..=9998).contains(year))?;
        Some(Self { first: Date::new(year, month.parse().ok()?, 1).ok()? })
    }

    /// The first day of the month.
    #[must_use]
    pub const fn first(self) -> Date {
        self.first
    }

    /// The last day of the month.
    #[must_use]
    pub fn last(self) -> Date {
        self.first.last_of_month()
    }

    /// The month before.
    #[must_use]
    pub fn previous(self) -> Self {
        Self::of(self.first.yesterday().unwrap_or(self.first))
    }

    /// The month after.
    #[must_use]
    pub fn next(self) -> Self {
        Self::of(self.last().tomorrow().unwrap_or(self.first))
    }

    /// The days of the month that have begun by this day; `None` for a month that has not begun.
    #[must_use]
    pub fn period(self, today: Date) -> Option<MonthPeriod> {
        if self.first > today {
            return None;
        }
        let previous = self.previous();
        if self.last() < today {
            return Some(MonthPeriod {
                month: self,
                progress: MonthProgress::Finished,
                days: self.first..=self.last(),
                before: previous.first..=previous.last(),
            });
        }
        let offset = Span::new().days(i32::from(today.day()) - 1);
        let same_day = previous.first.checked_add(offset).unwrap_or(previous.first);
        Some(MonthPeriod {
            month: self,
            progress: MonthProgress::Running,
            days: self.first..=today,
            before: previous.first..=same_day.min(previous.last()),
        })
    }
}

/// `2026-11`
impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.first.year(), self.first.month())
    }
}
