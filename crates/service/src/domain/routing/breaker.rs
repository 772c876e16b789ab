//! Circuit breakers: an operator whose sends fail gets no new payments for a while.

use super::OperatorFingerprint;
use crate::domain::Kind;
use jiff::{SignedDuration, Timestamp};
use std::sync::{Mutex, PoisonError};

/// After so many sends in a row without a response, the breaker opens.
pub const FAILURES_TO_OPEN: u32 = 5;

/// How long it stays open until the operator is probed.
pub const OPEN_FOR: SignedDuration = SignedDuration::from_secs(30);

/// A circuit breaker has opened or closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BreakerChange {
    /// The operator.
    pub operator: OperatorFingerprint,
    /// The direction.
    pub kind: Kind,
    /// Whether sends are withheld now.
    pub is_open: bool,
}

/// A circuit breaker for the sends of one operator in one direction. It withholds sends only, never status queries, codes
/// or cancellations. Only transport faults and 5xx count, never a payer's refusal.
#[derive(Debug, Default)]
pub struct Breaker(Mutex<Inner>);

#[derive(Clone, Copy, Debug, Default)]
struct Inner {
    failures: u32,
    probe_at: Option<Timestamp>,
}

impl Breaker {
    /// Whether sends are withheld.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.lock().probe_at.is_some()
    }

    /// Whether it is time to probe the operator, by reading a balance or a status. If so, the next probe is due later.
    #[must_use]
    pub fn take_probe(&self, now: Timestamp) -> bool {
        let mut inner = self.lock();
        // A wait longer than the usual one means that the clock was set back.
        let is_due = inner.probe_at.is_some_and(|probe_at| now >= probe_at || probe_at > now + OPEN_FOR);
        if is_due {
            inner.probe_at = Some(now + OPEN_FOR);
        }
        is_due
    }

    /// A send, or a probe, got a response. Returns whether the breaker was open.
    pub fn succeeded(&self) -> bool {
        std::mem::take(&mut *self.lock()).probe_at.is_some()
    }

    /// A send got none. Returns whether the breaker has opened by that.
    pub fn failed(&self, now: Timestamp) -> bool {
        let mut inner = self.lock();
        inner.failures += 1;
        let opens = inner.probe_at.is_none() && inner.failures >= FAILURES_TO_OPEN;
        if opens {
            inner.probe_at = Some(now + OPEN_FOR);
        }
        opens
    }

    /// Another node's breaker of the operator has opened.
    pub fn open(&self, now: Timestamp) {
        self.lock().probe_at.get_or_insert(now + OPEN_FOR);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_does_not_keep_it_open() {
        let (breaker, start) = (Breaker::default(), Timestamp::UNIX_EPOCH);
        breaker.open(start);
        let set_back = start - SignedDuration::from_hours(1);
        assert!(breaker.take_probe(set_back) && !breaker.take_probe(set_back));
        assert!(breaker.take_probe(set_back + OPEN_FOR));
    }

    #[test]
    fn it_opens_after_failures_in_a_row_and_closes_after_a_successful_probe() {
        let (breaker, start) = (Breaker::default(), Timestamp::UNIX_EPOCH);
        for _ in 1..FAILURES_TO_OPEN {
            assert!(!breaker.failed(start));
        }
        assert!(!breaker.succeeded(), "a response in between begins the count anew");
        for _ in 1..FAILURES_TO_OPEN {
            assert!(!breaker.failed(start));
        }
        assert!(!breaker.is_open());
        assert!(breaker.failed(start), "the last one opens it");
        assert!(breaker.is_open() && !breaker.take_probe(start));
        let later = start + OPEN_FOR;
        assert!(breaker.take_probe(later) && !breaker.take_probe(later), "one probe at a time");
        assert!(breaker.is_open(), "a probe without a response leaves it open");
        assert!(breaker.take_probe(later + OPEN_FOR));
        assert!(breaker.succeeded() && !breaker.is_open());
        assert!(!breaker.succeeded() && !breaker.take_probe(later + OPEN_FOR));
    }
}
