//! Time is a parameter: whatever reads a clock or waits is given one.

use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// A clock, in whole milliseconds.
#[async_trait]
pub trait Clock: Debug + Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Returns once [`Clock::now`] has reached `at`.
    async fn sleep_until(&self, at: Timestamp);
}
