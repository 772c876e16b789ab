//! Creates, lists and changes payment links for people: in the dashboard and on the command line.

use super::account_read_error::{AccountReadError, require_account};
use std::sync::Arc;
use tua_domain::{
    KeyId, LinkId, Scope,
    audit::AuditContext,
    change_notifier::ChangeNotifier,
    idempotency::{Attempt, ResponseSnapshot, StoredResponse},
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkCode, LinkPageRequest,
        LinkWithTotals, NewLink,
    },
    ports::{self, PaymentLinks, StoreError},
    readable_code::generated_reference,
};

/// How many codes are tried. That one is taken is improbable; that three are is a fault.
const MAX_CODES: usize = 3;

/// Creates, lists and changes payment links for people.
#[derive(Clone, Debug)]
pub struct LinkManagement {
    /// Where links are stored.
    pub links: Arc<dyn PaymentLinks>,
    /// Has the accounts whose links are listed.
    pub accounts: Arc<dyn ports::Accounts>,
    /// Is notified where a change closes sessions.
    pub changes: Arc<ChangeNotifier>,
}

impl LinkManagement {
    /// Creates a link of an existing account.
    ///
    /// # Errors
    /// [`CreateLinkError`].
    pub async fn create(
        &self,
        scope: Scope,
        new: NewLink,
        by: &AuditContext,
    ) -> Result<LinkWithTotals, CreateLinkError> {
        let link = insert_link(self.links.as_ref(), scope, None, new, None, by).await?;
        Ok(LinkWithTotals { link, totals: Default::default() })
    }

    /// A link of this account and mode, or of any.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: Option<&Scope>,
        id: &LinkId,
    ) -> Result<Option<LinkWithTotals>, StoreError> {
        find_link(self.links.as_ref(), scope, id).await
    }

    /// A page of the links of an account and mode, newest first.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn list(
        &self,
        scope: &Scope,
        page: LinkPageRequest,
    ) -> Result<Vec<LinkWithTotals>, AccountReadError> {
        require_account(self.accounts.as_ref(), Some(&scope.account)).await?;
        Ok(self.links.payment_links(scope, page).await?)
    }

    /// Closes or reopens a link of this account and mode.
    ///
    /// # Errors
    /// [`ChangeLinkError`].
    pub async fn change(
        &self,
        scope: &Scope,
        id: &LinkId,
        change: LinkChange,
        by: &AuditContext,
    ) -> Result<LinkWithTotals, ChangeLinkError> {
        let changed = self.links.change_payment_link(scope, id, change, by).await?;
        self.changes.notify_outbox();
        Ok(changed)
    }
}

/// Finds a link of this account and mode, or of any.
pub(super) async fn find_link(
    links: &dyn PaymentLinks,
    scope: Option<&Scope>,
    id: &LinkId,
) -> Result<Option<LinkWithTotals>, StoreError> {
    // No id has one, and PostgreSQL could not compare it.
    if id.as_str().contains('\0') {
        return Ok(None);
    }
    Ok(links
        .payment_link(id)
        .await?
        .filter(|found| scope.is_none_or(|scope| found.link.scope == *scope)))
}

/// Inserts a link, with another code where one is taken.
pub(super) async fn insert_link(
    links: &dyn PaymentLinks,
    scope: Scope,
    created_by: Option<KeyId>,
    new: NewLink,
    attempt: Option<Attempt>,
    by: &AuditContext,
) -> Result<Link, CreateLinkError> {
    // Here and not before, because a replay does not depend on the time.
    if new.terms.expires_at.is_some_and(|at| at <= by.at) {
        return Err(CreateLinkError::EndIsPast);
    }
    let id = LinkId::mint();
    let mut link = Link {
        reference: new.reference.unwrap_or_else(generated_reference),
        id,
        scope,
        code: LinkCode::random(),
        terms: new.terms,
        created_at: by.at,
        closed_at: None,
        used_at: None,
        created_by,
    };
    let response =
        attempt.map(|attempt| StoredResponse { attempt, snapshot: ResponseSnapshot::NEW_RESOURCE });
    for _ in 1..MAX_CODES {
        match links.create_payment_link(link.clone(), response.clone(), by).await {
            Err(CreateLinkError::CodeTaken) => link.code = LinkCode::random(),
            Err(error) => return Err(error),
            Ok(()) => return Ok(link),
        }
    }
    links.create_payment_link(link.clone(), response, by).await.map(|()| link)
}
