//! Payment links of a store whose methods fail as planned. No test plans a failure of these.

use super::failing_store::FailingStore;
use async_trait::async_trait;
use tua_domain::{
    LinkId, Scope,
    audit::AuditContext,
    idempotency::StoredResponse,
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkCode, LinkPage, LinkWithFigures,
        PublicLink,
    },
    ports::{PaymentLinks, StoreError},
};

#[async_trait]
impl PaymentLinks for FailingStore {
    async fn create_payment_link(
        &self,
        link: Link,
        response: Option<StoredResponse>,
        by: &AuditContext,
    ) -> Result<(), CreateLinkError> {
        self.inner.create_payment_link(link, response, by).await
    }

    async fn payment_link(&self, id: &LinkId) -> Result<Option<LinkWithFigures>, StoreError> {
        self.inner.payment_link(id).await
    }

    async fn payment_link_by_code(
        &self,
        code: &LinkCode,
    ) -> Result<Option<PublicLink>, StoreError> {
        self.inner.payment_link_by_code(code).await
    }

    async fn payment_links(
        &self,
        scope: &Scope,
        page: LinkPage,
    ) -> Result<Vec<LinkWithFigures>, StoreError> {
        self.inner.payment_links(scope, page).await
    }

    async fn change_payment_link(
        &self,
        scope: &Scope,
        id: &LinkId,
        change: LinkChange,
        by: &AuditContext,
    ) -> Result<LinkWithFigures, ChangeLinkError> {
        self.inner.change_payment_link(scope, id, change, by).await
    }
}
