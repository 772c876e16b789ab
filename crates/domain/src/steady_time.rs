//! The time of day for long ages: it follows a step of the wall clock forward only once the step
//! has lasted.

use super::ports::Clock;
use jiff::{SignedDuration, Timestamp};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// After this time, a wall clock that stepped forward is believed. One that is wrong is usually set
/// right sooner.
pub const WALL_CLOCK_TRUSTED_AFTER: Duration = Duration::from_secs(12 * 3600);

/// By how much more than the uptime the wall clock may advance between two readings without being
/// taken for a step.
const TOLERANCE: SignedDuration = SignedDuration::from_mins(1);

/// The time of day by which payouts end unapproved, idempotency keys are free again, and rows are
/// deleted. Where the wall clock is set forward, it advances with the uptime until the step has
/// lasted [`WALL_CLOCK_TRUSTED_AFTER`]. It is too early then, which is safe. Where the wall clock
/// is set back, it is set back too.
#[derive(Debug)]
pub struct SteadyTime {
    clock: Arc<dyn Clock>,
    last: Mutex<Reading>,
}

/// What [`SteadyTime::now`] last returned, and the uptime at which it did.
#[derive(Clone, Copy, Debug)]
struct Reading {
    time: Timestamp,
    uptime: Duration,
    /// Since which uptime the wall clock has been ahead; `None` where it is not.
    ahead_since: Option<Duration>,
}

impl SteadyTime {
    /// Begins with the wall clock as it is now.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let last = Reading { time: clock.now(), uptime: clock.uptime(), ahead_since: None };
        Self { clock, last: Mutex::new(last) }
    }

    /// The time of day, never ahead of the wall clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // While the lock is held, so that no reading is older than the last one.
        let wall_clock = self.clock.now();
        let uptime = self.clock.uptime();
        let passed = SignedDuration::try_from(uptime.saturating_sub(last.uptime))
            .unwrap_or(SignedDuration::ZERO);
        let expected = last.time.saturating_add(passed).unwrap_or(Timestamp::MAX);
        *last = match last.ahead_since {
            _ if wall_clock.duration_since(expected) <= TOLERANCE => {
                Reading { time: wall_clock, uptime, ahead_since: None }
            }
            Some(since) if uptime.saturating_sub(since) >= WALL_CLOCK_TRUSTED_AFTER => {
                Reading { time: wall_clock, uptime, ahead_since: None }
            }
            since => Reading { time: expected, uptime, ahead_since: since.or(Some(uptime)) },
        };
        last.time
    }
}
