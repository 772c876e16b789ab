//! The [`Checkouts`] port.

use crate::{
    fault_injection::port_impl,
    in_doubt::InDoubt,
    postgres::{
        PostgresStore, batch_ops::BatchWrite, checkouts, closing, insert_checkout::InsertCheckout,
    },
};
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, Scope,
    audit::AuditContext,
    idempotency::StoredResponse,
    ports::{Checkouts, CloseError, OpenError, StoreError},
    secret::SecretDigest,
};
use tua_sql::write_error::WriteError;

port_impl! {
    impl Checkouts for PostgresStore {
        async fn open_checkout(
            &self,
            checkout: Checkout,
            token: SecretDigest,
            response: Option<StoredResponse>,
        ) -> Result<(), OpenError> {
            self.insert_checkout
                .submit(BatchWrite(InsertCheckout { checkout, token, response }))
                .await?
        }

        async fn checkout(&self, id: &CheckoutId) -> Result<Option<Checkout>, StoreError> {
            self.tx.read(|db| async move { checkouts::by_id(&db, id).await }).await
        }

        async fn close_checkout(
            &self,
            scope: &Scope,
            id: &CheckoutId,
            by: &AuditContext,
        ) -> Result<(Checkout, CheckoutSummary), CloseError> {
            self.tx
                .try_write(
                    InDoubt::Retry,
                    |db| async move { closing::close(&db, scope, id, by).await },
                )
                .await
.map_err(WriteError::into_error)
        }

        async fn expire_test_checkout(
            &self,
            id: &CheckoutId,
            by: &AuditContext,
        ) -> Result<Option<Checkout>, StoreError> {
            self.tx
                .write(InDoubt::Retry, |db| async move { closing::expire_test(&db, id, by).await })
                .await
        }

        async fn checkout_summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError> {
            self.tx.read(|db| async move { checkouts::standing(&db, id).await }).await
        }
    }
}
