//! Opens checkout sessions, and reads them.

use super::idempotency::{Completed, Idempotency, RepeatableError};
use crate::domain::{
    Caller, Checkout, CheckoutId, CheckoutSummary, SecretKey,
    admission::AdmissionControl,
    change_notifier::ChangeNotifier,
    checkout::{LIFETIME, NewCheckout},
    idempotency::{
        Attempt, IdempotencyKey, IdempotencyRecord, Operation, RepeatError, ResponseSnapshot, StoredResponse, canonical,
    },
    ports::{OpenError, StoreError},
    secret::{SecretDigest, random_bytes},
};
use std::sync::Arc;

/// Opens and reads sessions.
#[derive(Debug)]
pub struct Checkouts {
    /// Runs an attempt once.
    pub idempotency: Arc<Idempotency>,
    /// Refuses new sessions under overload.
    pub admission: Arc<AdmissionControl>,
    /// Tells the worker that the outbox has changed.
    pub changes: Arc<ChangeNotifier>,
}

/// A session and its token. The token is not stored; it is derived from the session's seed.
#[derive(Clone, Debug)]
pub struct CheckoutWithToken {
    /// The session.
    pub checkout: Checkout,
    /// Its token.
    pub token: String,
}

/// A session that a token names.
#[derive(Clone, Debug)]
pub struct FoundCheckout {
    /// The session.
    pub checkout: Checkout,
    /// Its charges, summed up.
    pub summary: CheckoutSummary,
    /// Whether the token has expired.
    pub is_expired: bool,
}

impl Checkouts {
    /// Opens a session for the key's account, once for each idempotency key.
    ///
    /// # Errors
    /// [`OpenError`]. Then nothing was opened, unless the store is uncertain ([`StoreError::Uncertain`]).
    pub async fn open(
        self: &Arc<Self>,
        holder: SecretKey,
        new: NewCheckout,
        key: Option<IdempotencyKey>,
    ) -> Result<Completed<CheckoutWithToken>, OpenError> {
        let fields = [
            Some(new.terms.amount.to_string()),
            Some(new.terms.email.clone()),
            new.reference.clone(),
            new.terms.metadata.as_deref().map(canonical),
            new.terms.return_url.clone(),
        ];
        let caller = Caller::Key(holder);
        let fields = fields.each_ref().map(Option::as_deref);
        let attempt = self.idempotency.attempt(&caller, Operation::Checkout, key, &fields);
        let work = self.clone().open_once(caller, new, attempt.clone());
        let repeated = attempt.clone();
        let opened = self.idempotency.run(attempt, work, |record| self.replay(repeated, record)).await?;
        let token = self.idempotency.server_key.checkout_token(&opened.value.seed);
        let value = CheckoutWithToken { checkout: opened.value, token };
        Ok(Completed { value, is_replay: opened.is_replay })
    }

    async fn open_once(
        self: Arc<Self>,
        caller: Caller,
        new: NewCheckout,
        attempt: Option<Attempt>,
    ) -> Result<Checkout, OpenError> {
        let Idempotency { store, clock, server_key, .. } = &*self.idempotency;
        let (now, scope, id) = (clock.now(), caller.scope().clone(), CheckoutId::mint());
        let checkout = Checkout {
            reference: new.reference.unwrap_or_else(|| id.as_str().to_owned()),
            merchant: store.account(&scope.account).await?.map(|account| account.name).unwrap_or_default(),
            id,
            scope,
            seed: random_bytes(),
            terms: new.terms,
            created_at: now,
            expires_at: now + LIFETIME,
        };
        let token = SecretDigest::of(&server_key.checkout_token(&checkout.seed));
        let response = attempt.map(|attempt| StoredResponse { attempt, snapshot: ResponseSnapshot::SESSION });
        {
            let _permit = self.admission.acquire(now)?;
            store.open_checkout(checkout.clone(), token, response).await?;
        }
        self.changes.notify_outbox();
        Ok(checkout)
    }

    async fn replay(&self, attempt: Option<Attempt>, record: IdempotencyRecord) -> Result<Checkout, OpenError> {
        let found = self.idempotency.store.checkout(&CheckoutId::new(record.subject)).await?;
        let checkout = found.ok_or_else(|| StoreError::failed("a session is missing"))?;
        if let (None, Some(attempt)) = (record.response, attempt) {
            self.idempotency.store_response(&attempt, ResponseSnapshot::SESSION).await;
        }
        Ok(checkout)
    }

    /// A session's charges, summed up.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError> {
        self.idempotency.store.checkout_summary(id).await
    }

    /// The session that a token names, expired or not; `None` where it names none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find_by_token(&self, token: &str) -> Result<Option<FoundCheckout>, StoreError> {
        let Idempotency { store, clock, .. } = &*self.idempotency;
        let now = clock.now();
        let Some(Caller::Token(checkout)) = store.caller(SecretDigest::of(token), now).await? else { return Ok(None) };
        let summary = store.checkout_summary(&checkout.id).await?;
        Ok(Some(FoundCheckout { is_expired: checkout.is_expired(now), checkout: *checkout, summary }))
    }
}

impl RepeatableError for OpenError {
    fn is_repetition(&self) -> bool {
        matches!(self, Self::Repeat(RepeatError::InProgress))
    }
}
