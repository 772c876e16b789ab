//! What is forgotten after its time: never a transaction, nor an event of one.

use super::idempotency::RETENTION;
use jiff::{SignedDuration, Timestamp};

/// An hour longer than an attempt is remembered: another node's clock may be behind.
const ATTEMPTS: SignedDuration = SignedDuration::from_secs(RETENTION.as_secs() + 3600);

/// How long a delivery that was taken or given up can be listed and replayed.
const DELIVERIES: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How long a session that nobody tried to pay is known by its token, which is `expired` until then and unknown
/// from then on. Longer than any delivery that tells of it, since its body is read from the session.
const CHECKOUTS: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How long a bucket is kept that is full again, as one without a row is: another node's clock may be behind.
const BUCKETS: SignedDuration = SignedDuration::from_hours(1);

/// What happened before these moments is forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// An attempt was begun.
    pub attempts: Timestamp,
    /// A delivery was attempted for the last time.
    pub deliveries: Timestamp,
    /// A session expired without any charge.
    pub checkouts: Timestamp,
    /// A bucket was full again.
    pub buckets: Timestamp,
}

impl Horizon {
    /// As seen from this moment.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            attempts: now - ATTEMPTS,
            deliveries: now - DELIVERIES,
            checkouts: now - CHECKOUTS,
            buckets: now - BUCKETS,
        }
    }
}

/// How many rows were forgotten in one step.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pruned {
    /// Attempts with an idempotency key.
    pub attempts: u64,
    /// Deliveries of webhooks.
    pub deliveries: u64,
    /// Sessions.
    pub checkouts: u64,
    /// Token buckets of phones and guessers.
    pub buckets: u64,
}

impl Pruned {
    /// How many of each kind.
    #[must_use]
    pub const fn by_kind(self) -> [(&'static str, u64); 4] {
        [
            ("attempts", self.attempts),
            ("deliveries", self.deliveries),
            ("checkouts", self.checkouts),
            ("buckets", self.buckets),
        ]
    }
}
