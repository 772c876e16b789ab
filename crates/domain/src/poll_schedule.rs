//! When the status of a pending transaction is queried (docs/reference/lifecycle.md).

use super::{Mode, Scope};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// After this time a pending transaction is flagged for review.
const REVIEW_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// The interval between status queries of a flagged transaction.
const FLAGGED_INTERVAL: SignedDuration = SignedDuration::from_hours(24);

/// How long a transaction is queried after it was flagged.
const FLAGGED_DURATION: SignedDuration = SignedDuration::from_hours(90 * 24);

/// The longest time from now to a status query of the first day, or to an order that waits to be
/// sent: the longest interval is an hour. What is scheduled later was scheduled by a clock that was
/// ahead.
pub const MAX_QUERY_DELAY: SignedDuration = SignedDuration::from_mins(65);

/// The longest time from now to anything else that is scheduled: status queries of flagged
/// transactions, and attempts to deliver a webhook or an e-mail, with their jitter.
pub const MAX_SCHEDULE_DELAY: SignedDuration = SignedDuration::from_hours(27);

/// When the status is queried again, after a query whose response was not final.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextStatusQuery {
    /// The time of the next query; `None` if there is none.
    pub at: Option<Timestamp>,
    /// Whether the transaction is flagged for review.
    pub is_flagged: bool,
}

/// The intervals between status queries; `--sandbox-speed` divides them for sandbox transactions.
/// The day after which a transaction is flagged, and the 90 days after that, are the same at any
/// speed.
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

    /// The time of the first status query.
    #[must_use]
    pub fn first(self, scope: &Scope, handed_over_at: Timestamp) -> Timestamp {
        handed_over_at + self.divide(scope, interval_before(0))
    }

    /// The time of the next status query, after `asks` queries. One query is sent when the
    /// transaction is flagged.
    #[must_use]
    pub fn next(
        self,
        scope: &Scope,
        handed_over_at: Timestamp,
        asks: u32,
        now: Timestamp,
    ) -> NextStatusQuery {
        let review_at = Self::review_at(handed_over_at);
        let last = review_at + FLAGGED_DURATION;
        if now < review_at {
            NextStatusQuery {
                at: Some(review_at.min(now + self.divide(scope, interval_before(asks)))),
                is_flagged: false,
            }
        } else {
            let next = last.min(now + self.divide(scope, FLAGGED_INTERVAL));
            NextStatusQuery { at: (now < last).then_some(next), is_flagged: true }
        }
    }

    fn divide(self, scope: &Scope, interval: SignedDuration) -> SignedDuration {
        match scope.mode {
            Mode::Test => divide_delay(interval, self.sandbox_speed),
            Mode::Live => interval,
        }
    }
}

/// The interval before each status query of the first day, after `asks` queries; the last interval
/// repeats.
fn interval_before(asks: u32) -> SignedDuration {
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

    /// The times of all status queries, and of the first one that flags, in seconds.
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
