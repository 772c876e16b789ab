//! The store's part for payment links.

use super::StoreError;
use crate::{
    LinkId, Scope,
    audit::AuditContext,
    idempotency::StoredResponse,
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkCode, LinkPageRequest,
        LinkWithTotals, PublicLink,
    },
};
use async_trait::async_trait;
use std::fmt::Debug;

/// Payment links. Each method is one use case and atomic.
#[async_trait]
pub trait PaymentLinks: Debug + Send + Sync + 'static {
    /// Inserts a link, with the idempotency record and its response.
    async fn create_payment_link(
        &self,
        link: Link,
        response: Option<StoredResponse>,
        by: &AuditContext,
    ) -> Result<(), CreateLinkError>;
    /// Finds a link by its id, with the totals of its payments.
    async fn payment_link(&self, id: &LinkId) -> Result<Option<LinkWithTotals>, StoreError>;
    /// Finds the link with this code.
    async fn payment_link_by_code(&self, code: &LinkCode)
    -> Result<Option<PublicLink>, StoreError>;
    /// Lists a page of the links of an account and mode, newest first.
    async fn payment_links(
        &self,
        scope: &Scope,
        page: LinkPageRequest,
    ) -> Result<Vec<LinkWithTotals>, StoreError>;
    /// Closes or reopens a link of this account and mode. Closing closes its open sessions, in one
    /// order with the charges that begin; a charge that is pending goes on.
    async fn change_payment_link(
        &self,
        scope: &Scope,
        id: &LinkId,
        change: LinkChange,
        by: &AuditContext,
    ) -> Result<LinkWithTotals, ChangeLinkError>;
}
