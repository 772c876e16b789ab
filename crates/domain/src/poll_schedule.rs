//! When the status of a pending transaction is queried (docs/reference/lifecycle.md).

use super::{Mode, Scope};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// After this time a pending transaction is flagged for review.
const REVIEW_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// The interval between status queries of a flagged transaction.
const FLAGGED_INTERVAL: SignedDuration = SignedDuration::from_hours(24);

/// How long status queries continue after a transaction was flagged.
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
    /// The factor by which sandbox transactions are queried faster: above zero, 1 by default
    /// (`--sandbox-speed`).
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
    pub fn first_query_at(self, scope: &Scope, handed_over_at: Timestamp) -> Timestamp {
        handed_over_at + self.scale_interval(scope, interval_before(0))
    }

    /// The next status query, after `query_count` queries. One query is sent when the transaction
    /// is flagged.
    #[must_use]
    pub fn next_query(
        self,
        scope: &Scope,
        handed_over_at: Timestamp,
        query_count: u32,
        now: Timestamp,
    ) -> NextStatusQuery {
        let review_at = Self::review_at(handed_over_at);
        let last_query_at = review_at + FLAGGED_DURATION;
        if now < review_at {
            NextStatusQuery {
                at: Some(
                    review_at.min(now + self.scale_interval(scope, interval_before(query_count))),
                ),
                is_flagged: false,
            }
        } else {
            let next = last_query_at.min(now + self.scale_interval(scope, FLAGGED_INTERVAL));
            NextStatusQuery { at: (now < last_query_at).then_some(next), is_flagged: true }
        }
    }

    /// The interval, at the sandbox speed for a sandbox transaction.
    fn scale_interval(self, scope: &Scope, interval: SignedDuration) -> SignedDuration {
        match scope.mode {
            Mode::Test => divide_delay(interval, self.sandbox_speed),
            Mode::Live => interval,
        }
    }
}

/// The interval before the status query that follows `query_count` queries, during the first day.
/// The last interval repeats.
fn interval_before(query_count: u32) -> SignedDuration {
    match query_count {
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
    fn query_times(mode: Mode, sandbox_speed: f64) -> (Vec<i64>, i64) {
        let schedule = PollSchedule { sandbox_speed };
        let scope = Scope { account: AccountId::mint(), mode };
        let start = Timestamp::UNIX_EPOCH;
        let mut now = schedule.first_query_at(&scope, start);
        let mut queried_at = Vec::new();
        let mut flagged_at = None;
        loop {
            queried_at.push(now.as_second());
            let next =
                schedule.next_query(&scope, start, u32::try_from(queried_at.len()).unwrap(), now);
            if next.is_flagged {
                flagged_at.get_or_insert(now.as_second());
            }
            match next.at {
                Some(at) => now = at,
                None => return (queried_at, flagged_at.unwrap()),
            }
        }
    }

    #[test]
    fn the_schedule_is_the_documented_one() {
        let (queried_at, flagged_at) = query_times(Mode::Live, 100.0);
        assert_eq!(queried_at[..8], [10, 30, 70, 130, 430, 1330, 4930, 8530]);
        assert_eq!(flagged_at, DAY);
        let daily: Vec<i64> = queried_at.iter().copied().filter(|at| *at > DAY).collect();
        assert_eq!(daily, (2..=91).map(|day| day * DAY).collect::<Vec<_>>());
    }

    #[test]
    fn a_fast_sandbox_is_queried_sooner_and_flagged_at_the_same_time() {
        let (queried_at, flagged_at) = query_times(Mode::Test, 10.0);
        assert_eq!((&queried_at[..3], flagged_at), (&[1, 3, 7][..], DAY));
        assert_eq!(
            (queried_at.iter().find(|at| **at > DAY), queried_at.last()),
            (Some(&(DAY + 8640)), Some(&(91 * DAY)))
        );
    }
}
