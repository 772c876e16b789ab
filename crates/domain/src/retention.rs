//! What is deleted, and when. Transactions and their events are never deleted.

use super::{exchange, idempotency::RETENTION};
use jiff::{SignedDuration, Timestamp};

/// One hour longer than idempotency records are kept, since another node's clock may be behind.
const ATTEMPTS: SignedDuration = SignedDuration::from_secs(RETENTION.as_secs() + 3600);

/// An old idempotency record whose payment is still pending is looked at again after this time.
const ATTEMPTS_AGAIN: SignedDuration = SignedDuration::from_hours(24);

/// How long a delivery that succeeded or failed can be listed and replayed.
const DELIVERIES: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How long a session without charges is kept. Its token is reported as expired until then, and as
/// unknown afterwards. Longer than any delivery about it, since the body of a delivery is read from
/// the session.
const CHECKOUTS: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How long the sandbox keeps the order of a final payment: it has a phone number.
const SANDBOX_ORDERS: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How long a full bucket is kept, since another node's clock may be behind. A bucket without a row
/// is full.
const BUCKETS: SignedDuration = SignedDuration::from_hours(1);

/// How long an e-mail that was sent or given up can be listed. Longer than any is tried.
const MAIL: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Rows older than these times are deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// Idempotency records, by their request and by the end of what it began.
    pub attempts: Timestamp,
    /// The age that an idempotency record gets while what it began is pending.
    pub attempts_again: Timestamp,
    /// Deliveries, by last attempt.
    pub deliveries: Timestamp,
    /// Sessions without charges, by expiry.
    pub checkouts: Timestamp,
    /// Buckets, by the time when they were full again.
    pub buckets: Timestamp,
    /// Orders of the sandbox whose payment is final, by the time when they were received.
    pub sandbox_orders: Timestamp,
    /// Exchanges with operators, by their time.
    pub exchanges: Timestamp,
    /// E-mails and alerts, by the time of what they report.
    pub mail: Timestamp,
}

impl Horizon {
    /// The horizon at this time.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            attempts: now - ATTEMPTS,
            attempts_again: now - ATTEMPTS + ATTEMPTS_AGAIN,
            deliveries: now - DELIVERIES,
            checkouts: now - CHECKOUTS,
            buckets: now - BUCKETS,
            sandbox_orders: now - SANDBOX_ORDERS,
            exchanges: now - exchange::RETENTION,
            mail: now - MAIL,
        }
    }
}

/// How many rows one step deleted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pruned {
    /// Idempotency records that were deleted, because their keys are free again.
    pub attempts: u64,
    /// Idempotency records that were examined and kept, because what they began is pending or ended
    /// too recently.
    pub attempts_kept: u64,
    /// Webhook deliveries that succeeded or failed long enough ago.
    pub deliveries: u64,
    /// Checkout sessions without charges that expired long enough ago.
    pub checkouts: u64,
    /// Token buckets of prompts and codes.
    pub buckets: u64,
    /// Orders of the sandbox.
    pub sandbox_orders: u64,
    /// Exchanges with operators, which are kept for 90 days.
    pub exchanges: u64,
    /// E-mails of the outbox about changes that are more than 30 days old.
    pub mail: u64,
    /// Alerts about what happened more than 30 days ago.
    pub alerts: u64,
}

impl Pruned {
    /// The number of rows by kind.
    #[must_use]
    pub const fn by_kind(self) -> [(&'static str, u64); 8] {
        [
            ("attempts", self.attempts),
            ("deliveries", self.deliveries),
            ("checkouts", self.checkouts),
            ("buckets", self.buckets),
            ("sandbox_orders", self.sandbox_orders),
            ("exchanges", self.exchanges),
            ("mail", self.mail),
            ("alerts", self.alerts),
        ]
    }

    /// Whether there may be more to delete after a step of at most this many rows of each kind.
    #[must_use]
    pub fn has_more(self, step_rows: u32) -> bool {
        let examined = self.attempts + self.attempts_kept;
        [
            examined,
            self.deliveries,
            self.checkouts,
            self.buckets,
            self.sandbox_orders,
            self.exchanges,
            self.mail,
            self.alerts,
        ]
        .iter()
        .any(|rows| *rows >= u64::from(step_rows))
    }
}
