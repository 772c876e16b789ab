//! Rate limits: token buckets. The buckets for each credential and address protect the service from load; they are in
//! memory, per node, and full after a restart. The buckets for passcodes and phone numbers protect people, so the store
//! keeps them. Shares limit how many connections and long polls one address has at the same time.

mod addresses;
mod bucket;
mod monotonic_clock;
mod rate;
mod settings;
mod share;

use crate::domain::{
    Caller, CheckoutId, KeyId, Mode,
    enforcement::Enforcement,
    payment_limits::PaymentLimits,
    ports::Clock,
    rate_limit::{Exceeded, Policy, RateLimitStatus},
    secret::SecretDigest,
};
use addresses::AddressLimit;
use bucket::Buckets;
pub use rate::{RateSettings, Rates};
pub use settings::LimitSettings;
pub use share::{AddressShares, ShareLimit};
use std::{net::IpAddr, sync::Arc};

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
    pub fn of_connections(self, enforcement: Enforcement) -> ShareLimit {
        ShareLimit { per_address: self.rates().connections_per_address as usize, enforcement }
    }

    /// How many long polls of one address may wait.
    #[must_use]
    pub fn of_polls(self, enforcement: Enforcement) -> ShareLimit {
        ShareLimit { per_address: self.rates().polls_per_address as usize, enforcement }
    }

    /// The limits for phones and passcodes, which the store enforces.
    #[must_use]
    pub fn of_payments(self, enforcement: Enforcement) -> PaymentLimits {
        let Rates { passcode, prompt_live, prompt_test, .. } = self.rates();
        PaymentLimits { enforcement, code: passcode, prompt_live, prompt_test }
    }
}

/// Counts requests and rejects those above a limit.
#[derive(Debug)]
pub struct Limiter {
    enforcement: Enforcement,
    buckets: AllBuckets,
}

#[derive(Debug)]
struct AllBuckets {
    keys: Buckets<KeyId>,
    tokens: Buckets<CheckoutId>,
    addresses: AddressLimit,
}

impl Limiter {
    /// Creates full buckets.
    #[must_use]
    pub fn new(limits: Limits, enforcement: Enforcement, clock: &Arc<dyn Clock>) -> Self {
        let rates = limits.rates();
        let buckets = AllBuckets {
            keys: Buckets::new(Policy::Credential, rates.secret_key, clock),
            tokens: Buckets::new(Policy::Credential, rates.checkout_token, clock),
            addresses: AddressLimit::new(rates.address, clock),
        };
        Self { enforcement, buckets }
    }

    /// The buckets, while limits are enforced.
    fn enforced(&self) -> Option<&AllBuckets> {
        self.enforcement.is_enforced().then_some(&self.buckets)
    }

    /// Counts a request with a valid credential. A live one ends `--limits off`. Returns the credential's status, or `None` if limits are off.
    ///
    /// # Errors
    /// [`Exceeded`] if the credential's bucket is empty.
    pub fn count_request(&self, caller: &Caller) -> Result<Option<RateLimitStatus>, Exceeded> {
        if caller.scope().mode == Mode::Live {
            self.enforcement.begin();
        }
        let Some(buckets) = self.enforced() else { return Ok(None) };
        let standing = match caller {
            Caller::Key(key) => buckets.keys.take(&key.id),
            Caller::Token(checkout) => buckets.tokens.take(&checkout.id),
        };
        standing.map(Some)
    }

    /// Counts a request with the expired token of this session, against the limit that the token had while it was valid.
    ///
    /// # Errors
    /// [`Exceeded`] if the session's bucket is empty.
    pub fn count_expired_token(&self, checkout: &CheckoutId) -> Result<(), Exceeded> {
        let Some(buckets) = self.enforced() else { return Ok(()) };
        buckets.tokens.take(checkout).map(drop)
    }

    /// Whether the store may be asked who holds this credential. Counts nothing.
    ///
    /// # Errors
    /// [`Exceeded`] if the address is over its limit and the credential has not been valid on this node before.
    pub fn check_address(&self, address: IpAddr, credential: &SecretDigest) -> Result<(), Exceeded> {
        let Some(buckets) = self.enforced() else { return Ok(()) };
        buckets.addresses.check(address, credential)
    }

    /// Notes a credential that is valid, or a token that was until it expired. [`Self::check_address`] never refuses it.
    pub fn note_valid(&self, credential: SecretDigest) {
        if let Some(buckets) = self.enforced() {
            buckets.addresses.note_valid(credential);
        }
    }

    /// Counts a request whose credential is missing or unknown.
    ///
    /// # Errors
    /// [`Exceeded`] if the address's bucket is empty.
    pub fn count_bad_credential(&self, address: IpAddr) -> Result<(), Exceeded> {
        let Some(buckets) = self.enforced() else { return Ok(()) };
        buckets.addresses.take(address)
    }
}
