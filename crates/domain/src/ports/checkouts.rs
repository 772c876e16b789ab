//! The port for checkout sessions.

use super::{CloseError, OpenError, StoreError};
use crate::{
    Checkout, CheckoutId, CheckoutSummary, Scope, audit::AuditContext, idempotency::StoredResponse,
    secret::SecretDigest,
};
use async_trait::async_trait;
use std::fmt::Debug;

/// The part of the store for checkout sessions.
#[async_trait]
pub trait Checkouts: Debug + Send + Sync + 'static {
    /// Inserts a session, with the idempotency record and its response.
    async fn open_checkout(
        &self,
        checkout: Checkout,
        token: SecretDigest,
        response: Option<StoredResponse>,
    ) -> Result<(), OpenError>;
    /// Finds a session by its id, also one that has ended.
    async fn checkout(&self, id: &CheckoutId) -> Result<Option<Checkout>, StoreError>;
    /// Closes a session, in one order with the charges that begin. An expired session does not
    /// change. A second call does not change the time of closing.
    async fn close_checkout(
        &self,
        scope: &Scope,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<(Checkout, CheckoutSummary), CloseError>;
    /// Sets the expiry of an open test session to now. Returns `None` if there is no such test
    /// session.
    async fn expire_test_checkout(
        &self,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<Option<Checkout>, StoreError>;
    /// Summarises the charges of a session.
    async fn checkout_summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError>;
}
