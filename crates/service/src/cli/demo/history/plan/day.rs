//! The days of a history.

use jiff::{Timestamp, ToSpan, civil::Date};
use tua_domain::calendar::{day_of, start_of_day};

/// How many days the history has, with the present one.
const DAYS: i32 = 90;

/// A day of the history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Day {
    pub(super) date: Date,
    pub(super) start: Timestamp,
}

/// The days of the history, the oldest first.
pub(super) fn days(now: Timestamp) -> Vec<Day> {
    let today = day_of(now);
    let day = |age: i32| {
        let date = today.checked_sub(age.days()).ok()?;
        Some(Day { date, start: start_of_day(date)? })
    };
    (0..DAYS).rev().filter_map(day).collect()
}
