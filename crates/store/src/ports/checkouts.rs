//! Checkout sessions are opened, read and closed: the [`Checkouts`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries::checkouts};
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, Scope,
    audit::AuditContext,
    idempotency::StoredResponse,
    ports::{Checkouts, CloseError, OpenError, StoreError},
    secret::SecretDigest,
};

both_engines! {
    impl Checkouts {
        async fn open_checkout(
            &self,
            checkout: Checkout,
            token: SecretDigest,
            response: Option<StoredResponse>,
        ) -> Result<(), OpenError> {
            self.insert_checkout_session(checkout, token, response).await
        }

        async fn checkout(&self, id: &CheckoutId) -> Result<Option<Checkout>, StoreError> {
            self.read(id.clone(), async |db, id| checkouts::by_id(db, id).await).await
        }

        async fn close_checkout(
            &self,
            scope: &Scope,
            id: &CheckoutId,
            by: &AuditContext,
        ) -> Result<(Checkout, CheckoutSummary), CloseError> {
            let input = (scope.clone(), id.clone(), by.clone());
            self.try_write(InDoubt::Retry, input, async |db, (scope, id, by)| {
                checkouts::close(db, scope, id, by).await
            })
            .await
        }

        async fn expire_test_checkout(
            &self,
            id: &CheckoutId,
            by: &AuditContext,
        ) -> Result<Option<Checkout>, StoreError> {
            self.write(InDoubt::Retry, (id.clone(), by.clone()), async |db, (id, by)| {
                checkouts::expire_test(db, id, by).await
            })
            .await
        }

        async fn checkout_summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError> {
            self.read(id.clone(), async |db, id| checkouts::summary(db, id).await).await
        }
    }
}
