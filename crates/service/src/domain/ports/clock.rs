//! Time is a parameter: whatever reads a clock or waits is given one.

use async_trait::async_trait;
use jiff::Timestamp;
use std::{fmt::Debug, time::Duration};

/// A clock, in whole milliseconds.
#[async_trait]
pub trait Clock: Debug + Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Time since an arbitrary start. It never runs backwards, and it counts the time while the machine is suspended.
    fn uptime(&self) -> Duration;

    /// Returns once [`Clock::now`] has reached `at`.
    async fn sleep_until(&self, at: Timestamp);
}
