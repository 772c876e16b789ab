//! The state that the handlers of the hosted pages share.

use crate::http::BodyTimeout;
use std::sync::Arc;
use tua_domain::{ports::Clock, public_url::PublicUrl};
use tua_net::limits::Limiter;
use tua_use_cases::{Checkouts, Codes, Links, PayersSearch, Payments};

/// The state of the hosted pages' router.
#[derive(Clone, Debug)]
pub struct HostedState {
    /// Finds sessions by their tokens, with their networks and refunds.
    pub checkouts: Arc<Checkouts>,
    /// Begins the charges that payers ask for with the form.
    pub payments: Arc<Payments>,
    /// Passes passcodes and vouchers on.
    pub codes: Arc<Codes>,
    /// Reads payment links, and opens their sessions.
    pub links: Links,
    /// Finds payments for payers.
    pub payment_search: PayersSearch,
    /// Limits requests, sessions of links, searches, and wrong codes.
    pub limiter: Arc<Limiter>,
    /// How long a form may take to arrive.
    pub body_timeout: BodyTimeout,
    /// The time by which pages decide whether a session or link has expired.
    pub clock: Arc<dyn Clock>,
    /// The service's own address.
    pub public_url: PublicUrl,
}
