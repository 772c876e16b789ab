//! Lists, finds and closes sessions, for the merchant's server and for people of the merchant.

use super::{super::idempotency::Idempotency, Checkouts};
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, Scope, SecretKey,
    audit::{AuditContext, Source},
    checkout::CheckoutStatus,
    ports::{CloseError, StoreError},
};

/// A session as its merchant sees it.
#[derive(Clone, Debug)]
pub struct MerchantsCheckout {
    /// The session as it is stored now.
    pub checkout: Checkout,
    /// Its charges, summed up.
    pub summary: CheckoutSummary,
    /// The status by its charges, its closing and the present time.
    pub status: CheckoutStatus,
}

impl Checkouts {
    /// A session of this account and mode, with its charges; `None` where there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        id: &CheckoutId,
    ) -> Result<Option<MerchantsCheckout>, StoreError> {
        // No id has one, and PostgreSQL could not compare it.
        if id.as_str().contains('\0') {
            return Ok(None);
        }
        let found = self.checkouts.checkout(id).await?.filter(|checkout| checkout.scope == *scope);
        let Some(checkout) = found else { return Ok(None) };
        let summary = self.checkouts.checkout_summary(id).await?;
        Ok(Some(MerchantsCheckout {
            status: checkout.status(&summary, self.idempotency.clock.now()),
            checkout,
            summary,
        }))
    }

    /// Sessions of an account and mode with their charges, newest first, at most so many. Without
    /// `text` those that take charges now; with it those with this id or reference.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(
        &self,
        scope: &Scope,
        text: Option<&str>,
        limit: u32,
    ) -> Result<Vec<MerchantsCheckout>, StoreError> {
        let now = self.idempotency.clock.now();
        let mut sessions = Vec::new();
        for checkout in self.reports.report_checkouts(scope, text, now, limit).await? {
            let summary = self.checkouts.checkout_summary(&checkout.id).await?;
            let status = checkout.status(&summary, now);
            sessions.push(MerchantsCheckout { checkout, summary, status });
        }
        Ok(sessions)
    }

    /// Closes a session of the key's account and mode: it takes no further charge. One that has
    /// expired stays as it is.
    ///
    /// # Errors
    /// [`CloseError`].
    pub async fn close(
        &self,
        holder: &SecretKey,
        id: &CheckoutId,
    ) -> Result<MerchantsCheckout, CloseError> {
        let Idempotency { clock, keys, .. } = &*self.idempotency;
        let actor = holder.id.as_str().to_owned();
        let by = AuditContext {
            at: clock.now(),
            actor,
            source: Source::Api,
            device: None,
            key: keys.audit_key(),
        };
        self.close_as(&holder.scope, id, &by).await
    }

    /// As [`Self::close`], as a person asks.
    ///
    /// # Errors
    /// [`CloseError`].
    pub async fn close_as(
        &self,
        scope: &Scope,
        id: &CheckoutId,
        by: &AuditContext,
    ) -> Result<MerchantsCheckout, CloseError> {
        if id.as_str().contains('\0') {
            return Err(CloseError::NotFound);
        }
        let (checkout, summary) = self.checkouts.close_checkout(scope, id, by).await?;
        self.changes.notify_outbox();
        Ok(MerchantsCheckout { status: checkout.status(&summary, by.at), checkout, summary })
    }
}
