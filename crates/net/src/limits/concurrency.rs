//! Limits how much of a resource one address may hold at the same time.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};
use tua_domain::{
    enforcement::Enforcement,
    ip_prefix::{counted_prefix, counted_site},
};

/// How much of a resource one address may hold at the same time, while limits are enforced.
#[derive(Clone, Debug)]
pub struct ConcurrencyLimit {
    /// The largest number that one IPv4 address or IPv6 /64 network may hold.
    pub per_address: usize,
    /// The largest number that all addresses of one IPv6 /48 network may hold together.
    pub per_site: usize,
    /// Whether it is enforced.
    pub enforcement: Enforcement,
}

/// How many times the limit of one address an IPv6 /48 network may hold. A site can have 65,536
/// networks, and must not use up the whole resource.
const SITE_LIMIT_FACTOR: usize = 2;

impl ConcurrencyLimit {
    /// A limit of this number for an address.
    #[must_use]
    pub const fn new(per_address: usize, enforcement: Enforcement) -> Self {
        Self { per_address, per_site: per_address.saturating_mul(SITE_LIMIT_FACTOR), enforcement }
    }

    /// The same limit, but at most half of what there is in all.
    #[must_use]
    pub fn of_total(mut self, total: usize) -> Self {
        let half = (total / 2).max(1);
        self.per_address = self.per_address.min(half);
        self.per_site = self.per_site.min(half);
        self
    }
}

/// Counts what each address holds now. Every unit is counted until its permit is dropped.
#[derive(Debug)]
pub struct AddressConcurrency {
    limit: ConcurrencyLimit,
    counts: Mutex<HeldCounts>,
}

/// What is held, by address or network.
#[derive(Debug, Default)]
struct HeldCounts {
    by_network: HashMap<IpAddr, usize>,
    by_site: HashMap<IpAddr, usize>,
}

/// Counts one less, and keeps no zero.
fn release(counts: &mut HashMap<IpAddr, usize>, network: IpAddr) {
    if let Some(count) = counts.get_mut(&network) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&network);
        }
    }
}

impl AddressConcurrency {
    /// A counter for one resource. Nothing is held yet.
    #[must_use]
    pub fn new(limit: ConcurrencyLimit) -> Self {
        Self { limit, counts: Mutex::default() }
    }

    /// Counts one more for this address, until the returned permit is dropped. `None` if the
    /// address has reached its limit. While limits are lifted, it is counted and never refused.
    #[must_use]
    pub fn acquire(self: &Arc<Self>, address: IpAddr) -> Option<AddressPermit> {
        let network = counted_prefix(address);
        let site = counted_site(address);
        let mut held = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.by_network.get(&network).copied().unwrap_or_default();
        let of_site = site.and_then(|site| held.by_site.get(&site).copied()).unwrap_or_default();
        let is_full = count >= self.limit.per_address || of_site >= self.limit.per_site;
        if is_full && self.limit.enforcement.is_enforced() {
            return None;
        }
        held.by_network.insert(network, count + 1);
        if let Some(site) = site {
            held.by_site.insert(site, of_site + 1);
        }
        Some(AddressPermit { concurrency: self.clone(), network, site })
    }
}

/// One unit of the resource that an address holds.
#[derive(Debug)]
pub struct AddressPermit {
    concurrency: Arc<AddressConcurrency>,
    network: IpAddr,
    site: Option<IpAddr>,
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let mut held = self.concurrency.counts.lock().unwrap_or_else(PoisonError::into_inner);
        release(&mut held.by_network, self.network);
        if let Some(site) = self.site {
            release(&mut held.by_site, site);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concurrency(per_address: usize, is_enforced: bool) -> Arc<AddressConcurrency> {
        Arc::new(AddressConcurrency::new(ConcurrencyLimit::new(
            per_address,
            Enforcement::new(is_enforced),
        )))
    }

    #[test]
    fn an_ipv6_network_has_one_limit_and_a_dropped_permit_is_free_again() {
        let concurrency = concurrency(2, true);
        let of = |text: &str| concurrency.acquire(text.parse().unwrap());
        let first = of("2001:db8::1").unwrap();
        let second = of("2001:db8::2").unwrap();
        assert!(
            of("2001:db8::3").is_none()
                && of("2001:db8:0:1::1").is_some()
                && of("192.0.2.1").is_some()
        );
        drop(first);
        let third = of("2001:db8::3").unwrap();
        assert!(of("2001:db8::4").is_none());
        drop((second, third));
        let held = concurrency.counts.lock().unwrap();
        assert!(held.by_network.is_empty() && held.by_site.is_empty());
    }

    #[test]
    fn what_was_held_while_limits_were_lifted_counts_afterwards() {
        let concurrency = concurrency(1, false);
        let address = "192.0.2.1".parse().unwrap();
        let held = [concurrency.acquire(address).unwrap(), concurrency.acquire(address).unwrap()];
        concurrency.limit.enforcement.begin();
        assert!(concurrency.acquire(address).is_none());
        drop(held);
        assert!(concurrency.acquire(address).is_some());
    }

    #[test]
    fn a_share_is_at_most_half_of_the_total() {
        let limit = |per_address| ConcurrencyLimit::new(per_address, Enforcement::new(true));
        assert_eq!(limit(2500).of_total(20_000).per_address, 2500);
        assert_eq!(limit(2500).of_total(512).per_address, 256);
        assert_eq!(limit(2500).of_total(1).per_address, 1);
    }

    #[test]
    fn eight_networks_of_a_site_never_hold_everything() {
        let limit = ConcurrencyLimit::new(2500, Enforcement::new(true)).of_total(20_000);
        let concurrency = Arc::new(AddressConcurrency::new(limit));
        let of = |site: u16, network: u16| {
            concurrency.acquire(format!("2001:db8:{site:x}:{network:x}::1").parse().unwrap())
        };
        let mut held = Vec::new();
        for network in 0..8 {
            held.extend((0..2500).map_while(|_| of(1, network)));
        }
        assert_eq!(held.len(), 5000);
        assert!(of(2, 0).is_some() && concurrency.acquire("192.0.2.1".parse().unwrap()).is_some());
        drop(held);
        assert!(of(1, 0).is_some());
    }

    #[test]
    fn the_share_of_a_site_is_at_most_half_of_the_total() {
        let limit =
            |total| ConcurrencyLimit::new(2500, Enforcement::new(true)).of_total(total).per_site;
        assert_eq!((limit(20_000), limit(512), limit(1)), (5000, 256, 1));
    }
}
