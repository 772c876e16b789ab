//! Payment links and their sessions: the [`PaymentLinks`] port.

use super::both_engines;
use crate::{in_doubt::InDoubt, queries::links};
use tua_domain::{
    LinkId, Scope,
    audit::AuditContext,
    idempotency::StoredResponse,
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkCode, LinkPageRequest,
        LinkWithTotals, PublicLink,
    },
    ports::{PaymentLinks, StoreError},
};

both_engines! {
    impl PaymentLinks {
        async fn create_payment_link(
            &self,
            link: Link,
            response: Option<StoredResponse>,
            by: &AuditContext,
        ) -> Result<(), CreateLinkError> {
            let id = link.id.clone();
            let exists = "SELECT 1 FROM payment_links WHERE id = $1";
            let input = (link, response, by.clone());
            self.try_write(
                InDoubt::Verify(exists, id.as_str()),
                input,
                async |db, (link, response, by)| {
                    links::create(db, link, response.as_ref(), by).await
                },
            )
            .await
        }

        async fn payment_link(
            &self,
            id: &LinkId,
        ) -> Result<Option<LinkWithTotals>, StoreError> {
            self.read(id.clone(), async |db, id| links::by_id(db, id).await).await
        }

        async fn payment_link_by_code(
            &self,
            code: &LinkCode,
        ) -> Result<Option<PublicLink>, StoreError> {
            self.read(code.clone(), async |db, code| links::by_code(db, code).await).await
        }

        async fn payment_links(
            &self,
            scope: &Scope,
            page: LinkPageRequest,
        ) -> Result<Vec<LinkWithTotals>, StoreError> {
            self.read_many((scope.clone(), page), async |db, (scope, page)| {
                links::list(db, scope, page).await
            })
            .await
        }

        async fn change_payment_link(
            &self,
            scope: &Scope,
            id: &LinkId,
            change: LinkChange,
            by: &AuditContext,
        ) -> Result<LinkWithTotals, ChangeLinkError> {
            let input = (scope.clone(), id.clone(), by.clone());
            self.try_write(InDoubt::Retry, input, async move |db, (scope, id, by)| {
                links::change(db, scope, id, change, by).await
            })
            .await
        }
    }
}
