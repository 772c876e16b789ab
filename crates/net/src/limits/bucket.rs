//! In-memory token buckets by key, with the values of the `RateLimit` headers.

use super::monotonic_clock::MonotonicClock;
use governor::{
    Quota, RateLimiter, clock::Clock as _, middleware::StateInformationMiddleware,
    state::keyed::DashMapStateStore,
};
use std::{
    fmt,
    hash::Hash,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tua_domain::{
    ports::Clock,
    rate_limit::{Exceeded, Policy, Rate, RateLimitStatus},
};

/// After this many requests full buckets are dropped.
const SWEEP_INTERVAL: usize = 4096;

/// The buckets of one policy. A key without a bucket has a full bucket.
pub(super) struct Buckets<K: Hash + Eq + Clone> {
    policy: Policy,
    rate: Rate,
    limiter: RateLimiter<K, DashMapStateStore<K>, MonotonicClock, StateInformationMiddleware>,
    taken: AtomicUsize,
}

impl<K: Hash + Eq + Clone> Buckets<K> {
    pub(super) fn new(policy: Policy, rate: Rate, clock: &Arc<dyn Clock>) -> Self {
        // Above zero: a rate's window is at least one second and its quota at most a million.
        let refill = Duration::from_secs(rate.window().into()) / rate.quota().get();
        let quota = Quota::with_period(refill.max(Duration::from_nanos(1)));
        #[expect(clippy::expect_used, reason = "a period above zero is a quota")]
        let quota = quota.expect("a period above zero").allow_burst(rate.quota());
        let limiter = RateLimiter::new(
            quota,
            DashMapStateStore::default(),
            MonotonicClock::new(clock.clone()),
        );
        Self { policy, rate, limiter, taken: AtomicUsize::new(0) }
    }

    /// Takes one token.
    ///
    /// # Errors
    /// [`Exceeded`] if the bucket is empty.
    pub(super) fn take(&self, key: &K) -> Result<RateLimitStatus, Exceeded> {
        if self.taken.fetch_add(1, Ordering::Relaxed) % SWEEP_INTERVAL == SWEEP_INTERVAL - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        let status = |remaining, reset| RateLimitStatus {
            policy: self.policy,
            rate: self.rate,
            remaining,
            reset,
        };
        match self.limiter.check_key(key) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                let missing = self.rate.quota().get().saturating_sub(remaining);
                Ok(status(remaining, whole_seconds(state.quota().replenish_interval() * missing)))
            }
            Err(until) => {
                let wait = until.wait_time_from(self.limiter.clock().now());
                Err(Exceeded(status(0, whole_seconds(wait).max(1))))
            }
        }
    }
}

impl<K: Hash + Eq + Clone> fmt::Debug for Buckets<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = &self.policy;
        let rate = &self.rate;
        f.debug_struct("Buckets")
            .field("policy", policy)
            .field("rate", rate)
            .finish_non_exhaustive()
    }
}

/// Rounded up, so that a client that waits this long does not retry too early.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_system::clock::OffsetClock;

    fn buckets(quota: u32, window: u32) -> (Buckets<usize>, OffsetClock) {
        let clock = OffsetClock::stopped();
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        (Buckets::new(Policy::Credential, Rate::new(quota, window).unwrap(), &shared), clock)
    }

    #[test]
    fn a_bucket_can_be_emptied_at_once_and_refills_over_its_window() {
        let (buckets, clock) = buckets(3, 600);
        let taken: Vec<_> = (0..3)
            .map(|_| buckets.take(&1).unwrap())
            .map(|one| (one.remaining, one.reset))
            .collect();
        assert_eq!(taken, [(2, 200), (1, 400), (0, 600)]);
        let refused = buckets.take(&1).unwrap_err().0;
        assert_eq!((refused.remaining, refused.reset), (0, 200));
        clock.advance(Duration::from_millis(199_999));
        assert_eq!(buckets.take(&1).unwrap_err().0.reset, 1);
        clock.advance(Duration::from_millis(1));
        assert_eq!(buckets.take(&1).unwrap().remaining, 0);
        assert!(buckets.take(&1).is_err());
    }

    #[test]
    fn keys_have_separate_buckets() {
        let (buckets, _) = buckets(1, 60);
        assert!(buckets.take(&1).is_ok() && buckets.take(&2).is_ok());
        assert!(buckets.take(&1).is_err() && buckets.take(&2).is_err());
    }

    #[test]
    fn a_token_is_available_after_the_reported_wait() {
        for (quota, window) in
            [(1, 1), (3, 10), (7, 1), (500, 5), (120, 24), (1_000_000, 1), (1, 86_400)]
        {
            let (buckets, clock) = buckets(quota, window);
            while buckets.take(&1).is_ok() {}
            clock.advance(Duration::from_secs(buckets.take(&1).unwrap_err().0.reset));
            assert!(buckets.take(&1).is_ok(), "{quota} in {window} s");
        }
    }

    #[test]
    fn full_buckets_are_dropped() {
        let (buckets, clock) = buckets(2, 2);
        for key in 0..SWEEP_INTERVAL - 1 {
            buckets.take(&key).unwrap();
        }
        assert_eq!(buckets.limiter.len(), SWEEP_INTERVAL - 1);
        clock.advance(Duration::from_secs(3));
        buckets.take(&0).unwrap();
        assert_eq!(buckets.limiter.len(), 1);
    }
}
