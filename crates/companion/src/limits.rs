//! What one address may do: an IPv4 address, or an IPv6 /64 network. Token buckets in memory.

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};

/// Carts that one address may send in a minute, valid or not.
const CARTS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// How long a session is open (docs/reference/credentials.md).
const SESSION_LIFETIME: Duration = Duration::from_secs(30 * 60);

/// The number of carts after which full buckets are removed, so that addresses do not fill the
/// memory.
const SWEEP_INTERVAL: u32 = 1024;

/// The limits of all addresses.
#[derive(Debug)]
pub struct AddressLimits {
    carts: DefaultKeyedRateLimiter<IpAddr>,
    sessions: DefaultKeyedRateLimiter<IpAddr>,
    counted: AtomicU32,
}

impl AddressLimits {
    /// One address has at most this many open sessions.
    #[must_use]
    pub fn new(max_open_sessions: NonZeroU32) -> Self {
        // A bucket that holds half of them and refills with the other half while the first ones are
        // open.
        let half = NonZeroU32::new(max_open_sessions.get() / 2).unwrap_or(NonZeroU32::MIN);
        let sessions =
            Quota::with_period(SESSION_LIFETIME / half.get()).map(|quota| quota.allow_burst(half));
        Self {
            carts: RateLimiter::keyed(Quota::per_minute(CARTS_PER_MINUTE)),
            sessions: RateLimiter::keyed(sessions.unwrap_or(Quota::per_hour(half))),
            counted: AtomicU32::new(0),
        }
    }

    /// Counts a cart.
    ///
    /// # Errors
    /// How long the address has to wait, because it has sent too many.
    pub fn count_cart(&self, address: IpAddr) -> Result<(), Duration> {
        if self.counted.fetch_add(1, Ordering::Relaxed).is_multiple_of(SWEEP_INTERVAL) {
            self.carts.retain_recent();
            self.sessions.retain_recent();
        }
        take_token(&self.carts, address)
    }

    /// Counts a session that is about to be opened.
    ///
    /// # Errors
    /// How long the address has to wait, because it may have too many open ones.
    pub fn count_session(&self, address: IpAddr) -> Result<(), Duration> {
        take_token(&self.sessions, address)
    }
}

/// Takes a token from the bucket of an address, or returns the time until there is one.
fn take_token(limiter: &DefaultKeyedRateLimiter<IpAddr>, address: IpAddr) -> Result<(), Duration> {
    let until = limiter.check_key(&network(address));
    until.map_err(|until| until.wait_time_from(DefaultClock::default().now()))
}

/// IPv6: the /64, which is what one household or server is assigned (RFC 6177).
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
        v4 => v4,
    }
}
