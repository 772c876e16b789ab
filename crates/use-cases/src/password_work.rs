//! The work of hashing passwords, which takes tens of milliseconds and 19 MiB each time.
//!
//! Strangers have a queue of their own: however many try to sign in, who is signed in, or has
//! signed in with this browser before, does not wait for them. The queue has few slots, and the
//! addresses of one IP prefix may hold a part of them, so that a stranger waits for a fraction of a
//! second, and nobody fills the whole queue from one prefix.

use ipnet::{IpNet, Ipv4Net};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{sync::Semaphore, task::spawn_blocking};
use tua_domain::{ip_prefix::prefix, ports::StoreError};

/// How many passwords of known people are hashed at the same time.
static KNOWN_PERSON_PERMITS: Semaphore = Semaphore::const_new(2);

/// How many passwords of strangers are hashed at the same time.
const MAX_CONCURRENT_STRANGERS: usize = 2;

/// How many strangers may wait, those included whose password is hashed.
const MAX_QUEUED: usize = 32;

/// How many slots the addresses of a prefix may hold: the bits of the prefix for IPv4 and IPv6, and
/// the slots.
const PREFIX_LIMITS: [(u8, u8, usize); 3] = [(32, 64, 4), (24, 48, 8), (16, 32, 16)];

/// Hashes for somebody who is signed in, has a link to enrol with, or has signed in with this
/// browser before. The work goes on if the request is given up, and so keeps its permit.
///
/// # Errors
/// A permanent failure, if the work panicked.
pub(super) async fn hash_for_known_person<T: Send + 'static>(
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
    slots_by_prefix: Mutex<HashMap<IpNet, usize>>,
}

impl Default for StrangerQueue {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT_STRANGERS)),
            slots_by_prefix: Mutex::default(),
        }
    }
}

/// A slot of the queue, until it is dropped.
#[derive(Debug)]
pub(super) struct QueueSlot {
    queue: Arc<StrangerQueue>,
    prefixes: Vec<IpNet>,
}

impl StrangerQueue {
    /// A slot for this address. `None` if all are held, or those of one of its prefixes. Where the
    /// address is not known, it has no prefixes.
    pub(super) fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Option<QueueSlot> {
        let of_address = |address| {
            PREFIX_LIMITS
                .map(|(ipv4_bits, ipv6_bits, slots)| (prefix(address, ipv4_bits, ipv6_bits), slots))
        };
        let all_addresses = (IpNet::from(Ipv4Net::default()), MAX_QUEUED);
        let limits: Vec<_> =
            address.into_iter().flat_map(of_address).chain([all_addresses]).collect();
        let mut held = self.slots_by_prefix.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full =
            |(prefix, slots): &(_, usize)| held.get(prefix).is_some_and(|count| count >= slots);
        if limits.iter().any(is_full) {
            return None;
        }
        let prefixes: Vec<_> = limits.into_iter().map(|(prefix, _)| prefix).collect();
        for prefix in &prefixes {
            *held.entry(*prefix).or_default() += 1;
        }
        Some(QueueSlot { queue: self.clone(), prefixes })
    }
}

impl QueueSlot {
    /// Does the work when it is this slot's turn. It goes on if the request is given up, and keeps
    /// its slot.
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
        let mut held = self.queue.slots_by_prefix.lock().unwrap_or_else(PoisonError::into_inner);
        for prefix in &self.prefixes {
            if let Some(count) = held.get_mut(prefix) {
                *count -= 1;
                if *count == 0 {
                    held.remove(prefix);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(queue: &Arc<StrangerQueue>, addresses: impl Iterator<Item = String>) -> Vec<QueueSlot> {
        addresses.filter_map(|address| queue.enter(Some(address.parse().unwrap()))).collect()
    }

    #[test]
    fn no_prefix_fills_the_queue_and_each_gets_its_slots_back() {
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
        assert!(queue.slots_by_prefix.lock().unwrap().is_empty());
        assert!(queue.enter(Some("192.0.2.1".parse().unwrap())).is_some());
        let unknown: Vec<_> = std::iter::from_fn(|| queue.enter(None)).take(100).collect();
        assert_eq!(unknown.len(), MAX_QUEUED, "behind a proxy that forwards no address");
    }
}
