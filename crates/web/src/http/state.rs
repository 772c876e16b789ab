//! What the handlers are given. Each handler extracts only the parts that it uses.

use axum::extract::FromRef;
use std::{sync::Arc, time::Duration};
use tua_domain::{public_url::PublicUrl, sandbox_times::SandboxTimes, test_log::TestLog};
use tua_net::limits::{AddressConcurrency, Limiter};
use tua_use_cases::{
    Authentication, Batches, Checkouts, Codes, Events, KeyEndpoints, KeySandboxClock, Links,
    Networks, Payments, Payouts, Readiness, Refunds, SandboxClock, Transactions,
};

/// The state of the API's router. The router clones it for each request.
#[derive(Clone, Debug)]
pub struct HttpState(Arc<StateParts>);

impl From<StateParts> for HttpState {
    fn from(parts: StateParts) -> Self {
        Self(Arc::new(parts))
    }
}

/// What the handlers of the API use.
#[derive(Debug)]
pub struct StateParts {
    /// Finds the holders of credentials.
    pub authentication: Arc<Authentication>,
    /// Limits requests for each credential and address.
    pub limiter: Arc<Limiter>,
    /// Begins charges and payouts.
    pub payments: Arc<Payments>,
    /// Cancels payouts and refunds.
    pub payouts: Payouts,
    /// Begins, reads and cancels batches of payouts.
    pub batches: Batches,
    /// Begins refunds, as keys and people ask for them.
    pub refunds: Refunds,
    /// Creates, reads and changes payment links.
    pub links: Links,
    /// Passes passcodes and vouchers on.
    pub codes: Arc<Codes>,
    /// Opens and reads sessions.
    pub checkouts: Arc<Checkouts>,
    /// Finds and lists transactions, and waits until one changes.
    pub transactions: Arc<Transactions>,
    /// Lists and follows events.
    pub events: Events,
    /// Adds, reads and changes webhook endpoints.
    pub webhook_endpoints: KeyEndpoints,
    /// Which addresses webhook endpoints may have.
    pub endpoint_addresses: EndpointAddresses,
    /// Reads how networks are served.
    pub networks: Networks,
    /// The long polls of each address.
    pub polls: Arc<AddressConcurrency>,
    /// Whether the service can do its work.
    pub readiness: Arc<Readiness>,
    /// What happens in test mode, for those who follow it.
    pub test_log: Arc<TestLog>,
    /// Advances the sandbox clocks of accounts.
    pub sandbox_clock: SandboxClock,
    /// How long a body may take to arrive.
    pub body_timeout: BodyTimeout,
    /// The service's own address.
    pub public_url: PublicUrl,
}

/// Which addresses webhook endpoints may have (docs/reference/webhooks.md#allowed-addresses).
#[derive(Clone, Copy, Debug)]
pub struct EndpointAddresses {
    /// Whether private addresses are allowed in live mode too.
    pub allow_private: bool,
}

/// How long a body may take to arrive.
#[derive(Clone, Copy, Debug)]
pub struct BodyTimeout(pub Duration);

impl FromRef<HttpState> for KeySandboxClock {
    fn from_ref(state: &HttpState) -> Self {
        Self {
            sandbox_clock: state.0.sandbox_clock.clone(),
            idempotency: state.0.checkouts.idempotency.clone(),
        }
    }
}

impl FromRef<HttpState> for SandboxTimes {
    fn from_ref(state: &HttpState) -> Self {
        state.0.sandbox_clock.times.clone()
    }
}

macro_rules! from_ref {
    ($($field:ident: $part:ty,)+) => {$(
        impl FromRef<HttpState> for $part {
            fn from_ref(state: &HttpState) -> Self {
                state.0.$field.clone()
            }
        }
    )+};
}

from_ref! {
    authentication: Arc<Authentication>,
    limiter: Arc<Limiter>,
    payments: Arc<Payments>,
    payouts: Payouts,
    batches: Batches,
    refunds: Refunds,
    links: Links,
    codes: Arc<Codes>,
    checkouts: Arc<Checkouts>,
    transactions: Arc<Transactions>,
    events: Events,
    webhook_endpoints: KeyEndpoints,
    endpoint_addresses: EndpointAddresses,
    networks: Networks,
    polls: Arc<AddressConcurrency>,
    test_log: Arc<TestLog>,
    readiness: Arc<Readiness>,
    body_timeout: BodyTimeout,
    public_url: PublicUrl,
}
