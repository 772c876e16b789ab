//! Rate limits: token buckets. The buckets for each credential and address protect the service from
//! load; they are in memory, per node, and full after a restart. The buckets for passcodes and
//! phone numbers protect people, so the store keeps them. Concurrency limits bound how many
//! connections and long polls one address has at the same time.

mod addresses;
mod bucket;
mod concurrency;
mod monotonic_clock;
mod rate;
mod settings;

use addresses::AddressBuckets;
use bucket::Buckets;
pub use concurrency::{AddressConcurrency, ConcurrencyLimit};
use quick_cache::sync::Cache;
pub use rate::{RateSettings, Rates};
pub use settings::LimitSettings;
use std::{fmt, net::IpAddr, sync::Arc};
use tua_domain::{
    Caller, CheckoutId, KeyId, Mode,
    enforcement::Enforcement,
    payment_limits::PaymentLimits,
    ports::Clock,
    rate_limit::{Exceeded, Policy, RateLimitStatus},
    secret::SecretDigest,
};

/// How many valid credentials are kept; the least used ones are dropped.
const MAX_KNOWN: usize = 1 << 16;

/// Whether requests, prompts and addresses are limited (docs/reference/command-line.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limits {
    /// Limited at these rates.
    On(Rates),
    /// Not limited until a live key exists, and then at the default rates.
    Off,
}

impl Limits {
    /// The rates, while limits are enforced.
    #[must_use]
    pub fn rates(self) -> Rates {
        match self {
            Self::On(rates) => rates,
            Self::Off => Rates::default(),
        }
    }

    /// How many connections one address may have.
    #[must_use]
    pub fn of_connections(self, enforcement: Enforcement) -> ConcurrencyLimit {
        ConcurrencyLimit::new(self.rates().connections_per_address as usize, enforcement)
    }

    /// How many long polls of one address may wait.
    #[must_use]
    pub fn of_polls(self, enforcement: Enforcement) -> ConcurrencyLimit {
        ConcurrencyLimit::new(self.rates().polls_per_address as usize, enforcement)
    }

    /// The limits for phones and passcodes, which the store enforces.
    #[must_use]
    pub fn of_payments(self, enforcement: Enforcement) -> PaymentLimits {
        let rates = self.rates();
        PaymentLimits {
            enforcement,
            code: rates.passcode,
            prompt_live: rates.prompt_live,
            prompt_test: rates.prompt_test,
            prompt_daily: rates.prompt_daily,
            prompt_daily_test: rates.prompt_daily_test,
            code_phone: rates.passcode_phone,
        }
    }
}

/// Counts requests and rejects those above a limit. An address of `None` is not known, and has no
/// limit: a proxy that does not forward addresses would make all its clients one.
#[derive(Debug)]
pub struct Limiter {
    enforcement: Enforcement,
    buckets: AllBuckets,
}

struct AllBuckets {
    keys: Buckets<KeyId>,
    tokens: Buckets<CheckoutId>,
    addresses: AddressBuckets,
    wrong_codes: AddressBuckets,
    link_sessions: AddressBuckets,
    pages: AddressBuckets,
    searches: AddressBuckets,
    /// By the id of a session or payment link.
    searches_of_pages: Buckets<String>,
    /// Credentials that were valid when they were last looked up, tokens also after they have
    /// expired.
    known: Cache<SecretDigest, ()>,
}

impl Limiter {
    /// Creates the buckets of all limits; each is full.
    #[must_use]
    pub fn new(limits: Limits, enforcement: Enforcement, clock: &Arc<dyn Clock>) -> Self {
        let rates = limits.rates();
        let buckets = AllBuckets {
            keys: Buckets::new(Policy::Credential, rates.secret_key, clock),
            tokens: Buckets::new(Policy::Credential, rates.checkout_token, clock),
            addresses: AddressBuckets::new(Policy::Address, rates.address, clock),
            wrong_codes: AddressBuckets::new(Policy::Passcode, rates.passcode_address, clock),
            link_sessions: AddressBuckets::new(Policy::Address, rates.link_address, clock),
            pages: AddressBuckets::new(Policy::Address, rates.page_address, clock),
            searches: AddressBuckets::new(Policy::Address, rates.find_address, clock),
            searches_of_pages: Buckets::new(Policy::Credential, rates.find_page, clock),
            known: Cache::new(MAX_KNOWN),
        };
        Self { enforcement, buckets }
    }

    /// The buckets, while limits are enforced.
    fn enforced(&self) -> Option<&AllBuckets> {
        self.enforcement.is_enforced().then_some(&self.buckets)
    }

    /// Counts a request with a valid credential. A live one ends `--limits off`. Returns the
    /// credential's status, or `None` if limits are off.
    ///
    /// # Errors
    /// [`Exceeded`] if the credential's bucket is empty.
    pub fn count_request(&self, caller: &Caller) -> Result<Option<RateLimitStatus>, Exceeded> {
        if caller.scope().mode == Mode::Live {
            self.enforcement.begin();
        }
        let Some(buckets) = self.enforced() else { return Ok(None) };
        let status = match caller {
            Caller::Key(key) => buckets.keys.take(&key.id),
            Caller::Token(checkout) => buckets.tokens.take(&checkout.id),
        };
        status.map(Some)
    }

    /// Counts a request with the expired token of this session, against the limit that the token
    /// had while it was valid.
    ///
    /// # Errors
    /// [`Exceeded`] if the session's bucket is empty.
    pub fn count_expired_token(&self, checkout: &CheckoutId) -> Result<(), Exceeded> {
        let Some(buckets) = self.enforced() else { return Ok(()) };
        buckets.tokens.take(checkout).map(drop)
    }

    /// Whether the store may be asked who holds this credential. Counts nothing.
    ///
    /// While an address is over its limit, only credentials that were valid before pass. Thousands
    /// of payers may share an address (carrier NAT), and they must not be refused because of one
    /// that sends wrong requests.
    ///
    /// # Errors
    /// [`Exceeded`] if the address is over its limit and the credential has not been valid on this
    /// node before.
    pub fn check_address(
        &self,
        address: Option<IpAddr>,
        credential: &SecretDigest,
    ) -> Result<(), Exceeded> {
        let (Some(buckets), Some(address)) = (self.enforced(), address) else { return Ok(()) };
        buckets
            .addresses
            .check(address)
            .or_else(|exceeded| buckets.known.get(credential).ok_or(exceeded))
    }

    /// Notes a credential that is valid, or a token that was until it expired.
    /// [`Self::check_address`] never refuses it.
    pub fn note_valid(&self, credential: SecretDigest) {
        if let Some(buckets) = self.enforced()
            && buckets.known.get(&credential).is_none()
        {
            buckets.known.insert(credential, ());
        }
    }

    /// Counts a request whose credential is missing or unknown.
    ///
    /// # Errors
    /// [`Exceeded`] if the address's bucket is empty.
    pub fn count_bad_credential(&self, address: Option<IpAddr>) -> Result<(), Exceeded> {
        let (Some(buckets), Some(address)) = (self.enforced(), address) else { return Ok(()) };
        buckets.addresses.take(address)
    }

    /// Counts a session that a payer opens from a payment link. It needs no credential.
    ///
    /// # Errors
    /// [`Exceeded`] if the address's bucket is empty.
    pub fn count_link_session(&self, address: Option<IpAddr>) -> Result<(), Exceeded> {
        let (Some(buckets), Some(address)) = (self.enforced(), address) else { return Ok(()) };
        buckets.link_sessions.take(address)
    }

    /// Counts a page that needs no credential.
    ///
    /// # Errors
    /// [`Exceeded`] if the address's bucket is empty.
    pub fn count_page(&self, address: Option<IpAddr>) -> Result<(), Exceeded> {
        let (Some(buckets), Some(address)) = (self.enforced(), address) else { return Ok(()) };
        buckets.pages.take(address)
    }

    /// Counts a payer's search for a payment. `page` is the id of the session or payment link of
    /// the page.
    ///
    /// # Errors
    /// [`Exceeded`] if the bucket of the page or of the address is empty.
    pub fn count_payment_search(
        &self,
        address: Option<IpAddr>,
        page: &str,
    ) -> Result<(), Exceeded> {
        let Some(buckets) = self.enforced() else { return Ok(()) };
        // The address first: one that is refused must not use up what a page has for others.
        address.map_or(Ok(()), |address| buckets.searches.take(address))?;
        buckets.searches_of_pages.take(&page.to_owned()).map(drop)
    }

    /// Whether a code may be submitted from this address. Only payers' addresses count: all codes
    /// that a merchant submits come from the address of the merchant's server.
    ///
    /// # Errors
    /// [`Exceeded`] if too many wrong codes came from the address.
    pub fn check_wrong_codes(
        &self,
        caller: &Caller,
        address: Option<IpAddr>,
    ) -> Result<(), Exceeded> {
        match (self.enforced(), caller, address) {
            (Some(buckets), Caller::Token(_), Some(address)) => buckets.wrong_codes.check(address),
            _ => Ok(()),
        }
    }

    /// Counts a wrong code of a payer.
    pub fn count_wrong_code(&self, caller: &Caller, address: Option<IpAddr>) {
        if let (Some(buckets), Caller::Token(_), Some(address)) = (self.enforced(), caller, address)
        {
            // The operator has answered this one. The next one is refused.
            let _ = buckets.wrong_codes.take(address);
        }
    }
}

impl fmt::Debug for AllBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AllBuckets")
            .field("keys", &self.keys)
            .field("tokens", &self.tokens)
            .finish_non_exhaustive()
    }
}
