//! Keeps reads within the rate that an operator allows.

use jiff::SignedDuration;
use std::{num::NonZeroU32, sync::Arc, time::Duration};
use tokio::sync::Mutex;
use tua_domain::ports::Clock;

/// Spaces reads evenly, so that no second has more of them than the operator allows, also after a
/// pause. A read ahead of schedule waits for one scheduled read at most, however many of
/// those wait.
#[derive(Debug)]
pub(super) struct ReadLimit {
    gap: Duration,
    clock: Arc<dyn Clock>,
    /// Held by the one scheduled read that may compete for the next turn.
    scheduled: Mutex<()>,
    /// When the next read may be sent, by the clock's uptime. Locks are granted in the order of
    /// their requests.
    next_at: Mutex<Duration>,
}

impl ReadLimit {
    pub(super) fn new(per_second: NonZeroU32, clock: Arc<dyn Clock>) -> Self {
        // Whole milliseconds, rounded up: timers are no more exact, and the rest is a margin for a
        // network that delays one request more than the next.
        let gap = Duration::from_millis(u64::from(1000_u32.div_ceil(per_second.get())));
        Self { gap, clock, scheduled: Mutex::default(), next_at: Mutex::default() }
    }

    /// Waits until a read may be sent.
    pub(super) async fn wait(&self, is_ahead_of_schedule: bool) {
        let _scheduled =
            if is_ahead_of_schedule { None } else { Some(self.scheduled.lock().await) };
        let mut next_at = self.next_at.lock().await;
        loop {
            let left = next_at.saturating_sub(self.clock.uptime());
            if left.is_zero() {
                break;
            }
            let left = SignedDuration::try_from(left).unwrap_or(SignedDuration::MAX);
            self.clock.sleep_until(self.clock.now() + left).await;
        }
        *next_at = self.clock.uptime().max(*next_at) + self.gap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex as Shared;
    use tua_system::clock::OffsetClock;

    const TEN: NonZeroU32 = NonZeroU32::new(10).unwrap();

    /// Lets every task that can run do so.
    async fn settle() {
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn no_second_has_more_reads_than_allowed_also_after_a_pause() {
        let clock = OffsetClock::stopped();
        let limit = Arc::new(ReadLimit::new(TEN, Arc::new(clock.clone())));
        clock.advance(Duration::from_secs(60));
        let sent = Arc::new(Shared::new(Vec::new()));
        for _ in 0..25 {
            let limit = limit.clone();
            let sent = sent.clone();
            let clock = clock.clone();
            tokio::spawn(async move {
                limit.wait(false).await;
                sent.lock().unwrap().push(clock.uptime());
            });
        }
        for _ in 0..30 {
            settle().await;
            clock.advance(Duration::from_millis(100));
        }
        let sent = sent.lock().unwrap().clone();
        assert_eq!(sent.len(), 25);
        let most = sent.iter().map(|at| {
            sent.iter()
                .filter(|other| **other >= *at && **other < *at + Duration::from_secs(1))
                .count()
        });
        assert_eq!(most.max(), Some(10), "{sent:?}");
    }

    #[tokio::test]
    async fn a_read_ahead_of_schedule_is_next_although_many_wait() {
        let clock = OffsetClock::stopped();
        let limit = Arc::new(ReadLimit::new(TEN, Arc::new(clock.clone())));
        let order = Arc::new(Shared::new(Vec::new()));
        let read = |name: &'static str, is_ahead_of_schedule| {
            let limit = limit.clone();
            let order = order.clone();
            tokio::spawn(async move {
                limit.wait(is_ahead_of_schedule).await;
                order.lock().unwrap().push(name);
            });
        };
        (0..50).for_each(|_| read("scheduled", false));
        settle().await;
        read("ahead of schedule", true);
        read("ahead of schedule", true);
        for _ in 0..6 {
            settle().await;
            clock.advance(Duration::from_millis(100));
        }
        settle().await;
        let order = order.lock().unwrap().clone();
        let expected = [
            "scheduled",
            "scheduled",
            "ahead of schedule",
            "ahead of schedule",
            "scheduled",
            "scheduled",
        ];
        assert_eq!(order[..6], expected);
    }

    #[tokio::test]
    async fn a_read_that_is_given_up_takes_no_turn() {
        let clock = OffsetClock::stopped();
        let limit = ReadLimit::new(TEN, Arc::new(clock.clone()));
        limit.wait(false).await;
        for is_ahead_of_schedule in [false, true] {
            let given_up =
                tokio::time::timeout(Duration::from_millis(1), limit.wait(is_ahead_of_schedule))
                    .await;
            assert!(given_up.is_err());
        }
        clock.advance(Duration::from_millis(100));
        limit.wait(true).await;
    }
}
