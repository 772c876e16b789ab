//! Who decides about a payment, and the reason.

use super::line::{MAX_NAME_CHARS, parse_line, parse_name};
use std::{fmt, str::FromStr};
use tua_contract::plain_text::visible;

/// The longest note, in characters.
const MAX_NOTE_CHARS: usize = 500;

/// Who decides: on the command line a name as typed, which proves nothing; in the dashboard the
/// e-mail address of the signed-in person. 1 to 80 characters on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersonName(String);

impl PersonName {
    /// The name or address of a person, cut to the longest name; `None` where nothing of it can be
    /// seen, or where it has several lines.
    #[must_use]
    pub fn shortened(text: &str) -> Option<Self> {
        visible(text).chars().take(MAX_NAME_CHARS).collect::<String>().parse().ok()
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
        parse_name(text).map(Self)
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The reason for a decision: 1 to 500 characters on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionNote(String);

impl DecisionNote {
    /// The reason as stored, without surrounding white space.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for DecisionNote {
    type Err = String;

    /// Reads a reason, without surrounding white space.
    fn from_str(text: &str) -> Result<Self, String> {
        parse_line(text, MAX_NOTE_CHARS).map(Self)
    }
}

impl fmt::Display for DecisionNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_1_to_500_characters() {
        for good in ["a", " seen in MTN's portal ", "é".repeat(500).as_str()] {
            assert_eq!(good.parse::<DecisionNote>().unwrap().as_str(), good.trim());
        }
        for bad in ["", "  ", "a\nb", &"n".repeat(501)] {
            assert!(bad.parse::<DecisionNote>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_name_is_1_to_80_characters_and_a_longer_one_can_be_cut() {
        let longest = "é".repeat(80);
        assert_eq!(longest.parse::<PersonName>().unwrap().as_str(), longest);
        let long = format!("{}{longest}é", " ".repeat(80));
        assert!(long.parse::<PersonName>().is_err());
        assert_eq!(PersonName::shortened(&long).unwrap().as_str(), longest);
        for none in ["", " \u{200b}", "Ama\nEsi"] {
            assert_eq!(PersonName::shortened(none), None, "{none:?}");
        }
    }
}
