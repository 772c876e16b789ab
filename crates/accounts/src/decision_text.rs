//! What people type about a decision: their name, and the reason.

use std::{fmt, str::FromStr};

/// The name of a person who decides, as typed: 1 to 80 characters on one line. It proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersonName(String);

impl PersonName {
    /// The longest name, in characters.
    pub const MAX_CHARS: usize = 80;

    /// The name or address of a person, cut to the longest name; `None` where it is none.
    #[must_use]
    pub fn shortened(text: &str) -> Option<Self> {
        text.chars().take(Self::MAX_CHARS).collect::<String>().parse().ok()
    }

    /// The name without surrounding white space, 1 to 80 characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PersonName {
    type Err = String;

    /// Reads a name, without surrounding white space.
    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim();
        if (1..=Self::MAX_CHARS).contains(&name.chars().count())
            && !name.chars().any(char::is_control)
        {
            Ok(Self(name.to_owned()))
        } else {
            Err(format!(
                "it must be 1 to {} characters without control characters",
                Self::MAX_CHARS
            ))
        }
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
    /// A sentence: the rule for notes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if (1..=NOTE_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("it must be 1 to {NOTE_CHARS} characters without control characters"))
        }
    }

    /// The reason as stored, without surrounding white space.
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
