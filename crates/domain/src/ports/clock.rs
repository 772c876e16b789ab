//! Time is a parameter: whatever reads a clock or waits is given one.

use async_trait::async_trait;
use jiff::Timestamp;
use std::{fmt::Debug, time::Duration};

/// A clock, in whole milliseconds.
#[async_trait]
pub trait Clock: Debug + Send + Sync + 'static {
    /// The time of day, by the wall clock. It may be wrong, and it steps when the machine's time is
    /// set: what repeats an order or ends a payment is measured by [`Clock::uptime`].
    fn now(&self) -> Timestamp;

    /// Time since an arbitrary start. It never runs backwards, and it counts the time while the
    /// machine is suspended.
    fn uptime(&self) -> Duration;

    /// Returns after the time that is left until `at` when this is called. A later step of the wall
    /// clock, forward or back, neither ends nor prolongs the sleep.
    async fn sleep_until(&self, at: Timestamp) {
        let left = Duration::try_from(at.duration_since(self.now())).unwrap_or_default();
        self.sleep_until_uptime(self.uptime().saturating_add(left)).await;
    }

    /// Returns once [`Clock::uptime`] has reached `at`.
    async fn sleep_until_uptime(&self, at: Duration);
}
