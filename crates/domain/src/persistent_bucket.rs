//! Token buckets that the store keeps: they count across nodes, and a restart fills none.

use super::rate_limit::{Exceeded, Policy, Rate, RateLimitStatus};
use jiff::Timestamp;

/// The microseconds of one second, the unit of [`TokenCost`].
const MICROSECONDS: u64 = 1_000_000;

/// A bucket by its name. The store takes from it in the transaction that uses up what is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersistentBucket {
    name: String,
    policy: Policy,
    rate: Rate,
}

/// What is taken from a bucket, in microseconds: all that is kept of it is when it is full again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenCost {
    /// This moment, since 1970.
    pub now: i64,
    /// By how much later the bucket is full again for one that is taken.
    pub cost: i64,
    /// When an empty bucket would be full again, since 1970.
    pub latest: i64,
}

impl PersistentBucket {
    /// The bucket of this name.
    #[must_use]
    pub const fn new(name: String, policy: Policy, rate: Rate) -> Self {
        Self { name, policy, rate }
    }

    /// Its name in the store.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes one at this moment.
    #[must_use]
    pub fn taking(&self, now: Timestamp) -> TokenCost {
        let now = now.as_microsecond();
        TokenCost { now, cost: self.cost(), latest: now + self.window().cast_signed() }
    }

    /// By how much later the bucket is full again for one that is taken, in microseconds.
    #[must_use]
    pub fn cost(&self) -> i64 {
        // Rounded up, so that there are never more than the quota.
        self.window().div_ceil(self.rate.quota().get().into()).cast_signed()
    }

    fn window(&self) -> u64 {
        u64::from(self.rate.window()) * MICROSECONDS
    }

    /// There was none left: the bucket is full again at this moment.
    #[must_use]
    pub fn exceeded(&self, taking: TokenCost, full_at: i64) -> Exceeded {
        // Not later than if it were empty, whatever a clock was set back by.
        let wait = full_at.min(taking.latest) + taking.cost - taking.latest;
        let reset = wait.max(1).cast_unsigned().div_ceil(MICROSECONDS);
        Exceeded(RateLimitStatus { policy: self.policy, rate: self.rate, remaining: 0, reset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bucket(quota: u32, window: u32) -> PersistentBucket {
        PersistentBucket::new(
            "prompt".to_owned(),
            Policy::Prompt,
            Rate::new(quota, window).unwrap(),
        )
    }

    proptest! {
        #[test]
        fn the_wait_is_at_most_one_token_even_after_the_clock_was_set_back(
            quota in 1..1_000_000u32, window in 1..86_400u32, full_at in any::<i32>(),
        ) {
            let bucket = bucket(quota, window);
            let taking = bucket.taking(Timestamp::UNIX_EPOCH);
            let reset = bucket.exceeded(taking, i64::from(full_at) * 1_000_000).0.reset;
            prop_assert!(
                (1..=u64::from(window).div_ceil(quota.into()) + 1).contains(&reset),
                "{reset}"
            );
        }

        #[test]
        fn an_empty_bucket_has_given_no_more_than_its_quota(
            quota in 1..1_000_000u32, window in 1..86_400u32,
        ) {
            let TokenCost { now, cost, latest } =
                bucket(quota, window).taking(Timestamp::UNIX_EPOCH);
            prop_assert!((latest - now) / cost <= i64::from(quota));
        }
    }
}
