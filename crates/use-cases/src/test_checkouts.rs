//! Changes checkout sessions of test mode, so that a test need not wait.

use std::sync::Arc;
use tua_domain::{
    Checkout, CheckoutId,
    audit::AuditContext,
    ports::{Store, StoreError},
};

/// Changes checkout sessions of test mode.
#[derive(Clone, Debug)]
pub struct TestCheckouts {
    /// Where sessions are stored.
    pub store: Arc<dyn Store>,
}

impl TestCheckouts {
    /// Ends the 30 minutes of an open session now. `None` if there is no such test session.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn expire(
        &self,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<Option<Checkout>, StoreError> {
        self.store.expire_test_checkout(id, by).await
    }
}
