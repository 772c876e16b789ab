//! The machine's clock, and one that tests move.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use tokio::sync::Notify;
use tua_domain::ports::Clock;

/// The machine's clock: its wall-clock time in whole milliseconds, and its uptime.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Timestamp {
        let now = Timestamp::now().as_millisecond();
        Timestamp::from_millisecond(now).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    fn uptime(&self) -> Duration {
        // On Linux, CLOCK_MONOTONIC stops while the machine is suspended.
        #[cfg(target_os = "linux")]
        let clock = rustix::time::ClockId::Boottime;
        #[cfg(not(target_os = "linux"))]
        let clock = rustix::time::ClockId::Monotonic;
        Duration::try_from(rustix::time::clock_gettime(clock)).unwrap_or_default()
    }

    async fn sleep_until_uptime(&self, at: Duration) {
        while let Some(left) = at.checked_sub(self.uptime()).filter(|left| !left.is_zero()) {
            tokio::time::sleep(left).await;
        }
    }
}

/// The machine's clock, moved forward at will: half an hour passes in a test at once. Its wall
/// clock also steps in either direction, as a machine's does when its time is set.
#[derive(Clone, Debug, Default)]
pub struct OffsetClock(Arc<Offset>);

#[derive(Debug, Default)]
struct Offset {
    /// Where it stands still, if it does not run on.
    stopped_at: Option<Timestamp>,
    milliseconds: AtomicI64,
    /// By how much the wall clock was set forward, and back where it is negative.
    stepped_milliseconds: AtomicI64,
    moved: Notify,
}

impl OffsetClock {
    /// A clock that stands still, at the present moment, until it is moved.
    #[must_use]
    pub fn stopped() -> Self {
        Self(Arc::new(Offset { stopped_at: Some(SystemClock.now()), ..Offset::default() }))
    }

    /// Moves the clock forward. Sleeps that are now over return.
    pub fn advance(&self, by: Duration) {
        let milliseconds = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.0.milliseconds.fetch_add(milliseconds, Ordering::SeqCst);
        self.0.moved.notify_waiters();
    }

    /// Sets the wall clock forward, or back. No time passes by the uptime.
    pub fn step(&self, by: SignedDuration) {
        let milliseconds = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.0.stepped_milliseconds.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

#[async_trait]
impl Clock for OffsetClock {
    fn now(&self) -> Timestamp {
        let start = self.0.stopped_at.unwrap_or_else(|| SystemClock.now());
        let passed = self.0.milliseconds.load(Ordering::SeqCst);
        start
            + SignedDuration::from_millis(
                passed + self.0.stepped_milliseconds.load(Ordering::SeqCst),
            )
    }

    fn uptime(&self) -> Duration {
        let start = if self.0.stopped_at.is_some() { Duration::ZERO } else { SystemClock.uptime() };
        start + Duration::from_millis(self.0.milliseconds.load(Ordering::SeqCst).unsigned_abs())
    }

    async fn sleep_until_uptime(&self, at: Duration) {
        loop {
            // Registered before the clock is read, so that no move falls between the two.
            let mut moved = std::pin::pin!(self.0.moved.notified());
            moved.as_mut().enable();
            let left = at.saturating_sub(self.uptime());
            if left.is_zero() {
                return;
            }
            let _ = tokio::time::timeout(left, moved).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn a_sleep_returns_when_the_clock_moves_past_its_end() {
        let clock = OffsetClock::default();
        let start = clock.now();
        let until = start + SignedDuration::from_hours(1);
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move { clock.sleep_until(until).await }
        });
        clock.advance(Duration::from_secs(3601));
        sleeper.await.unwrap();
        assert!(clock.now() >= until);
    }

    #[tokio::test]
    async fn a_step_of_the_wall_clock_neither_ends_nor_prolongs_a_sleep() {
        for step in [SignedDuration::from_hours(1), SignedDuration::from_hours(-1)] {
            let clock = OffsetClock::stopped();
            let mut sleep =
                std::pin::pin!(clock.sleep_until(clock.now() + SignedDuration::from_secs(2)));
            assert!(sleep.as_mut().now_or_never().is_none());
            clock.step(step);
            assert!(sleep.as_mut().now_or_never().is_none(), "{step}");
            clock.advance(Duration::from_secs(2));
            sleep.await;
        }
    }
}
