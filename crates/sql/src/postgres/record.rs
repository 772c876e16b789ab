//! Reads columns of PostgreSQL rows.

use super::error::Error;
use crate::columns::Columns;
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
