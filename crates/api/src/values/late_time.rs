//! Times that are too late for [`jiff::Timestamp`], which ends on the last days of the year 9999.

use jiff::fmt::temporal::Pieces;

/// Whether a text is a time with its offset in the year 9999, such as `9999-12-31T23:59:59Z`, by
/// which programs often mean: without an end.
#[must_use]
pub fn is_end_of_years(text: &str) -> bool {
    Pieces::parse(text).is_ok_and(|time| {
        time.date().year() == 9999 && time.time().is_some() && time.offset().is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    #[test]
    fn only_whole_times_of_the_year_9999_are_the_end_of_years() {
        for end in ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999+01:00"] {
            assert!(is_end_of_years(end) && end.parse::<Timestamp>().is_err(), "{end}");
        }
        for other in ["2026-12-31T23:59:59Z", "9999-12-31", "9999-12-31T23:59:59", "never", ""] {
            assert!(!is_end_of_years(other), "{other}");
        }
    }
}
