//! A clock that moves only when the simulation moves it.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::oneshot;
use tua_domain::ports::Clock;

/// Where every simulation begins: noon on 1 May 2026, UTC.
const START: Timestamp = Timestamp::constant(1_777_636_800, 0);

/// When a sleep ends; the second part orders sleeps that end together.
type End = (Duration, u64);

/// A clock, whose clones share the time.
#[derive(Clone, Debug, Default)]
pub struct SimulatedClock(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    uptime: Duration,
    sleeps: BTreeMap<End, oneshot::Sender<()>>,
    count: u64,
}

impl SimulatedClock {
    /// When the next sleep ends, if there is one.
    #[must_use]
    pub fn next_end(&self) -> Option<Duration> {
        let mut state = self.lock();
        while let Some(first) = state.sleeps.first_entry() {
            if !first.get().is_closed() {
                return Some(first.key().0);
            }
            // Nobody waits for it any more.
            first.remove();
        }
        None
    }

    /// Moves the time forward. No sleep ends by this alone.
    pub fn advance_to(&self, uptime: Duration) {
        let mut state = self.lock();
        state.uptime = state.uptime.max(uptime);
    }

    /// Ends one sleep whose time is over. Returns `false` if there is none. One at a time, because
    /// code that waits for two things at once chooses between them without the seed.
    pub fn end_one_sleep(&self) -> bool {
        let mut state = self.lock();
        let uptime = state.uptime;
        while let Some(first) = state.sleeps.first_entry() {
            if first.key().0 > uptime {
                return false;
            }
            if first.remove().send(()).is_ok() {
                return true;
            }
        }
        false
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Clock for SimulatedClock {
    fn now(&self) -> Timestamp {
        let uptime = SignedDuration::try_from(self.uptime()).unwrap_or(SignedDuration::MAX);
        START + uptime
    }

    fn uptime(&self) -> Duration {
        self.lock().uptime
    }

    async fn sleep_until_uptime(&self, at: Duration) {
        let end = {
            let mut state = self.lock();
            if at <= state.uptime {
                return;
            }
            let (sender, receiver) = oneshot::channel();
            state.count += 1;
            let count = state.count;
            state.sleeps.insert((at, count), sender);
            receiver
        };
        // The sender is dropped with the clock only.
        let _ = end.await;
    }
}
