//! Checkout sessions are opened, read and closed: the [`Checkouts`] port.

use crate::{
    fault_injection::port_impl,
    sqlite::{SqliteStore, checkouts, closing, insert_checkout},
};
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, Scope,
    audit::AuditContext,
    idempotency::StoredResponse,
    ports::{Checkouts, CloseError, OpenError, StoreError},
    secret::SecretDigest,
};

port_impl! {
    impl Checkouts for SqliteStore {
        async fn open_checkout(
            &self,
            checkout: Checkout,
            token: SecretDigest,
            response: Option<StoredResponse>,
        ) -> Result<(), OpenError> {
            self.writer
                .write(move |db| insert_checkout::insert(db, &checkout, token, response.as_ref()))
                .await?
        }

        async fn checkout(&self, id: &CheckoutId) -> Result<Option<Checkout>, StoreError> {
            self.readers.read(|db| checkouts::by_id(db, id))
        }

        async fn close_checkout(
            &self,
            scope: &Scope,
            id: &CheckoutId,
            by: &AuditContext,
        ) -> Result<(Checkout, CheckoutSummary), CloseError> {
            let scope = scope.clone();
            let id = id.clone();
            let by = by.clone();
            self.writer.write(move |db| closing::close(db, &scope, &id, &by)).await?
        }

        async fn expire_test_checkout(
            &self,
            id: &CheckoutId,
            by: &AuditContext,
        ) -> Result<Option<Checkout>, StoreError> {
            let id = id.clone();
            let by = by.clone();
            self.writer.write(move |db| closing::expire_test(db, &id, &by)).await
        }

        async fn checkout_summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError> {
            self.readers.read(|db| checkouts::standing(db, id))
        }
    }
}
