//! Creates, reads and changes payment links, and opens sessions of them (docs/reference/links.md).

use super::{
    checkouts::{CheckoutWithToken, Checkouts},
    idempotency::{Idempotency, IdempotentResult, RepeatableError},
    link_management::{find_link, insert_link},
    requester::dashboard_holder,
};
use futures_util::FutureExt;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::Amount;
use tua_domain::{
    Caller, Checkout, CheckoutId, KeyId, LinkId, Scope, SecretKey,
    audit::{AuditContext, Source},
    checkout::{CheckoutTerms, LIFETIME},
    idempotency::{IdempotencyKey, IdempotencyRecord, Operation},
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkCode, LinkPageRequest, LinkStatus,
        LinkWithTotals, NewLink, PublicLink,
    },
    ports::{OpenError, PaymentLinks, StoreError},
    secret::random_bytes,
};

/// Creates payment links for keys, and opens sessions of them for payers.
#[derive(Clone, Debug)]
pub struct Links {
    /// Opens the sessions of links.
    pub checkouts: Arc<Checkouts>,
    /// Where links are stored.
    pub payment_links: Arc<dyn PaymentLinks>,
}

/// What a payer has filled in on the page of a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkPayer {
    /// What is paid: the link's amount, or what the payer chose.
    pub amount: Amount,
    /// Where the receipt is sent; `None` for no receipt.
    pub email: Option<String>,
    /// What the payer answered to the link's question, at most 100 characters. It counts only where
    /// the link asks one.
    pub answer: Option<String>,
}

impl Links {
    /// Creates a link for the key's account, once for each idempotency key.
    ///
    /// # Errors
    /// [`CreateLinkError`]. Then nothing was created, unless the store is uncertain
    /// ([`StoreError::Uncertain`]).
    pub async fn create(
        &self,
        holder: SecretKey,
        new: NewLink,
        key: Option<IdempotencyKey>,
    ) -> Result<IdempotentResult<Link>, CreateLinkError> {
        let Idempotency { clock, keys, .. } = &*self.checkouts.idempotency;
        let by = AuditContext {
            at: clock.now(),
            actor: holder.id.as_str().to_owned(),
            source: Source::Api,
            device: None,
            key: keys.audit_key(),
        };
        let scope = holder.scope.clone();
        let created_by = Some(holder.id.clone());
        let holder = Caller::Key(holder).holder();
        self.create_once(scope, &holder, created_by, new, key, by).await
    }

    /// Creates a link for a person, once for each form: a person who clicks twice gets one link.
    /// Without a key a link is created each time.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub async fn create_for_person(
        &self,
        scope: Scope,
        new: NewLink,
        key: Option<IdempotencyKey>,
        by: AuditContext,
    ) -> Result<IdempotentResult<Link>, CreateLinkError> {
        let holder = dashboard_holder(&scope);
        self.create_once(scope, &holder, None, new, key, by).await
    }

    /// Creates a link, once for each key of this holder.
    async fn create_once(
        &self,
        scope: Scope,
        holder: &str,
        created_by: Option<KeyId>,
        new: NewLink,
        key: Option<IdempotencyKey>,
        by: AuditContext,
    ) -> Result<IdempotentResult<Link>, CreateLinkError> {
        let idempotency = &self.checkouts.idempotency;
        let fields = new.fingerprint_fields();
        let fields: Vec<_> = fields.iter().map(Option::as_deref).collect();
        let attempt = idempotency.attempt(holder, Operation::Link, key, &fields);
        let work = {
            let links = self.payment_links.clone();
            let attempt = attempt.clone();
            async move { insert_link(links.as_ref(), scope, created_by, new, attempt, &by).await }
                .boxed()
        };
        idempotency.run(attempt, work, |record| self.replay(record)).await
    }

    async fn replay(&self, record: IdempotencyRecord) -> Result<Link, CreateLinkError> {
        let found = self.payment_links.payment_link(&LinkId::new(record.subject)).await?;
        Ok(found.ok_or_else(|| StoreError::failed("a payment link is missing"))?.link.as_created())
    }

    /// A link of this account and mode.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        id: &LinkId,
    ) -> Result<Option<LinkWithTotals>, StoreError> {
        find_link(self.payment_links.as_ref(), Some(scope), id).await
    }

    /// A page of the links of this account and mode, newest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(
        &self,
        scope: &Scope,
        page: LinkPageRequest,
    ) -> Result<Vec<LinkWithTotals>, StoreError> {
        self.payment_links.payment_links(scope, page).await
    }

    /// Closes or reopens a link of the key's account and mode.
    ///
    /// # Errors
    /// [`ChangeLinkError`].
    pub async fn change(
        &self,
        holder: &SecretKey,
        id: &LinkId,
        change: LinkChange,
    ) -> Result<LinkWithTotals, ChangeLinkError> {
        let Idempotency { clock, keys, .. } = &*self.checkouts.idempotency;
        if id.as_str().contains('\0') {
            return Err(ChangeLinkError::NotFound);
        }
        let actor = holder.id.as_str().to_owned();
        let by = AuditContext {
            at: clock.now(),
            actor,
            source: Source::Api,
            device: None,
            key: keys.audit_key(),
        };
        let changed =
            self.payment_links.change_payment_link(&holder.scope, id, change, &by).await?;
        self.checkouts.changes.notify_outbox();
        Ok(changed)
    }

    /// The link with this code.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find_by_code(&self, code: &LinkCode) -> Result<Option<PublicLink>, StoreError> {
        self.payment_links.payment_link_by_code(code).await
    }

    /// Opens a session of a link for a payer. The session ends when the link does.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open_session(
        &self,
        public: &PublicLink,
        payer: LinkPayer,
    ) -> Result<CheckoutWithToken, OpenError> {
        let LinkPayer { amount, email, answer } = payer;
        let now = self.now();
        let PublicLink { link, merchant, branding, .. } = public;
        if link.status(now) != LinkStatus::Open || !link.terms.amount.takes(amount) {
            return Err(OpenError::LinkNotOpen);
        }
        self.checkouts.networks.require_charges(&link.scope)?;
        let expires_at = now + LIFETIME;
        let checkout = Checkout {
            id: CheckoutId::mint(),
            scope: link.scope.clone(),
            merchant: merchant.clone(),
            branding: branding.clone(),
            seed: random_bytes(),
            reference: link.reference.clone(),
            terms: CheckoutTerms {
                amount,
                email,
                metadata: link.terms.metadata.clone(),
                answer: answer.filter(|_| link.terms.question.is_some()),
                return_url: None,
            },
            created_at: now,
            expires_at,
            closed_at: link.terms.expires_at.filter(|at| *at < expires_at),
            created_by: None,
            link: Some(link.id.clone()),
            sandbox_ahead: SignedDuration::ZERO,
        };
        self.checkouts.insert(checkout, None).await
    }

    /// The time, for the status of a link.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.checkouts.idempotency.clock.now()
    }
}

impl RepeatableError for CreateLinkError {
    fn is_store_error(&self) -> bool {
        matches!(self, Self::Store(_))
    }
}
