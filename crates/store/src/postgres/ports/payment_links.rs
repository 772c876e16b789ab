//! The methods of the [`tua_domain::ports::PaymentLinks`] port that are specific to PostgreSQL.

use crate::{
    in_doubt::InDoubt,
    postgres::{PostgresStore, links},
};
use tua_domain::{
    audit::AuditContext,
    idempotency::StoredResponse,
    link::{CreateLinkError, Link},
};
use tua_sql::write_error::WriteError;

impl PostgresStore {
    /// Inserts a link, with the idempotency record and its response.
    pub(crate) async fn insert_link(
        &self,
        link: Link,
        response: Option<StoredResponse>,
        by: &AuditContext,
    ) -> Result<(), CreateLinkError> {
        let link = &link;
        let response = response.as_ref();
        let verify = InDoubt::Verify("SELECT 1 FROM payment_links WHERE id = $1", link.id.as_str());
        self.tx
            .try_write(verify, |db| async move { links::insert(&db, link, response, by).await })
            .await
            .map_err(WriteError::into_error)
    }
}
