//! The sandbox clock of an account: what is scheduled in its test mode comes earlier, so that a
//! test need not wait (docs/reference/test-mode.md#the-sandbox-clock).
//!
//! The clock of the service stays as it is. An advance changes the times in rows that are scheduled
//! and not due yet. Times of what has happened do not change.

use super::AccountId;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

/// By how much each sandbox clock that was advanced is ahead of the clock of the service.
pub type ClocksAhead = HashMap<AccountId, SignedDuration>;

/// The largest advance: 366 days.
const MAX_SECONDS: i64 = 366 * 24 * 3600;

/// By how much the sandbox clock is advanced: whole seconds, from 1 second to 366 days.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockAdvance(i64);

impl ClockAdvance {
    /// The smallest advance, in seconds.
    pub const MIN_SECONDS: i64 = 1;
    /// The largest advance, in seconds.
    pub const MAX_SECONDS: i64 = MAX_SECONDS;

    /// An advance by so many seconds; `None` outside the range.
    #[must_use]
    pub fn from_seconds(seconds: i64) -> Option<Self> {
        (Self::MIN_SECONDS..=Self::MAX_SECONDS).contains(&seconds).then_some(Self(seconds))
    }

    /// An advance by a duration; `None` outside the range, or with a part of a second.
    #[must_use]
    pub fn from_duration(duration: SignedDuration) -> Option<Self> {
        Self::from_seconds(duration.as_secs()).filter(|_| duration.subsec_nanos() == 0)
    }

    /// The advance in seconds.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// The advance as a duration.
    #[must_use]
    pub const fn duration(self) -> SignedDuration {
        SignedDuration::from_secs(self.0)
    }

    /// The present time on the clock after the advance. What is scheduled until then becomes due.
    #[must_use]
    pub fn end(self, now: Timestamp) -> Timestamp {
        now + self.duration()
    }
}

/// What an advance has made due, as numbers of rows. The workers do it within about a second.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BecameDue {
    /// Payment links whose time has ended.
    pub links: u64,
    /// Checkout sessions whose time has ended.
    pub checkouts: u64,
    /// Payouts and refunds that nobody approved in time.
    pub approvals: u64,
    /// Pending payments about which the sandbox is asked.
    pub payments: u64,
    /// Pending payments that are announced as delayed.
    pub delayed: u64,
    /// Webhook deliveries that failed and are sent again.
    pub deliveries: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advance_is_whole_seconds_up_to_366_days() {
        for (seconds, is_advance) in [
            (-1, false),
            (0, false),
            (1, true),
            (1860, true),
            (31_622_400, true),
            (31_622_401, false),
        ] {
            let advance = ClockAdvance::from_seconds(seconds);
            assert_eq!(advance.map(ClockAdvance::seconds), is_advance.then_some(seconds));
            assert_eq!(ClockAdvance::from_duration(SignedDuration::from_secs(seconds)), advance);
        }
        assert_eq!(ClockAdvance::from_duration(SignedDuration::from_millis(1500)), None);
        assert_eq!(ClockAdvance::from_duration(SignedDuration::MAX), None);
    }

    #[test]
    fn what_is_scheduled_until_the_end_of_an_advance_becomes_due() {
        let advance = ClockAdvance::from_seconds(60).unwrap();
        let end = advance.end(Timestamp::UNIX_EPOCH);
        assert_eq!(end, Timestamp::from_second(60).unwrap());
    }
}
