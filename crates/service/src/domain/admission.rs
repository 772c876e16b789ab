//! Admission control: under overload, requests that begin something new are rejected at once instead of queued.
//!
//! Only new payments and new checkout sessions are rejected. Passcodes, polls and reads belong to payments that are
//! under way and are always admitted, and so is due work.

use jiff::{SignedDuration, Timestamp};
use prometheus_client::metrics::counter::Counter;
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The longest time that a request may have waited for the store, and for the runtime to poll its task again, before
/// new requests are rejected. A response takes two or three times as long: the operator's first response is stored too.
const MAX_QUEUE_WAIT: SignedDuration = SignedDuration::from_millis(250);

/// A shorter queue never rejects: one request may wait for another's row lock, or all of them for one slow disk sync.
const MIN_QUEUE_DEPTH: usize = 64;

/// The service is overloaded: the request was rejected before anything was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the service is overloaded")]
pub struct Overloaded;

/// Decides whether new payments and sessions may enter the store's queue.
#[derive(Debug)]
pub struct AdmissionControl {
    queue: Mutex<Queue>,
    requests_shed: Counter,
}

#[derive(Debug, Default)]
struct Queue {
    next_number: u64,
    entered_at: BTreeMap<u64, Timestamp>,
}

/// A place in the store's queue; dropping it frees the place.
#[derive(Debug)]
pub struct Permit<'a>(&'a AdmissionControl, u64);

impl AdmissionControl {
    /// With an empty queue. Rejected requests are counted in `requests_shed`.
    #[must_use]
    pub fn new(requests_shed: Counter) -> Self {
        Self { queue: Mutex::default(), requests_shed }
    }

    /// Checks whether a request would be admitted, before any work is done for it.
    ///
    /// # Errors
    /// [`Overloaded`] if the oldest request of a long queue has waited too long.
    pub fn check(&self, now: Timestamp) -> Result<(), Overloaded> {
        self.admit(&self.lock(), now)
    }

    /// Enters the store's queue.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn acquire(&self, now: Timestamp) -> Result<Permit<'_>, Overloaded> {
        let mut queue = self.lock();
        self.admit(&queue, now)?;
        let number = queue.next_number;
        queue.next_number += 1;
        queue.entered_at.insert(number, now);
        Ok(Permit(self, number))
    }

    fn admit(&self, queue: &Queue, now: Timestamp) -> Result<(), Overloaded> {
        let longest_wait = queue.entered_at.first_key_value().map(|(_, entered_at)| now.duration_since(*entered_at));
        if queue.entered_at.len() < MIN_QUEUE_DEPTH || longest_wait.is_none_or(|wait| wait <= MAX_QUEUE_WAIT) {
            return Ok(());
        }
        self.requests_shed.inc();
        Err(Overloaded)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().entered_at.remove(&self.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_rejected_while_the_oldest_of_a_long_queue_has_waited_too_long() {
        let admission = AdmissionControl::new(Counter::default());
        let start = Timestamp::UNIX_EPOCH;
        let late = start + MAX_QUEUE_WAIT + SignedDuration::from_millis(1);
        let mut permits: Vec<_> = (0..MIN_QUEUE_DEPTH).map(|_| admission.acquire(start).unwrap()).collect();
        assert_eq!(admission.check(start + MAX_QUEUE_WAIT), Ok(()));
        assert_eq!((admission.check(late), admission.acquire(late).err()), (Err(Overloaded), Some(Overloaded)));
        assert_eq!(admission.requests_shed.get(), 2);
        permits.remove(0);
        assert_eq!(admission.check(late), Ok(()), "a short queue never rejects");
        permits.clear();
        let _fresh: Vec<_> = (0..2 * MIN_QUEUE_DEPTH).map(|_| admission.acquire(late).unwrap()).collect();
        assert_eq!(admission.check(late + MAX_QUEUE_WAIT), Ok(()), "a long queue that moves never rejects");
    }
}
