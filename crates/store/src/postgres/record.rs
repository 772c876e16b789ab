//! Reads and writes columns of PostgreSQL rows.

use super::error::Error;
use crate::columns::Columns;
use jiff::Timestamp;
use tokio_postgres::Row;

impl Columns for Row {
    type Error = Error;

    fn maybe_text(&self, column: &'static str) -> Result<Option<&str>, Error> {
        Ok(self.try_get(column)?)
    }

    fn maybe_integer(&self, column: &'static str) -> Result<Option<i64>, Error> {
        Ok(self.try_get(column)?)
    }

    fn maybe_bytes(&self, column: &'static str) -> Result<Option<&[u8]>, Error> {
        Ok(self.try_get(column)?)
    }
}

/// A timestamp as its column stores it: milliseconds since 1970.
pub(super) fn at(moment: Timestamp) -> i64 {
    moment.as_millisecond()
}

/// As [`at`], for a nullable column.
pub(super) fn maybe_at(moment: Option<Timestamp>) -> Option<i64> {
    moment.map(at)
}
