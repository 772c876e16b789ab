//! The methods of the [`tua_domain::ports::PersonalData`] port that are specific to PostgreSQL.

use crate::postgres::PostgresStore;
use tua_domain::{ports::StoreError, privacy::Person};

impl PostgresStore {
    /// The server keeps earlier versions of rows until VACUUM, and its write-ahead log as long as
    /// it is set to.
    pub(crate) async fn overwrite_remains(&self, _: &Person) -> Result<bool, StoreError> {
        Ok(false)
    }
}
