//! The methods of the [`tua_domain::ports::Checkouts`] port that are specific to SQLite.

use crate::sqlite::{SqliteStore, insert_checkout};
use tua_domain::{Checkout, idempotency::StoredResponse, ports::OpenError, secret::SecretDigest};

impl SqliteStore {
    /// Inserts a session within the group commit.
    pub(crate) async fn insert_checkout_session(
        &self,
        checkout: Checkout,
        token: SecretDigest,
        response: Option<StoredResponse>,
    ) -> Result<(), OpenError> {
        self.writer
            .write(move |db| insert_checkout::insert(db, &checkout, token, response.as_ref()))
            .await?
    }
}
