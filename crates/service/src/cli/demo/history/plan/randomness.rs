//! Random choices that are the same at each start.

use fastrand::Rng;
use jiff::SignedDuration;

/// Changes everything that is chosen.
const SEED: u64 = 31;

/// Spreads seeds that follow each other (the odd constant of SplitMix64).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator of one topic, such as `1` for sales, and of one of its members, such as a day.
pub(super) fn generator(topic: u64, member: u64) -> Rng {
    let seed = (SEED << 32 | topic << 24) ^ member;
    Rng::with_seed(seed.wrapping_add(1).wrapping_mul(SPREAD))
}

/// Chooses an index with these weights; their sum must be above zero.
pub(super) fn weighted(rng: &mut Rng, weights: &[u32]) -> usize {
    let mut left = rng.u32(0..weights.iter().sum());
    for (index, weight) in weights.iter().enumerate() {
        if left < *weight {
            return index;
        }
        left -= weight;
    }
    0
}

/// Whether something happens that happens so many times in a hundred.
pub(super) fn happens(rng: &mut Rng, percent: u32) -> bool {
    rng.u32(0..100) < percent
}

/// A time between two numbers of seconds.
pub(super) fn seconds(rng: &mut Rng, from: i64, to: i64) -> SignedDuration {
    SignedDuration::from_secs(rng.i64(from..=to))
}
