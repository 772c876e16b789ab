//! The work of hashing passwords, which takes tens of milliseconds and 19 MiB each time.
//!
//! Strangers have places of their own: however many try to sign in, who is signed in, or has signed
//! in with this browser before, does not wait for them. The places are few, and one network has a
//! part of them, so that a stranger waits for a fraction of a second, and nobody fills all places
//! from one network.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{sync::Semaphore, task::spawn_blocking};
use tua_domain::ports::StoreError;

/// How many passwords of known people are hashed at the same time.
static KNOWN_PERSON_PERMITS: Semaphore = Semaphore::const_new(2);

/// How many passwords of strangers are hashed at the same time.
const MAX_CONCURRENT_STRANGERS: usize = 2;

/// How many strangers may wait, those included whose password is hashed.
const MAX_QUEUED: usize = 32;

/// The networks of an address, and how many places each may have: the length of the prefix in bits
/// for IPv4 and IPv6.
const NETWORK_SHARES: [(u32, u32, usize); 3] = [(32, 64, 4), (24, 48, 8), (16, 32, 16)];

/// Hashes for somebody who is signed in, has a link to enrol with, or has signed in with this
/// browser before. The work goes on if the request is given up, and so keeps its permit.
///
/// # Errors
/// A permanent failure, if the work panicked.
pub(super) async fn run_hashing<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let permit = KNOWN_PERSON_PERMITS.acquire().await.map_err(StoreError::failed)?;
    let work = move || {
        let _permit = permit;
        work()
    };
    spawn_blocking(work).await.map_err(StoreError::failed)
}

/// The sign-ins of strangers that wait for a hash or are being hashed.
#[derive(Debug)]
pub struct StrangerQueue {
    permits: Arc<Semaphore>,
    held: Mutex<HashMap<(u32, IpAddr), usize>>,
}

impl Default for StrangerQueue {
    fn default() -> Self {
        Self { permits: Arc::new(Semaphore::new(MAX_CONCURRENT_STRANGERS)), held: Mutex::default() }
    }
}

/// A place in the queue, until it is dropped.
#[derive(Debug)]
pub(super) struct QueueSlot {
    queue: Arc<StrangerQueue>,
    groups: Vec<(u32, IpAddr)>,
}

impl StrangerQueue {
    /// A place for this address. `None` if all are held, or those of one of its networks. Where the
    /// address is not known, it has no networks.
    pub(super) fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Option<QueueSlot> {
        let of_address =
            |address| NETWORK_SHARES.map(|(v4, v6, places)| (network(address, v4, v6), places));
        let all = ((0, IpAddr::V4(Ipv4Addr::UNSPECIFIED)), MAX_QUEUED);
        let shares: Vec<_> = address.into_iter().flat_map(of_address).chain([all]).collect();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full =
            |(group, places): &(_, usize)| held.get(group).is_some_and(|count| count >= places);
        if shares.iter().any(is_full) {
            return None;
        }
        let groups: Vec<_> = shares.into_iter().map(|(group, _)| group).collect();
        for group in &groups {
            *held.entry(*group).or_default() += 1;
        }
        Some(QueueSlot { queue: self.clone(), groups })
    }
}

impl QueueSlot {
    /// Does the work when it is this place's turn. It goes on if the request is given up, and keeps
    /// its place.
    ///
    /// # Errors
    /// A permanent failure, if the work panicked.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit =
            self.queue.permits.clone().acquire_owned().await.map_err(StoreError::failed)?;
        let work = move || {
            let _held = (permit, self);
            work()
        };
        spawn_blocking(work).await.map_err(StoreError::failed)
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let mut held = self.queue.held.lock().unwrap_or_else(PoisonError::into_inner);
        for group in &self.groups {
            if let Some(count) = held.get_mut(group) {
                *count -= 1;
                if *count == 0 {
                    held.remove(group);
                }
            }
        }
    }
}

/// The network of an address, with the length of its prefix.
fn network(address: IpAddr, v4: u32, v6: u32) -> (u32, IpAddr) {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            (v4, Ipv4Addr::from_bits(address.to_bits() & (u32::MAX << (32 - v4))).into())
        }
        IpAddr::V6(address) => {
            (v6, Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - v6))).into())
        }
    }
}

/// The network that attempts are counted by: the address, and of IPv6 the /64, which is what one
/// household or server is assigned (RFC 6177).
pub(super) fn counted_network(address: IpAddr) -> IpAddr {
    network(address, 32, 64).1
}

/// The site that an IPv6 address is in: the /48, which is the most that one customer is usually
/// assigned (RFC 6177).
pub(super) fn counted_site(address: IpAddr) -> Option<IpAddr> {
    address.to_canonical().is_ipv6().then(|| network(address, 32, 48).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(queue: &Arc<StrangerQueue>, addresses: impl Iterator<Item = String>) -> Vec<QueueSlot> {
        addresses.filter_map(|address| queue.enter(Some(address.parse().unwrap()))).collect()
    }

    #[test]
    fn no_network_fills_the_places_and_each_gets_its_own_back() {
        let of = |addresses: Vec<String>| {
            let queue = Arc::new(StrangerQueue::default());
            held(&queue, addresses.into_iter()).len()
        };
        let many = 0..100;
        assert_eq!(of(vec!["192.0.2.1".to_owned(); 100]), 4);
        assert_eq!(of(many.clone().map(|n| format!("2001:db8:1:2::{n}")).collect()), 4, "a /64");
        assert_eq!(of(many.clone().map(|n| format!("2001:db8:1:{n}::1")).collect()), 8, "a /48");
        assert_eq!(of(many.clone().map(|n| format!("2001:db8:{n}::1")).collect()), 16, "a /32");
        assert_eq!(of(many.clone().map(|n| format!("192.0.{n}.1")).collect()), 16, "a /16");
        assert_eq!(of(many.map(|n| format!("2001:{n}::1")).collect()), MAX_QUEUED);
        let queue = Arc::new(StrangerQueue::default());
        let first = held(&queue, std::iter::repeat_n("192.0.2.1".to_owned(), 9));
        drop(first);
        assert!(queue.held.lock().unwrap().is_empty());
        assert!(queue.enter(Some("192.0.2.1".parse().unwrap())).is_some());
        let unknown: Vec<_> = std::iter::from_fn(|| queue.enter(None)).take(100).collect();
        assert_eq!(unknown.len(), MAX_QUEUED, "behind a proxy that forwards no address");
    }

    #[test]
    fn attempts_of_an_ipv6_network_are_counted_together() {
        let of = |text: &str| counted_network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
