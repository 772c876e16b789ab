//! The methods of the [`tua_domain::ports::Checkouts`] port that are specific to PostgreSQL.

use crate::postgres::{PostgresStore, batch_ops::BatchWrite, insert_checkout::InsertCheckout};
use tua_domain::{Checkout, idempotency::StoredResponse, ports::OpenError, secret::SecretDigest};

impl PostgresStore {
    /// Inserts a session, together with those that others open.
    pub(crate) async fn insert_checkout_session(
        &self,
        checkout: Checkout,
        token: SecretDigest,
        response: Option<StoredResponse>,
    ) -> Result<(), OpenError> {
        self.insert_checkout
            .submit(BatchWrite(InsertCheckout { checkout, token, response }))
            .await?
    }
}
