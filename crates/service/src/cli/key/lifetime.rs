//! How long a key is valid.

use jiff::{SignedDuration, Span, SpanRelativeTo};
use std::str::FromStr;

/// 10 years: longer than any key should live.
const MAX_LIFETIME: SignedDuration = SignedDuration::from_hours(3653 * 24);

/// How long a key is valid; `None` for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lifetime(Option<SignedDuration>);

impl Lifetime {
    /// The duration; `None` for ever.
    pub(super) fn duration(self) -> Option<SignedDuration> {
        self.0
    }
}

impl FromStr for Lifetime {
    type Err = String;

    /// Reads `never`, or a time in weeks, days of 24 hours, hours and less.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "never" {
            return Ok(Self(None));
        }
        let span = text.trim().parse::<Span>().ok();
        let lifetime =
            span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()).ok());
        let lifetime = lifetime
            .filter(|lifetime| *lifetime > SignedDuration::ZERO && *lifetime <= MAX_LIFETIME);
        let fault =
            || "it must be a time such as 90d or 12h, of 10 years at most, or never".to_owned();
        lifetime.map(|lifetime| Self(Some(lifetime))).ok_or_else(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_is_a_positive_duration_of_ten_years_at_most() {
        for (text, hours) in
            [("90d", 2160), ("12h", 12), ("1w", 168), ("1d 12h", 36), ("3653d", 87_672)]
        {
            assert_eq!(
                text.parse(),
                Ok(Lifetime(Some(SignedDuration::from_hours(hours)))),
                "{text}"
            );
        }
        for text in
            ["", "0", "0d", "-1d", "90", "soon", "1mo", "1y", "3654d", "99999999999999999999d"]
        {
            assert!(text.parse::<Lifetime>().is_err(), "{text}");
        }
        assert_eq!("never".parse(), Ok(Lifetime(None)));
    }
}
