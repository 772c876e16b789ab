//! Review: people decide what no operator has decided within a day (docs/reference/lifecycle.md).

use super::Transaction;
use jiff::Timestamp;
use std::{fmt, str::FromStr};
use tua_contract::{Amount, FailureCode, lifecycle::Observation};

/// A transaction that waits for review.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flagged {
    /// The transaction, still pending.
    pub transaction: Transaction,
    /// When it was flagged.
    pub at: Timestamp,
}

/// The outcome that a review found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The money has moved.
    Successful,
    /// The operator reported a success for something else than was asked; this sum has moved.
    SuccessfulFor(Amount),
    /// The money has not moved, and will not.
    Failed(FailureCode),
}

impl Verdict {
    /// The observation that an operator's final status would have been.
    #[must_use]
    pub const fn as_observation(self) -> Observation {
        match self {
            Self::Successful | Self::SuccessfulFor(_) => Observation::Succeeded,
            Self::Failed(code) => Observation::Failed(code),
        }
    }
}

/// The reason for a decision: 1 to 500 characters, on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note(String);

/// The maximum length of a note, in characters.
const NOTE_CHARS: usize = 500;

impl Note {
    /// Reads a note, without surrounding white space.
    ///
    /// # Errors
    /// A sentence that says what a note is.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match (1..=NOTE_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
            true => Ok(Self(text.to_owned())),
            false => Err(format!("it must be 1 to {NOTE_CHARS} characters without control characters")),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Note {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_1_to_500_characters_on_one_line() {
        for good in ["a", " seen in MTN's portal ", "é".repeat(500).as_str()] {
            assert_eq!(Note::parse(good).unwrap().as_str(), good.trim());
        }
        for bad in ["", "  ", "a\nb", "\u{7}", &"n".repeat(501)] {
            assert!(Note::parse(bad).is_err(), "{bad:?}");
        }
    }
}
