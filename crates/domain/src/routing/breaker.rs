//! Circuit breakers: an operator whose sends fail gets no new payments for a while.

use jiff::{SignedDuration, Timestamp};
use std::sync::{Mutex, PoisonError};

/// After so many failures in a row, the breaker opens.
pub const FAILURES_TO_OPEN: u32 = 5;

/// How long it stays open until the operator is probed.
pub const OPEN_FOR: SignedDuration = SignedDuration::from_secs(30);

/// How often the time doubles for which it stays open, if trials go on failing: at most 8 minutes.
const MAX_DOUBLINGS: u32 = 4;

/// A circuit breaker. It withholds sends only, never status queries, codes or cancellations.
///
/// An operator has one for each direction, which counts sends without a response (transport faults
/// and 5xx), and one for each direction and network, which counts orders that were refused for a
/// reason that concerns every order ([`crate::ports::FailureScope::Network`]). A payer's
/// refusal never counts.
#[derive(Debug, Default)]
pub struct Breaker(Mutex<Inner>);

#[derive(Clone, Copy, Debug, Default)]
struct Inner {
    failures: u32,
    probe_at: Option<Timestamp>,
    /// How often it has opened since the last success.
    openings: u32,
}

impl Inner {
    fn open(&mut self, now: Timestamp) {
        self.openings += 1;
        self.probe_at = Some(now + self.longest_wait());
    }

    /// The wait after the last opening. The probes after the first one come sooner.
    fn longest_wait(&self) -> SignedDuration {
        OPEN_FOR * (1 << self.openings.saturating_sub(1).min(MAX_DOUBLINGS))
    }
}

impl Breaker {
    /// Whether sends are withheld.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.lock().probe_at.is_some()
    }

    /// Whether it is time to probe the operator, by reading a balance or a status. If so, the next
    /// probe is due later.
    #[must_use]
    pub fn take_probe(&self, now: Timestamp) -> bool {
        let mut inner = self.lock();
        // A longer wait than any means that the clock was set back.
        let latest = now + inner.longest_wait();
        let is_due = inner.probe_at.is_some_and(|probe_at| now >= probe_at || probe_at > latest);
        if is_due {
            inner.probe_at = Some(now + OPEN_FOR);
        }
        is_due
    }

    /// Whether it has opened, and nothing has shown since then that the operator takes orders.
    #[must_use]
    pub fn is_suspect(&self) -> bool {
        self.lock().openings > 0
    }

    /// Whether the last order failed for a reason that counts.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.lock().failures > 0
    }

    /// The operator takes orders. Returns whether the breaker was suspect.
    pub fn succeeded(&self) -> bool {
        std::mem::take(&mut *self.lock()).openings > 0
    }

    /// A read got a response, which does not show that orders are taken. The next failure opens the
    /// breaker again, for twice as long. Returns whether it was open.
    pub fn half_open(&self) -> bool {
        let mut inner = self.lock();
        inner.failures = FAILURES_TO_OPEN - 1;
        inner.probe_at.take().is_some()
    }

    /// A send failed. Returns whether the breaker has opened by that.
    pub fn failed(&self, now: Timestamp) -> bool {
        let mut inner = self.lock();
        inner.failures += 1;
        let opens = inner.probe_at.is_none() && inner.failures >= FAILURES_TO_OPEN;
        if opens {
            inner.open(now);
        }
        opens
    }

    /// Another node's breaker of the operator has opened.
    pub fn open(&self, now: Timestamp) {
        let mut inner = self.lock();
        if inner.probe_at.is_none() {
            inner.open(now);
        }
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
        let breaker = Breaker::default();
        let start = Timestamp::UNIX_EPOCH;
        breaker.open(start);
        let set_back = start - SignedDuration::from_hours(1);
        assert!(breaker.take_probe(set_back) && !breaker.take_probe(set_back));
        assert!(breaker.take_probe(set_back + OPEN_FOR));
        breaker.half_open();
        assert!(breaker.failed(start) && !breaker.take_probe(start), "open for twice as long");
        assert!(breaker.take_probe(set_back) && !breaker.take_probe(set_back));
    }

    #[test]
    fn it_opens_after_failures_in_a_row_and_closes_after_a_successful_probe() {
        let breaker = Breaker::default();
        let start = Timestamp::UNIX_EPOCH;
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

    #[test]
    fn a_failure_after_a_probe_opens_it_again_for_twice_as_long_until_an_order_succeeds() {
        let breaker = Breaker::default();
        let mut now = Timestamp::UNIX_EPOCH;
        for _ in 1..FAILURES_TO_OPEN {
            breaker.failed(now);
        }
        for seconds in [30, 60, 120, 240, 480, 480] {
            assert!(breaker.failed(now) && breaker.is_open() && breaker.is_suspect());
            let pause = SignedDuration::from_secs(seconds);
            assert!(!breaker.take_probe(now + pause - SignedDuration::from_secs(1)), "{seconds}");
            now += pause;
            assert!(breaker.take_probe(now) && breaker.half_open(), "{seconds}");
            assert!(
                !breaker.is_open() && breaker.is_suspect(),
                "a read proves nothing about orders"
            );
        }
        assert!(breaker.succeeded() && !breaker.is_suspect());
        assert!(!breaker.failed(now), "the count begins anew");
    }
}
