//! When an operator is asked about a pending transaction (docs/reference/lifecycle.md).

use super::{Mode, Scope};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// From here on a pending transaction is for people to look at.
const REVIEW_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// The gaps between questions; `--sandbox-speed` divides them for sandbox transactions. The day that
/// they go on for is a day at any speed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PollSchedule {
    /// Above zero.
    pub sandbox_speed: f64,
}

impl PollSchedule {
    /// From when on a transaction that is still pending is for people to look at.
    #[must_use]
    pub fn review_at(begun_at: Timestamp) -> Timestamp {
        begun_at + REVIEW_AFTER
    }

    /// When to ask next, after so many questions: the last time when a day has passed, and never again.
    #[must_use]
    pub fn next(self, scope: &Scope, begun_at: Timestamp, asks: u32, now: Timestamp) -> Option<Timestamp> {
        let speed = match scope.mode {
            Mode::Test => self.sandbox_speed,
            Mode::Live => 1.0,
        };
        let last = Self::review_at(begun_at);
        (now < last).then(|| last.min(now + divide_delay(gap(asks), speed)))
    }
}

/// The gap before each question; the last one repeats.
fn gap(asks: u32) -> SignedDuration {
    match asks {
        0 => SignedDuration::from_secs(10),
        1 => SignedDuration::from_secs(20),
        2 => SignedDuration::from_secs(40),
        3 => SignedDuration::from_secs(60),
        4 => SignedDuration::from_mins(5),
        5 => SignedDuration::from_mins(15),
        _ => SignedDuration::from_hours(1),
    }
}

/// A delay divided by a speed above zero.
#[must_use]
pub fn divide_delay(delay: SignedDuration, speed: f64) -> SignedDuration {
    let divided = Duration::try_from(delay).ok().map(|delay| delay.div_f64(speed));
    divided.and_then(|delay| delay.try_into().ok()).unwrap_or(delay)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::AccountId;

    fn asked_at(mode: Mode, sandbox_speed: f64) -> Vec<i64> {
        let (schedule, scope) = (PollSchedule { sandbox_speed }, Scope { account: AccountId::mint(), mode });
        let (start, mut now, mut asked) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH, Vec::new());
        while let Some(next) = schedule.next(&scope, start, u32::try_from(asked.len()).unwrap(), now) {
            asked.push(next.as_second());
            now = next;
        }
        asked
    }

    #[test]
    fn the_schedule_is_the_documented_one_and_ends_after_a_day() {
        let asked = asked_at(Mode::Live, 100.0);
        assert_eq!(asked[..8], [10, 30, 70, 130, 430, 1330, 4930, 8530]);
        assert_eq!(*asked.last().unwrap(), 86_400);
    }

    #[test]
    fn a_fast_sandbox_is_asked_sooner() {
        let asked = asked_at(Mode::Test, 10.0);
        assert_eq!((&asked[..3], *asked.last().unwrap()), (&[1, 3, 7][..], 86_400));
    }
}
