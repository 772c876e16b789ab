//! How much of a resource one address may hold at the same time.

use super::addresses::rate_limited_network;
use crate::domain::enforcement::Enforcement;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// The share of one address, while limits are enforced.
#[derive(Clone, Debug)]
pub struct ShareLimit {
    /// The largest number that one IPv4 address or IPv6 /64 network may hold.
    pub per_address: usize,
    /// Whether it is enforced.
    pub enforcement: Enforcement,
}

impl ShareLimit {
    /// The same limit, but at most half of what there is in all.
    #[must_use]
    pub fn of_total(mut self, total: usize) -> Self {
        self.per_address = self.per_address.min((total / 2).max(1));
        self
    }
}

/// Counts what each address holds.
#[derive(Debug)]
pub struct AddressShares {
    limit: ShareLimit,
    held: Mutex<HashMap<IpAddr, usize>>,
}

impl AddressShares {
    /// Nothing is held yet.
    #[must_use]
    pub fn new(limit: ShareLimit) -> Self {
        Self { limit, held: Mutex::default() }
    }

    /// One more for this address, until the returned guard is dropped. `None` if the address holds its share already.
    /// While limits are lifted, it is counted and never refused.
    #[must_use]
    pub fn acquire(self: &Arc<Self>, address: IpAddr) -> Option<HeldShare> {
        let network = rate_limited_network(address);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(network).or_default();
        if *count >= self.limit.per_address && self.limit.enforcement.is_enforced() {
            return None;
        }
        *count += 1;
        Some(HeldShare { shares: self.clone(), network })
    }
}

/// One that an address holds.
#[derive(Debug)]
pub struct HeldShare {
    shares: Arc<AddressShares>,
    network: IpAddr,
}

impl Drop for HeldShare {
    fn drop(&mut self) {
        let mut held = self.shares.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(per_address: usize, is_enforced: bool) -> Arc<AddressShares> {
        Arc::new(AddressShares::new(ShareLimit { per_address, enforcement: Enforcement::new(is_enforced) }))
    }

    #[test]
    fn an_ipv6_network_has_one_share_and_gets_it_back() {
        let shares = shares(2, true);
        let of = |text: &str| shares.acquire(text.parse().unwrap());
        let (first, second) = (of("2001:db8::1").unwrap(), of("2001:db8::2").unwrap());
        assert!(of("2001:db8::3").is_none() && of("2001:db8:0:1::1").is_some() && of("192.0.2.1").is_some());
        drop(first);
        let third = of("2001:db8::3").unwrap();
        assert!(of("2001:db8::4").is_none());
        drop((second, third));
        assert!(shares.held.lock().unwrap().is_empty());
    }

    #[test]
    fn what_was_held_while_limits_were_lifted_counts_afterwards() {
        let shares = shares(1, false);
        let address = "192.0.2.1".parse().unwrap();
        let held = [shares.acquire(address).unwrap(), shares.acquire(address).unwrap()];
        shares.limit.enforcement.begin();
        assert!(shares.acquire(address).is_none());
        drop(held);
        assert!(shares.acquire(address).is_some());
    }

    #[test]
    fn a_share_is_at_most_half_of_the_total() {
        let limit = |per_address| ShareLimit { per_address, enforcement: Enforcement::new(true) };
        assert_eq!(limit(2500).of_total(20_000).per_address, 2500);
        assert_eq!(limit(2500).of_total(512).per_address, 256);
        assert_eq!(limit(2500).of_total(1).per_address, 1);
    }
}
