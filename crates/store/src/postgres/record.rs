//! Writes columns of PostgreSQL rows.

use jiff::Timestamp;

/// A timestamp as its column stores it: milliseconds since 1970.
pub(super) fn at(moment: Timestamp) -> i64 {
    moment.as_millisecond()
}

/// As [`at`], for a nullable column.
pub(super) fn maybe_at(moment: Option<Timestamp>) -> Option<i64> {
    moment.map(at)
}
