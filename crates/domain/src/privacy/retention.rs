//! How long records are kept, and whether a record may be erased already.

use crate::{Checkout, Mode, Transaction};
use jiff::{SignedDuration, Span, Timestamp, tz::TimeZone};
use std::fmt;
use tua_contract::Status;

/// How long records of live payments are kept before they may be erased, unless it is set
/// otherwise: seven years.
pub const RETENTION_LIVE: Retention = Retention::Years(7);

/// The longest retention time, in years.
const MAX_YEARS: u16 = 100;

/// The longest retention time, in days.
const MAX_DAYS: u16 = 36_600;

/// How long records are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retention {
    /// Calendar years in UTC: until the same day of a later year, and from 29 February until
    /// 28 February if that year has no 29 February.
    Years(u16),
    /// Days of 24 hours.
    Days(u16),
}

impl Retention {
    /// The end of the time that begins at this moment.
    #[must_use]
    pub fn end(self, begin: Timestamp) -> Timestamp {
        let end = match self {
            Self::Years(years) => begin
                .to_zoned(TimeZone::UTC)
                .checked_add(Span::new().years(years.min(MAX_YEARS)))
                .map(|end| end.timestamp()),
            Self::Days(days) => begin.checked_add(SignedDuration::from_hours(i64::from(days) * 24)),
        };
        end.unwrap_or(Timestamp::MAX)
    }
}

/// Writes it as it is set: `7y` or `90d`.
impl fmt::Display for Retention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Years(years) => write!(f, "{years}y"),
            Self::Days(days) => write!(f, "{days}d"),
        }
    }
}

/// Reads a retention time: a number of calendar years (`7y`) or of days (`90d`), or 0.
///
/// # Errors
/// A sentence.
pub fn parse_retention(text: &str) -> Result<Retention, String> {
    let text = text.trim();
    let number = |digits: &str, max: u16| digits.parse().ok().filter(|number| *number <= max);
    let retention = match (text.strip_suffix('y'), text.strip_suffix('d')) {
        (Some(years), _) => number(years, MAX_YEARS).map(Retention::Years),
        (_, Some(days)) => number(days, MAX_DAYS).map(Retention::Days),
        _ if text == "0" => Some(Retention::Days(0)),
        _ => None,
    };
    retention.ok_or_else(|| format!("{text:?} is not a time such as 7y or 90d, at most 100y"))
}

/// Why nothing was erased.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EraseRefused {
    /// A payment of the person is not final.
    #[error("{0} is pending; its outcome must be known before it can be erased")]
    Pending(String),
    /// A record must be kept until this moment.
    #[error("{id} must be kept until {until}; it can be erased from then on")]
    Retained {
        /// The transaction or session.
        id: String,
        /// When it can be erased.
        until: Timestamp,
    },
}

/// Checks that a transaction can be erased: it is final, and its retention is over.
///
/// # Errors
/// [`EraseRefused`].
pub fn may_erase(
    transaction: &Transaction,
    live: Retention,
    now: Timestamp,
) -> Result<(), EraseRefused> {
    let id = transaction.order.id.as_str().to_owned();
    if transaction.state.status() == Status::Pending {
        return Err(EraseRefused::Pending(id));
    }
    let until = match transaction.order.scope.mode {
        Mode::Test => return Ok(()),
        Mode::Live => live.end(transaction.updated_at),
    };
    if now < until { Err(EraseRefused::Retained { id, until }) } else { Ok(()) }
}

/// Checks that a session can be erased: it can no longer be paid.
///
/// # Errors
/// [`EraseRefused::Retained`].
pub fn may_erase_checkout(checkout: &Checkout, now: Timestamp) -> Result<(), EraseRefused> {
    let retained = || EraseRefused::Retained {
        id: checkout.id.as_str().to_owned(),
        until: checkout.expires_at,
    };
    if checkout.is_expired(now) { Ok(()) } else { Err(retained()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(retention: &str, begin: &str) -> String {
        parse_retention(retention).unwrap().end(begin.parse().unwrap()).to_string()
    }

    #[test]
    fn years_are_those_of_the_calendar() {
        assert_eq!(end("7y", "2026-11-27T09:30:00Z"), "2033-11-27T09:30:00Z");
        assert_eq!(end("1y", "2028-02-29T09:30:00Z"), "2029-02-28T09:30:00Z");
        assert_eq!(end("4y", "2028-02-29T09:30:00Z"), "2032-02-29T09:30:00Z");
        assert_eq!(end("90d", "2026-11-27T09:30:00Z"), "2027-02-25T09:30:00Z");
        assert_eq!(end("0", "2026-11-27T09:30:00Z"), "2026-11-27T09:30:00Z");
        assert_eq!(Retention::Years(100).end(Timestamp::MAX), Timestamp::MAX);
    }

    #[test]
    fn a_time_is_a_number_of_years_or_days() {
        for text in ["7y", "100y", "90d", "36600d", "0d"] {
            assert_eq!(parse_retention(text).unwrap().to_string(), text);
        }
        for text in ["", "7", "y", "-1y", "101y", "36601d", "1.5y", "7 y"] {
            assert!(parse_retention(text).is_err(), "{text}");
        }
    }
}
