//! How long records are kept, and whether a record may be erased already.

use crate::{Checkout, Mode, Transaction};
use jiff::{SignedDuration, Timestamp};
use tua_contract::Status;

/// How long records of live payments are kept before they may be erased, unless it is set
/// otherwise: seven years.
pub const RETENTION_LIVE: SignedDuration = SignedDuration::from_hours(7 * DAYS_OF_YEAR * 24);

/// The days of a year of a retention time, so that it never ends too early.
pub const DAYS_OF_YEAR: i64 = 366;

/// Reads a retention time: a number of years of 366 days (`7y`) or of days (`90d`), or 0.
///
/// # Errors
/// A sentence.
pub fn parse_retention(text: &str) -> Result<SignedDuration, String> {
    const MAX_DAYS: i64 = 36_600;
    let text = text.trim();
    let days = match (text.strip_suffix('y'), text.strip_suffix('d')) {
        (Some(years), _) => {
            years.parse::<i64>().ok().and_then(|years| years.checked_mul(DAYS_OF_YEAR))
        }
        (_, Some(days)) => days.parse().ok(),
        _ if text == "0" => Some(0),
        _ => None,
    };
    let days = days.filter(|days| (0..=MAX_DAYS).contains(days));
    days.map(|days| SignedDuration::from_hours(days * 24))
        .ok_or_else(|| format!("{text:?} is not a time such as 7y or 90d, at most 100y"))
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
    live: SignedDuration,
    now: Timestamp,
) -> Result<(), EraseRefused> {
    let id = transaction.order.id.as_str().to_owned();
    if transaction.state.status() == Status::Pending {
        return Err(EraseRefused::Pending(id));
    }
    let until = match transaction.order.scope.mode {
        Mode::Test => return Ok(()),
        Mode::Live => transaction.updated_at.checked_add(live).unwrap_or(Timestamp::MAX),
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
