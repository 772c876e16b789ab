//! Reports by e-mail: a person chooses one of each day or of each week, in Ghana's time (UTC).

use super::{MailKind, QueuedMail};
use crate::{UserId, calendar::day_of, string_enum};
use jiff::{
    SignedDuration, Span, Timestamp,
    civil::{Date, Weekday},
};
use std::ops::RangeInclusive;

/// When the report of a day or week is sent, after the midnight that ends it.
const SENT_AFTER: SignedDuration = SignedDuration::from_hours(6);

/// After this time nobody needs it: the next one comes.
const LIFETIME: SignedDuration = SignedDuration::from_hours(18);

string_enum! {
    /// How often a person gets a report.
    pub enum ReportInterval {
        /// One report for each day, from midnight to midnight in UTC.
        Daily = "daily",
        /// Each week, Monday to Sunday.
        Weekly = "weekly",
    }
}

impl ReportInterval {
    /// The last day of the newest period whose report is due.
    #[must_use]
    pub fn last_day(self, now: Timestamp) -> Date {
        let today = day_of(now - SENT_AFTER);
        let days = match (self, i32::from(today.weekday().since(Weekday::Sunday))) {
            (Self::Daily, _) => 1,
            (Self::Weekly, 0) => 7,
            (Self::Weekly, days) => days,
        };
        today.checked_sub(Span::new().days(days)).unwrap_or(today)
    }

    /// The last day of the newest period that has ended, whether its report is due or not.
    #[must_use]
    pub fn last_ended(self, now: Timestamp) -> Date {
        self.last_day(now + SENT_AFTER)
    }

    /// The days of the period that ends on this day.
    #[must_use]
    pub fn days(self, last: Date) -> RangeInclusive<Date> {
        let before = match self {
            Self::Daily => 0,
            Self::Weekly => 6,
        };
        last.checked_sub(Span::new().days(before)).unwrap_or(last)..=last
    }

    /// The message with the report of the period that ends on this day.
    #[must_use]
    pub fn mail(self, user: UserId, last: Date, now: Timestamp) -> QueuedMail {
        QueuedMail {
            user: Some(user),
            detail: Some(format!("{} {last}", self.as_str())),
            expires_at: Some(now + LIFETIME),
            ..QueuedMail::new(MailKind::Report, now)
        }
    }

    /// Reads the `detail` of such a message.
    #[must_use]
    pub fn from_detail(text: &str) -> Option<(Self, Date)> {
        let (interval, last) = text.split_once(' ')?;
        Some((Self::parse(interval)?, last.parse().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_reported_at_six_after_it_ended() {
        // 2026-11-22 is a Sunday.
        for (now, daily, weekly) in [
            ("2026-11-22T05:59:59Z", "2026-11-20", "2026-11-15"),
            ("2026-11-22T06:00:00Z", "2026-11-21", "2026-11-15"),
            ("2026-11-23T05:59:59Z", "2026-11-21", "2026-11-15"),
            ("2026-11-23T06:00:00Z", "2026-11-22", "2026-11-22"),
            ("2026-11-28T23:59:59Z", "2026-11-27", "2026-11-22"),
        ] {
            let now: Timestamp = now.parse().unwrap();
            assert_eq!(ReportInterval::Daily.last_day(now).to_string(), daily, "{now}");
            assert_eq!(ReportInterval::Weekly.last_day(now).to_string(), weekly, "{now}");
            let midnight = now - SENT_AFTER;
            assert_eq!(ReportInterval::Daily.last_ended(midnight).to_string(), daily, "{midnight}");
        }
    }

    #[test]
    fn a_report_names_its_days() {
        let last: Date = "2026-11-22".parse().unwrap();
        let week = ReportInterval::Weekly.days(last);
        assert_eq!(
            (week.start().to_string(), week.end().to_string()),
            ("2026-11-16".into(), "2026-11-22".into())
        );
        for interval in ReportInterval::ALL {
            let mail = interval.mail(UserId::mint(), last, Timestamp::UNIX_EPOCH);
            assert_eq!(ReportInterval::from_detail(&mail.detail.unwrap()), Some((*interval, last)));
        }
        assert_eq!(ReportInterval::from_detail("daily"), None);
    }
}
