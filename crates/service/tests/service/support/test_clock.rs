//! The clock as the service sees it, and who sleeps until when: a test moves the clock only
//! once everybody whom it means to wake is asleep.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio::sync::watch;
use tua_service::{clock::OffsetClock, domain::ports::Clock};

/// Who looks for due work each second: the one for operators, the one for webhooks.
const WORKERS: usize = 2;

#[derive(Clone, Debug)]
pub struct TestClock {
    clock: OffsetClock,
    until: watch::Sender<Vec<Timestamp>>,
}

impl TestClock {
    pub fn new(clock: OffsetClock) -> Self {
        Self { clock, until: watch::Sender::new(Vec::new()) }
    }

    pub fn now_plus(&self, seconds: i64) -> Timestamp {
        self.now_plus_milliseconds(1000 * seconds)
    }

    pub fn now_plus_milliseconds(&self, milliseconds: i64) -> Timestamp {
        self.now() + SignedDuration::from_millis(milliseconds)
    }

    /// Returns once so many sleep until this moment.
    pub async fn asleep_until(&self, at: Timestamp, many: usize) {
        let mut until = self.until.subscribe();
        let asleep = until.wait_for(|all| all.iter().filter(|one| **one == at).count() >= many);
        match tokio::time::timeout(Duration::from_secs(10), asleep).await {
            Ok(asleep) => drop(asleep.unwrap()),
            Err(_) => panic!("fewer than {many} sleep until {at}: {:?}", self.until.borrow()),
        }
    }

    /// Returns once every worker has looked for due work, found none left, and sleeps on. The clock
    /// must stand still, and must have been moved by a second or more.
    pub async fn work_is_looked_for(&self) {
        self.asleep_until(self.now_plus(1), WORKERS).await;
    }
}

#[async_trait]
impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    async fn sleep_until(&self, at: Timestamp) {
        self.until.send_modify(|all| all.push(at));
        let _awake = Awake { until: &self.until, at };
        self.clock.sleep_until(at).await;
    }
}

/// Takes the sleeper off the list, even where its sleep is given up.
struct Awake<'a> {
    until: &'a watch::Sender<Vec<Timestamp>>,
    at: Timestamp,
}

impl Drop for Awake<'_> {
    fn drop(&mut self) {
        self.until.send_modify(|all| {
            let mine = all.iter().position(|at| *at == self.at);
            all.swap_remove(mine.unwrap());
        });
    }
}
