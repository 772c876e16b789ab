//! The limit of an address, and the credentials that it does not apply to.

use super::bucket::Buckets;
use crate::domain::{
    ports::Clock,
    rate_limit::{Exceeded, Policy, Rate},
    secret::SecretDigest,
};
use jiff::{SignedDuration, Timestamp};
use quick_cache::sync::Cache;
use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

/// How many addresses with an empty bucket are kept; the least used ones are dropped.
const MAX_EMPTY: usize = 1 << 14;

/// How many valid credentials are kept; the least used ones are dropped.
const MAX_KNOWN: usize = 1 << 16;

/// Limits requests whose credential nobody holds, by their address.
///
/// While an address's bucket is empty, its requests are refused before the store is asked about their credentials,
/// except for credentials that were valid before. Thousands of payers may share an address (carrier NAT), and they must
/// not be refused because of one that sends wrong requests.
pub(super) struct AddressLimit {
    buckets: Buckets<IpAddr>,
    /// Until when each bucket is empty.
    empty: Cache<IpAddr, (Exceeded, Timestamp)>,
    /// Credentials that were valid when they were last looked up, tokens also after they have expired.
    known: Cache<SecretDigest, ()>,
    clock: Arc<dyn Clock>,
}

impl AddressLimit {
    pub(super) fn new(rate: Rate, clock: &Arc<dyn Clock>) -> Self {
        Self {
            buckets: Buckets::new(Policy::Address, rate, clock),
            empty: Cache::new(MAX_EMPTY),
            known: Cache::new(MAX_KNOWN),
            clock: clock.clone(),
        }
    }

    /// Takes a token for a request whose credential is missing or unknown.
    ///
    /// # Errors
    /// [`Exceeded`] if the address's bucket is empty.
    pub(super) fn take(&self, address: IpAddr) -> Result<(), Exceeded> {
        let network = rate_limited_network(address);
        self.buckets.take(&network).map(drop).inspect_err(|exceeded| {
            let wait = SignedDuration::from_secs(exceeded.0.reset.cast_signed());
            self.empty.insert(network, (*exceeded, self.clock.now() + wait));
        })
    }

    /// Whether the store may be asked about this credential. Takes no token.
    ///
    /// # Errors
    /// [`Exceeded`] if the address's bucket is empty and the credential has not been valid before.
    pub(super) fn check(&self, address: IpAddr, credential: &SecretDigest) -> Result<(), Exceeded> {
        let network = rate_limited_network(address);
        let Some((mut exceeded, until)) = self.empty.get(&network) else { return Ok(()) };
        let left = until.duration_since(self.clock.now()).as_millis();
        let wait = u64::try_from(left).unwrap_or_default().div_ceil(1000);
        // A wait longer than the first one means that the clock was set back.
        if wait == 0 || wait > exceeded.0.reset {
            self.empty.remove(&network);
            return Ok(());
        }
        if self.known.get(credential).is_some() {
            return Ok(());
        }
        exceeded.0.reset = wait;
        Err(exceeded)
    }

    /// Notes that a credential is valid, or was until it expired.
    pub(super) fn note_valid(&self, credential: SecretDigest) {
        if self.known.get(&credential).is_none() {
            self.known.insert(credential, ());
        }
    }
}

impl fmt::Debug for AddressLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressLimit").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}

/// The address, and for IPv6 its /64 network, which is what one household or server is assigned (RFC 6177).
pub(super) fn rate_limited_network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::OffsetClock;
    use std::time::Duration;

    fn limit(quota: u32, window: u32) -> (AddressLimit, OffsetClock) {
        let clock = OffsetClock::stopped();
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        (AddressLimit::new(Rate::new(quota, window).unwrap(), &shared), clock)
    }

    #[test]
    fn only_known_credentials_pass_while_the_bucket_is_empty() {
        let (limit, clock) = limit(2, 60);
        let (known, unknown) = (SecretDigest::of("known"), SecretDigest::of("unknown"));
        let address = "192.0.2.1".parse().unwrap();
        limit.note_valid(known);
        for _ in 0..2 {
            assert!(limit.check(address, &unknown).is_ok() && limit.take(address).is_ok());
        }
        assert!(limit.check(address, &unknown).is_ok(), "nothing was refused yet");
        assert_eq!(limit.take(address).unwrap_err().0.reset, 30);
        clock.advance(Duration::from_secs(10));
        assert_eq!(limit.check(address, &unknown).unwrap_err().0.reset, 20);
        assert!(limit.check(address, &known).is_ok());
        assert!(limit.check("192.0.2.2".parse().unwrap(), &unknown).is_ok());
        clock.advance(Duration::from_secs(20));
        assert!(limit.check(address, &unknown).is_ok() && limit.take(address).is_ok());
        assert!(limit.take(address).is_err() && limit.check(address, &unknown).is_err());
    }

    #[test]
    fn all_addresses_of_an_ipv6_network_share_a_bucket() {
        let of = |text: &str| rate_limited_network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
