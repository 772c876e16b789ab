//! The operator's id of a payment, as the SMS of the network shows it to the payer.

use std::fmt;
use tua_contract::plain_text::normalize_text;

/// The lengths that are looked up, in characters. Known ids have 10 to 36.
const LENGTHS: std::ops::RangeInclusive<usize> = 5..=64;

/// An operator's id of a payment that a person has typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorTransactionId(String);

/// The text cannot be the id of a payment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it must have 5 to 64 letters, digits, dots, dashes and underscores")]
pub struct NotAnId;

impl OperatorTransactionId {
    /// Reads an id as typed. White space is left out: people copy it with the id, or group the
    /// digits. So is the point or comma that ends the sentence of the SMS. Digits of any script are
    /// digits, and invisible characters are nothing.
    ///
    /// # Errors
    /// [`NotAnId`].
    pub fn parse(typed: &str) -> Result<Self, NotAnId> {
        let id: String = normalize_text(typed).chars().filter(|c| !c.is_whitespace()).collect();
        let id = id.trim_matches(|c| ".,:;!?()*\"'".contains(c)).to_owned();
        let is_possible = id.chars().all(|c| c.is_ascii_alphanumeric() || ".-_".contains(c));
        if is_possible && LENGTHS.contains(&id.len()) { Ok(Self(id)) } else { Err(NotAnId) }
    }

    /// The id as it is looked up: without white space, 5 to 64 characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OperatorTransactionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_people_type_it() {
        for typed in ["12345678901", " 1234 567 8901\n", "MP240101.1234.A12345", "a-b_c"] {
            let id = OperatorTransactionId::parse(typed).unwrap();
            assert!(!id.as_str().contains(char::is_whitespace), "{typed}");
        }
        for typed in [
            "12345678901.",
            "\u{200b}12345678901\u{2060}",
            "١٢٣٤٥٦٧٨٩٠١",
            "(12345678901),",
            "*12345678901*",
        ] {
            assert_eq!(
                OperatorTransactionId::parse(typed).unwrap().as_str(),
                "12345678901",
                "{typed}"
            );
        }
        for typed in ["", "1234", "1234.", "12345\0", "ab<script>", "12;345", &"1".repeat(65)] {
            assert_eq!(OperatorTransactionId::parse(typed), Err(NotAnId), "{typed:?}");
        }
    }
}
