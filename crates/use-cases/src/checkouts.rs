//! Opens checkout sessions, and reads them.

mod for_merchants;
mod pages;

use super::{
    idempotency::{Idempotency, IdempotentResult, RepeatableError},
    networks::Networks,
};
pub use for_merchants::MerchantsCheckout;
use futures_util::FutureExt;
pub use pages::ListedCheckouts;
use std::sync::Arc;
use tracing::instrument;
use tua_domain::{
    Caller, Checkout, CheckoutId, CheckoutSummary, KeyId, SecretKey, Transaction,
    admission::AdmissionControl,
    branding::LogoName,
    change_notifier::ChangeNotifier,
    checkout::{EndedCheckout, LIFETIME, NewCheckout},
    idempotency::{
        Attempt, IdempotencyKey, IdempotencyRecord, Operation, ResponseSnapshot, StoredResponse,
        canonical,
    },
    listing::{Filter, PageRequest, RefundFilter},
    ports::{self, Accounts, OpenError, Reports, StoreError},
    readable_code::generated_reference,
    refund::RefundForPayer,
    secret::{SecretDigest, random_bytes},
};

/// How many refunds of a charge its payer sees: the newest ones.
const MAX_REFUNDS_SHOWN: u32 = 20;

/// Opens and reads sessions.
#[derive(Debug)]
pub struct Checkouts {
    /// Runs an attempt once.
    pub idempotency: Arc<Idempotency>,
    /// Where sessions are stored.
    pub checkouts: Arc<dyn ports::Checkouts>,
    /// Has the holders of tokens, and the names and logos of merchants.
    pub accounts: Arc<dyn Accounts>,
    /// Lists sessions, and the refunds of a charge.
    pub reports: Arc<dyn Reports>,
    /// Refuses new sessions under overload.
    pub admission: Arc<AdmissionControl>,
    /// Tells the worker that the outbox has changed.
    pub changes: Arc<ChangeNotifier>,
    /// Whether a charge can be served at all.
    pub networks: Networks,
}

/// A session and its token. The token is not stored; it is derived from the session's seed.
#[derive(Clone, Debug)]
pub struct CheckoutWithToken {
    /// The session as it was opened.
    pub checkout: Checkout,
    /// The token for the payer's browser, `tua_checkout_…`.
    pub token: String,
}

/// A session that a token names.
#[derive(Clone, Debug)]
pub struct FoundCheckout {
    /// The session, which may have ended.
    pub checkout: Checkout,
    /// Its charges, summed up.
    pub summary: CheckoutSummary,
    /// What the response still shows if the token has expired or the session was closed; else
    /// `None`.
    pub ended: Option<EndedCheckout>,
}

impl Checkouts {
    /// Opens a session for the key's account, once for each idempotency key.
    ///
    /// # Errors
    /// [`OpenError`]. Then nothing was opened, unless the store is uncertain
    /// ([`StoreError::Uncertain`]).
    #[instrument(name = "open_checkout", skip_all)]
    pub async fn open(
        self: &Arc<Self>,
        holder: SecretKey,
        new: NewCheckout,
        key: Option<IdempotencyKey>,
    ) -> Result<IdempotentResult<CheckoutWithToken>, OpenError> {
        let fields = [
            Some(new.terms.amount.to_string()),
            new.terms.email.clone(),
            new.reference.clone(),
            new.terms.metadata.as_deref().map(canonical),
            new.terms.return_url.clone(),
        ];
        let created_by = holder.id.clone();
        let caller = Caller::Key(holder);
        let fields = fields.each_ref().map(Option::as_deref);
        let attempt = self.idempotency.attempt(&caller.holder(), Operation::Checkout, key, &fields);
        let work = self.clone().open_once(caller, created_by, new, attempt.clone()).boxed();
        let repeated = attempt.clone();
        let opened =
            self.idempotency.run(attempt, work, |record| self.replay(repeated, record)).await?;
        let token = self.token(&opened.value).await?;
        let value = CheckoutWithToken { checkout: opened.value, token };
        Ok(IdempotentResult { value, is_replay: opened.is_replay })
    }

    async fn open_once(
        self: Arc<Self>,
        caller: Caller,
        created_by: KeyId,
        new: NewCheckout,
        attempt: Option<Attempt>,
    ) -> Result<Checkout, OpenError> {
        let now = self.idempotency.clock.now();
        let scope = caller.scope().clone();
        let id = CheckoutId::mint();
        self.networks.require_charges(&scope)?;
        let account = self.accounts.account(&scope.account).await?;
        let (merchant, branding) =
            account.map(|account| (account.name, account.branding)).unwrap_or_default();
        let checkout = Checkout {
            reference: new.reference.unwrap_or_else(generated_reference),
            merchant,
            branding,
            id,
            scope,
            seed: random_bytes(),
            terms: new.terms,
            created_at: now,
            expires_at: now + LIFETIME,
            closed_at: None,
            created_by: Some(created_by),
            link: None,
            sandbox_ahead: caller.sandbox_ahead(),
        };
        let response = attempt
            .map(|attempt| StoredResponse { attempt, snapshot: ResponseSnapshot::NEW_RESOURCE });
        self.insert(checkout, response).await.map(|opened| opened.checkout)
    }

    /// Stores a new session with the response to its request, unless the service is overloaded.
    pub(super) async fn insert(
        &self,
        checkout: Checkout,
        response: Option<StoredResponse>,
    ) -> Result<CheckoutWithToken, OpenError> {
        let token = self.idempotency.keys.current().checkout_token(&checkout.seed);
        {
            let _permit = self.admission.acquire(checkout.created_at)?;
            self.checkouts
                .open_checkout(checkout.clone(), SecretDigest::of(&token), response)
                .await?;
        }
        self.changes.notify_outbox();
        Ok(CheckoutWithToken { checkout, token })
    }

    /// The PNG file of a merchant's logo.
    ///
    /// # Errors
    /// The store failed.
    pub async fn logo(&self, name: &LogoName) -> Result<Option<Vec<u8>>, StoreError> {
        self.accounts.logo(name).await
    }

    /// The token of a session. A session that was opened before a rotation of the server key has a
    /// token of an earlier key.
    async fn token(&self, checkout: &Checkout) -> Result<String, StoreError> {
        let Idempotency { clock, keys, .. } = &*self.idempotency;
        let mut tokens = keys
            .all()
            .into_iter()
            .map(|key| key.checkout_token(&checkout.seed))
            .collect::<Vec<_>>();
        while tokens.len() > 1 {
            let holder = self.accounts.caller(SecretDigest::of(&tokens[0]), clock.now()).await?;
            if matches!(holder, Some(Caller::Token(found)) if found.id == checkout.id) {
                break;
            }
            tokens.remove(0);
        }
        Ok(tokens.remove(0))
    }

    async fn replay(
        &self,
        attempt: Option<Attempt>,
        record: IdempotencyRecord,
    ) -> Result<Checkout, OpenError> {
        let found = self.checkouts.checkout(&CheckoutId::new(record.subject)).await?;
        let checkout = found.ok_or_else(|| StoreError::failed("a session is missing"))?;
        if let (None, Some(attempt)) = (record.response, attempt) {
            self.idempotency.store_response(&attempt, ResponseSnapshot::NEW_RESOURCE).await;
        }
        Ok(checkout)
    }

    /// A session's charges, summed up.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn summary(&self, id: &CheckoutId) -> Result<CheckoutSummary, StoreError> {
        self.checkouts.checkout_summary(id).await
    }

    /// The refunds of a session's charge, as its payer may see them, oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn refunds(
        &self,
        summary: &CheckoutSummary,
    ) -> Result<Vec<RefundForPayer>, StoreError> {
        let is_refunded = |charge: &&Transaction| charge.refunds.counted > 0;
        let Some(charge) = summary.latest.as_ref().filter(is_refunded) else {
            return Ok(Vec::new());
        };
        let filter =
            Filter { refunds: RefundFilter::Of(charge.order.id.clone()), ..Filter::default() };
        let page = PageRequest { limit: MAX_REFUNDS_SHOWN, after: None };
        let refunds = self.reports.transactions(&charge.order.scope, filter, page).await?;
        Ok(refunds.iter().rev().filter_map(|refund| RefundForPayer::of(refund, charge)).collect())
    }

    /// The session that the token with this digest names, expired or not; `None` where it names
    /// none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find_by_token(
        &self,
        token: SecretDigest,
    ) -> Result<Option<FoundCheckout>, StoreError> {
        let now = self.idempotency.clock.now();
        let Some(Caller::Token(checkout)) = self.accounts.caller(token, now).await? else {
            return Ok(None);
        };
        let summary = self.checkouts.checkout_summary(&checkout.id).await?;
        Ok(Some(FoundCheckout {
            ended: checkout.ended(&summary, now),
            checkout: *checkout,
            summary,
        }))
    }
}

impl RepeatableError for OpenError {
    fn is_store_error(&self) -> bool {
        matches!(self, Self::Store(_))
    }
}
