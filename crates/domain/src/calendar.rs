//! Days in UTC, which is the time zone of Ghana.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

/// The first moment of a day in UTC; `None` outside the range of [`Timestamp`].
#[must_use]
pub fn start_of_day(day: Date) -> Option<Timestamp> {
    day.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// The day of a moment, in UTC.
#[must_use]
pub fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}
