//! Load shedding: under overload, new payments and sessions are refused at once instead of being
//! queued.
//!
//! Codes, polls and reads of payers in the middle of a payment are let through, and so is all due
//! work: accepted work is finished first.

use super::ports::PaymentMetrics;
use jiff::{SignedDuration, Timestamp};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

pub use super::overloaded::Overloaded;

/// How long a new payment or session may wait for the store and for its task to be scheduled. When
/// the oldest has waited
/// longer, more arrives than can be done, since requests are served in order. A response takes two
/// or three times as long, because the operator's first response is written too.
const MAX_QUEUE_DELAY: SignedDuration = SignedDuration::from_millis(250);

/// Below this depth nothing is refused: one request may wait for another's lock, or all for one
/// slow disk write.
const MIN_QUEUE_DEPTH: usize = 64;

/// Admits new payments and sessions to the store's queue.
#[derive(Debug)]
pub struct AdmissionControl {
    queue: Mutex<Queue>,
    metrics: Arc<dyn PaymentMetrics>,
}

#[derive(Debug, Default)]
struct Queue {
    next: u64,
    since: BTreeMap<u64, Timestamp>,
}

/// A place in the store's queue, until it is dropped.
#[derive(Debug)]
pub struct Permit<'a>(&'a AdmissionControl, u64);

impl AdmissionControl {
    /// An empty queue. Refusals are counted in `metrics`.
    #[must_use]
    pub fn new(metrics: Arc<dyn PaymentMetrics>) -> Self {
        Self { queue: Mutex::default(), metrics }
    }

    /// Whether a request would be admitted, for one that has not done any work yet.
    ///
    /// # Errors
    /// [`Overloaded`].
    pub fn check(&self, now: Timestamp) -> Result<(), Overloaded> {
        self.admit(&self.lock(), now)
    }

    /// Takes a place in the queue.
    ///
    /// # Errors
    /// [`Overloaded`].
    pub fn acquire(&self, now: Timestamp) -> Result<Permit<'_>, Overloaded> {
        let mut queue = self.lock();
        self.admit(&queue, now)?;
        let number = queue.next;
        queue.next += 1;
        queue.since.insert(number, now);
        Ok(Permit(self, number))
    }

    fn admit(&self, queue: &Queue, now: Timestamp) -> Result<(), Overloaded> {
        let oldest = queue.since.first_key_value().map(|(_, since)| now.duration_since(*since));
        if queue.since.len() < MIN_QUEUE_DEPTH
            || oldest.is_none_or(|oldest| oldest <= MAX_QUEUE_DELAY)
        {
            return Ok(());
        }
        self.metrics.request_shed();
        Err(Overloaded)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().since.remove(&self.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Transaction;
    use std::{
        sync::atomic::{AtomicU64, Ordering},
        time::Duration,
    };
    use tua_contract::State;

    #[derive(Debug, Default)]
    struct Shed(AtomicU64);

    impl PaymentMetrics for Shed {
        fn transaction_begun(&self, _: &Transaction) {}

        fn transaction_changed(&self, _: &Transaction, _: State) {}

        fn operator_called(
            &self,
            _: &str,
            _: &Transaction,
            _: &'static str,
            _: &'static str,
            _: Duration,
        ) {
        }

        fn request_shed(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_deep_queue_whose_oldest_request_waits_too_long_refuses_more() {
        let shed = Arc::new(Shed::default());
        let admission = AdmissionControl::new(shed.clone());
        let begin = Timestamp::UNIX_EPOCH;
        let late = begin + MAX_QUEUE_DELAY + SignedDuration::from_millis(1);
        let mut permits: Vec<_> =
            (0..MIN_QUEUE_DEPTH).map(|_| admission.acquire(begin).unwrap()).collect();
        assert_eq!(admission.check(begin + MAX_QUEUE_DELAY), Ok(()));
        assert_eq!(
            (admission.check(late), admission.acquire(late).err()),
            (Err(Overloaded), Some(Overloaded))
        );
        assert_eq!(shed.0.load(Ordering::Relaxed), 2);
        permits.remove(0);
        assert_eq!(
            admission.check(late),
            Ok(()),
            "a shallow queue refuses nothing, however long it waits"
        );
        permits.clear();
        let _fresh: Vec<_> =
            (0..2 * MIN_QUEUE_DEPTH).map(|_| admission.acquire(late).unwrap()).collect();
        assert_eq!(
            admission.check(late + MAX_QUEUE_DELAY),
            Ok(()),
            "a deep queue that moves refuses nothing"
        );
    }
}
