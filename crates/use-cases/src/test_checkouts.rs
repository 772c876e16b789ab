//! Changes checkout sessions of test mode, so that a test need not wait.

use std::sync::Arc;
use tua_domain::{
    Checkout, CheckoutId,
    audit::AuditContext,
    ports::{Checkouts, StoreError},
};

/// Changes checkout sessions of test mode.
#[derive(Clone, Debug)]
pub struct TestCheckouts {
    /// Where checkout sessions are stored.
    pub checkouts: Arc<dyn Checkouts>,
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
        self.checkouts.expire_test_checkout(id, by).await
    }
}
