//! Circuit breakers: an operator whose sends fail gets no new payments for a while.

use jiff::{SignedDuration, Timestamp};
use std::sync::{Mutex, PoisonError};

/// After so many sends in a row without a response, the breaker opens.
pub const FAILURES_TO_OPEN: u32 = 5;

/// How long it stays open until the operator is probed.
pub const OPEN_FOR: SignedDuration = SignedDuration::from_secs(30);

/// A circuit breaker for the sends of one operator in one direction. It withholds sends only, never status queries, codes
/// or cancellations. Only transport faults and 5xx count, never a payer's refusal.
#[derive(Debug, Default)]
pub struct Breaker(Mutex<Inner>);

#[derive(Clone, Copy, Debug, Default)]
struct Inner {
    failures: u32,
    probe_at: Option<Timestamp>,
}

/// Whether sends are withheld.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BreakerState {
    /// Sends pass.
    Closed,
    /// Sends are withheld until a probe succeeds.
    Open {
        /// Whether it is time to probe the operator, by reading a balance or a status.
        is_probe_due: bool,
    },
}

impl Breaker {
    /// Whether sends are withheld.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> BreakerState {
        match self.lock().probe_at {
            None => BreakerState::Closed,
            Some(probe_at) => BreakerState::Open { is_probe_due: now >= probe_at },
        }
    }

    /// A send, or a probe, got a response. Returns whether the breaker was open.
    pub fn succeeded(&self) -> bool {
        std::mem::take(&mut *self.lock()).probe_at.is_some()
    }

    /// A send, or a probe, got none. Returns whether the breaker has opened by that.
    pub fn failed(&self, now: Timestamp) -> bool {
        let mut inner = self.lock();
        inner.failures += 1;
        let was_open = inner.probe_at.is_some();
        if was_open || inner.failures >= FAILURES_TO_OPEN {
            inner.probe_at = Some(now + OPEN_FOR);
        }
        !was_open && inner.probe_at.is_some()
    }

    /// Another node has opened its breaker for this operator: this one opens too, and probes for itself.
    pub fn open(&self, now: Timestamp) {
        let mut inner = self.lock();
        inner.probe_at = inner.probe_at.or(Some(now + OPEN_FOR));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(breaker.state(start), BreakerState::Closed);
        assert!(breaker.failed(start), "the last one opens it");
        assert_eq!(breaker.state(start), BreakerState::Open { is_probe_due: false });
        let later = start + OPEN_FOR;
        assert_eq!(breaker.state(later), BreakerState::Open { is_probe_due: true });
        assert!(!breaker.failed(later), "a failed probe keeps it open");
        assert_eq!(breaker.state(later), BreakerState::Open { is_probe_due: false });
        assert!(breaker.succeeded());
        assert_eq!(breaker.state(later), BreakerState::Closed);
    }
}
