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
pub const START: Timestamp = Timestamp::constant(1_777_636_800, 0);

/// When a sleep ends; the second part orders sleeps that end together.
type End = (Duration, u64);

/// A clock, whose clones share the time.
#[derive(Clone, Debug, Default)]
pub struct SimulatedClock(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    uptime: Duration,
    /// The steps of the wall clock: when, and how far it is from the uptime from then on.
    steps: Vec<(Duration, SignedDuration)>,
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

    /// Sets the wall clock forward or back.
    pub fn step(&self, by: SignedDuration) {
        let mut state = self.lock();
        let step = (state.uptime, state.offset() + by);
        state.steps.push(step);
    }

    /// The uptimes at which the wall clock may have shown a time: the first and the last.
    #[must_use]
    pub fn uptimes_at(&self, time: Timestamp) -> (Duration, Duration) {
        let state = self.lock();
        let mut found = Vec::new();
        let mut begins_at = Duration::ZERO;
        let mut offset = SignedDuration::ZERO;
        let end = (Duration::MAX, SignedDuration::ZERO);
        for (ends_at, next_offset) in state.steps.iter().copied().chain([end]) {
            let uptime = Duration::try_from(time.duration_since(START) - offset);
            found.extend(uptime.ok().filter(|uptime| (begins_at..=ends_at).contains(uptime)));
            (begins_at, offset) = (ends_at, next_offset);
        }
        let first = found.first().copied().unwrap_or_default();
        // A time that was never shown.
        (first, found.last().copied().unwrap_or(Duration::MAX / 2))
    }

    /// How far the wall clock has been set back since this uptime.
    #[must_use]
    pub fn set_back_since(&self, uptime: Duration) -> Duration {
        let state = self.lock();
        let mut then = SignedDuration::ZERO;
        let mut lowest = None;
        for (at, offset) in &state.steps {
            if *at <= uptime {
                then = *offset;
            } else {
                lowest = Some(lowest.map_or(*offset, |lowest: SignedDuration| lowest.min(*offset)));
            }
        }
        let set_back = lowest.map_or(SignedDuration::ZERO, |lowest| then - lowest);
        Duration::try_from(set_back).unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn offset(&self) -> SignedDuration {
        self.steps.last().map_or(SignedDuration::ZERO, |(_, offset)| *offset)
    }
}

#[async_trait]
impl Clock for SimulatedClock {
    fn now(&self) -> Timestamp {
        let state = self.lock();
        let uptime = SignedDuration::try_from(state.uptime).unwrap_or(SignedDuration::MAX);
        START + uptime + state.offset()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_after_a_step_back_may_have_been_shown_twice() {
        let seconds = Duration::from_secs;
        let clock = SimulatedClock::default();
        clock.advance_to(seconds(100));
        let shown = clock.now();
        assert_eq!(clock.uptimes_at(shown), (seconds(100), seconds(100)));
        clock.advance_to(seconds(150));
        clock.step(SignedDuration::from_secs(-60));
        assert_eq!(clock.uptime(), seconds(150));
        assert_eq!(clock.now(), START + SignedDuration::from_secs(90));
        assert_eq!(clock.uptimes_at(shown), (seconds(100), seconds(160)));
        assert_eq!(clock.set_back_since(seconds(100)), seconds(60));
        assert_eq!(clock.set_back_since(seconds(150)), Duration::ZERO);
    }
}
