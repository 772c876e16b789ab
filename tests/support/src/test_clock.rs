//! The service's clock, which records the tasks that sleep. A test advances it when the tasks that
//! are to wake are asleep.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio::sync::watch;
use tua_domain::ports::Clock;
use tua_system::clock::OffsetClock;

/// The workers that check for due work every second: for operators and for webhooks.
const WORKERS: usize = 2;

/// A clock that follows another one, and the times until which tasks sleep.
#[derive(Clone, Debug)]
pub struct TestClock {
    clock: OffsetClock,
    wake_times: watch::Sender<Vec<Timestamp>>,
}

impl TestClock {
    /// A clock that follows this one.
    pub fn new(clock: OffsetClock) -> Self {
        Self { clock, wake_times: watch::Sender::new(Vec::new()) }
    }

    /// The time in so many seconds.
    pub fn now_plus(&self, seconds: i64) -> Timestamp {
        self.now_plus_milliseconds(1000 * seconds)
    }

    /// The time in so many milliseconds.
    pub fn now_plus_milliseconds(&self, milliseconds: i64) -> Timestamp {
        self.now() + SignedDuration::from_millis(milliseconds)
    }

    /// Waits until this number of tasks sleep until this moment, at most ten seconds.
    pub async fn wait_for_sleepers(&self, at: Timestamp, count: usize) {
        let mut wake_times = self.wake_times.subscribe();
        let asleep =
            wake_times.wait_for(|all| all.iter().filter(|one| **one == at).count() >= count);
        match tokio::time::timeout(Duration::from_secs(10), asleep).await {
            Ok(asleep) => drop(asleep.unwrap()),
            Err(_) => {
                panic!("fewer than {count} tasks sleep until {at}: {:?}", self.wake_times.borrow())
            }
        }
    }

    /// Waits until every worker has found no more due work and sleeps. The clock must be stopped,
    /// and must have been moved by at least a second.
    pub async fn wait_for_workers(&self) {
        self.wait_for_sleepers(self.now_plus(1), WORKERS).await;
    }
}

#[async_trait]
impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn uptime(&self) -> Duration {
        self.clock.uptime()
    }

    async fn sleep_until_uptime(&self, uptime: Duration) {
        // By the wall clock as it is now, as tests name the time.
        let at =
            self.now() + SignedDuration::try_from(uptime.saturating_sub(self.uptime())).unwrap();
        self.wake_times.send_modify(|all| all.push(at));
        let _guard = SleepGuard { wake_times: &self.wake_times, at };
        self.clock.sleep_until_uptime(uptime).await;
    }
}

/// Removes the task from the list, also when its sleep is cancelled.
struct SleepGuard<'a> {
    wake_times: &'a watch::Sender<Vec<Timestamp>>,
    at: Timestamp,
}

impl Drop for SleepGuard<'_> {
    fn drop(&mut self) {
        self.wake_times.send_modify(|all| {
            let mine = all.iter().position(|at| *at == self.at);
            all.swap_remove(mine.unwrap());
        });
    }
}
