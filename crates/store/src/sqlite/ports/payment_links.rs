//! The methods of the [`tua_domain::ports::PaymentLinks`] port that are specific to SQLite.

use crate::sqlite::{SqliteStore, links};
use tua_domain::{
    audit::AuditContext,
    idempotency::StoredResponse,
    link::{CreateLinkError, Link},
};
use tua_sql::write_error::WriteError;

impl SqliteStore {
    /// Inserts a link, with the idempotency record and its response.
    pub(crate) async fn insert_link(
        &self,
        link: Link,
        response: Option<StoredResponse>,
        by: &AuditContext,
    ) -> Result<(), CreateLinkError> {
        let by = by.clone();
        self.writer
            .try_write(move |db| links::insert(db, &link, response.as_ref(), &by))
            .await
            .map_err(WriteError::into_error)
    }
}
