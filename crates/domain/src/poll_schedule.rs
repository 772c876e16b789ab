//! When an operator is asked about a pending transaction (docs/reference/lifecycle.md).

use super::{Mode, Scope};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// After this time a pending transaction is flagged for review.
const REVIEW_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// The gap between questions about a flagged transaction.
const FLAGGED_GAP: SignedDuration = SignedDuration::from_hours(24);

/// How long a flagged transaction is asked about.
const FLAGGED_ASKS: SignedDuration = SignedDuration::from_hours(90 * 24);

/// No question of the first day is scheduled later than this from now, and no look at an order that
/// waits: the longest gap is an hour. What is scheduled later was scheduled by a clock that was
/// ahead.
pub const LATEST_QUERY: SignedDuration = SignedDuration::from_mins(65);

/// Nothing else is scheduled later than this: questions about flagged transactions, and attempts to
/// deliver a webhook or an e-mail, with their jitter.
pub const LATEST_SCHEDULE: SignedDuration = SignedDuration::from_hours(27);

/// What follows a question that decided nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextAsk {
    /// When to ask again; `None` for never.
    pub at: Option<Timestamp>,
    /// Whether the transaction is flagged for review.
    pub is_flagged: bool,
}

/// The gaps between questions; `--sandbox-speed` divides them for sandbox transactions. The day
/// after which a transaction is flagged, and the 90 days after that, are the same at any speed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PollSchedule {
    /// By how much sandbox transactions are faster: above zero, 1 by default (`--sandbox-speed`).
    pub sandbox_speed: f64,
}

impl PollSchedule {
    /// When a transaction that is still pending is flagged for review.
    #[must_use]
    pub fn review_at(handed_over_at: Timestamp) -> Timestamp {
        handed_over_at + REVIEW_AFTER
    }

    /// When to ask for the first time.
    #[must_use]
    pub fn first(self, scope: &Scope, handed_over_at: Timestamp) -> Timestamp {
        handed_over_at + self.divide(scope, gap(0))
    }

    /// When to ask next, after so many questions. One question comes when the transaction is
    /// flagged.
    #[must_use]
    pub fn next(
        self,
        scope: &Scope,
        handed_over_at: Timestamp,
        asks: u32,
        now: Timestamp,
    ) -> NextAsk {
        let review_at = Self::review_at(handed_over_at);
        let last = review_at + FLAGGED_ASKS;
        if now < review_at {
            NextAsk {
                at: Some(review_at.min(now + self.divide(scope, gap(asks)))),
                is_flagged: false,
            }
        } else {
            let next = last.min(now + self.divide(scope, FLAGGED_GAP));
            NextAsk { at: (now < last).then_some(next), is_flagged: true }
        }
    }

    fn divide(self, scope: &Scope, gap: SignedDuration) -> SignedDuration {
        match scope.mode {
            Mode::Test => divide_delay(gap, self.sandbox_speed),
            Mode::Live => gap,
        }
    }
}

/// The gap before each question of the first day; the last one repeats.
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
    use crate::AccountId;

    const DAY: i64 = 86_400;

    /// The seconds of all questions, and of the first one that flags.
    fn asked_at(mode: Mode, sandbox_speed: f64) -> (Vec<i64>, i64) {
        let (schedule, scope) =
            (PollSchedule { sandbox_speed }, Scope { account: AccountId::mint(), mode });
        let start = Timestamp::UNIX_EPOCH;
        let (mut now, mut asked, mut flagged_at) =
            (schedule.first(&scope, start), Vec::new(), None);
        loop {
            asked.push(now.as_second());
            let next = schedule.next(&scope, start, u32::try_from(asked.len()).unwrap(), now);
            if next.is_flagged {
                flagged_at.get_or_insert(now.as_second());
            }
            match next.at {
                Some(at) => now = at,
                None => return (asked, flagged_at.unwrap()),
            }
        }
    }

    #[test]
    fn the_schedule_is_the_documented_one() {
        let (asked, flagged_at) = asked_at(Mode::Live, 100.0);
        assert_eq!(asked[..8], [10, 30, 70, 130, 430, 1330, 4930, 8530]);
        assert_eq!(flagged_at, DAY);
        let daily: Vec<i64> = asked.iter().copied().filter(|at| *at > DAY).collect();
        assert_eq!(daily, (2..=91).map(|day| day * DAY).collect::<Vec<_>>());
    }

    #[test]
    fn a_fast_sandbox_is_asked_sooner_and_flagged_at_the_same_time() {
        let (asked, flagged_at) = asked_at(Mode::Test, 10.0);
        assert_eq!((&asked[..3], flagged_at), (&[1, 3, 7][..], DAY));
        assert_eq!(
            (asked.iter().find(|at| **at > DAY), asked.last()),
            (Some(&(DAY + 8640)), Some(&(91 * DAY)))
        );
    }
}
