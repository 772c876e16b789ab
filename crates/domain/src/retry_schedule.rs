//! When a delivery to an endpoint or a mail server is attempted again.

use crate::secret::random_bytes;
use jiff::{SignedDuration, Timestamp};

/// The time of the next attempt after so many failed attempts, the last one now. `None` after the
/// last one.
#[must_use]
pub(crate) fn next_attempt(attempts: u32, now: Timestamp) -> Option<Timestamp> {
    retry_delay(attempts).map(|delay| now + with_jitter(delay))
}

/// The delay before the next attempt, after so many failed attempts (docs/reference/webhooks.md).
const fn retry_delay(attempts: u32) -> Option<SignedDuration> {
    Some(match attempts {
        1 => SignedDuration::from_secs(5),
        2 => SignedDuration::from_mins(5),
        3 => SignedDuration::from_mins(30),
        4 => SignedDuration::from_hours(2),
        5 => SignedDuration::from_hours(5),
        6 => SignedDuration::from_hours(10),
        7 => SignedDuration::from_hours(14),
        8 => SignedDuration::from_hours(20),
        9 => SignedDuration::from_hours(24),
        _ => return None,
    })
}

/// Adds up to 10 % jitter, so that deliveries that failed together are not retried together.
fn with_jitter(delay: SignedDuration) -> SignedDuration {
    let [fraction] = random_bytes::<1>();
    delay + delay / 2560 * i32::from(fraction)
}
