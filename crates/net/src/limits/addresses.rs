//! The buckets of addresses.

use super::bucket::Buckets;
use jiff::{SignedDuration, Timestamp};
use quick_cache::sync::Cache;
use std::{fmt, net::IpAddr, sync::Arc};
use tua_domain::{
    ip_prefix::{counted_prefix, counted_site},
    ports::Clock,
    rate_limit::{Exceeded, Policy, Rate},
};

/// How many addresses with an empty bucket are kept; the least used ones are dropped.
const MAX_EMPTY: usize = 1 << 14;

/// How many times the quota of one /64 network all those of a /48 have together.
const SITE_QUOTA: u32 = 16;

/// The buckets of one policy by address, IPv6 by /64 network and by /48 network. Whether a bucket
/// is empty can be read without taking from it.
pub(super) struct AddressBuckets {
    buckets: Buckets<IpAddr>,
    sites: Buckets<IpAddr>,
    /// Until when the bucket of each address or /64 network refuses.
    empty: Cache<IpAddr, (Exceeded, Timestamp)>,
    clock: Arc<dyn Clock>,
}

impl AddressBuckets {
    pub(super) fn new(policy: Policy, rate: Rate, clock: &Arc<dyn Clock>) -> Self {
        let quota = rate.quota().get().saturating_mul(SITE_QUOTA).min(Rate::MAX_QUOTA);
        let of_site = Rate::new(quota, rate.window()).unwrap_or(rate);
        Self {
            buckets: Buckets::new(policy, rate, clock),
            sites: Buckets::new(policy, of_site, clock),
            empty: Cache::new(MAX_EMPTY),
            clock: clock.clone(),
        }
    }

    /// Takes a token.
    ///
    /// # Errors
    /// [`Exceeded`] if the bucket of the address or of its /48 network is empty.
    pub(super) fn take(&self, address: IpAddr) -> Result<(), Exceeded> {
        let network = counted_prefix(address);
        // The network first: a refused one must not use up what the other networks of its site
        // have.
        let taken = self.buckets.take(&network).and_then(|status| match counted_site(address) {
            Some(site) => self.sites.take(&site),
            None => Ok(status),
        });
        taken.map(drop).inspect_err(|exceeded| {
            let wait = SignedDuration::from_secs(exceeded.0.reset.cast_signed());
            self.empty.insert(network, (*exceeded, self.clock.now() + wait));
        })
    }

    /// Takes no token.
    ///
    /// # Errors
    /// [`Exceeded`] if a token was refused, and the bucket is still empty.
    pub(super) fn check(&self, address: IpAddr) -> Result<(), Exceeded> {
        let network = counted_prefix(address);
        let Some((mut exceeded, until)) = self.empty.get(&network) else { return Ok(()) };
        let left = until.duration_since(self.clock.now()).as_millis();
        let wait = u64::try_from(left).unwrap_or_default().div_ceil(1000);
        // A wait longer than the first one means that the clock was set back.
        if wait == 0 || wait > exceeded.0.reset {
            self.empty.remove(&network);
            return Ok(());
        }
        exceeded.0.reset = wait;
        Err(exceeded)
    }
}

impl fmt::Debug for AddressBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressBuckets").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tua_system::clock::OffsetClock;

    #[test]
    fn an_empty_bucket_is_seen_until_it_has_a_token() {
        let clock = OffsetClock::stopped();
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let buckets = AddressBuckets::new(Policy::Address, Rate::new(2, 60).unwrap(), &shared);
        let address = "192.0.2.1".parse().unwrap();
        for _ in 0..2 {
            assert!(buckets.check(address).is_ok() && buckets.take(address).is_ok());
        }
        assert!(buckets.check(address).is_ok(), "nothing was refused yet");
        assert_eq!(buckets.take(address).unwrap_err().0.reset, 30);
        clock.advance(Duration::from_secs(10));
        assert_eq!(buckets.check(address).unwrap_err().0.reset, 20);
        assert!(buckets.check("192.0.2.2".parse().unwrap()).is_ok());
        clock.advance(Duration::from_secs(20));
        assert!(buckets.check(address).is_ok() && buckets.take(address).is_ok());
        assert!(buckets.take(address).is_err() && buckets.check(address).is_err());
    }

    #[test]
    fn the_networks_of_a_site_have_a_quota_together() {
        let shared: Arc<dyn Clock> = Arc::new(OffsetClock::stopped());
        let buckets = AddressBuckets::new(Policy::Address, Rate::new(1, 60).unwrap(), &shared);
        let of =
            |site: u32, network: u32| format!("2001:db8:{site:x}:{network:x}::1").parse().unwrap();
        for network in 0..SITE_QUOTA {
            assert!(buckets.take(of(1, network)).is_ok(), "{network}");
        }
        assert!(
            buckets.take(of(1, SITE_QUOTA)).is_err() && buckets.check(of(1, SITE_QUOTA)).is_err()
        );
        assert!(buckets.take(of(2, 0)).is_ok());
    }
}
