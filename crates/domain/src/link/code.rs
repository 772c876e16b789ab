//! The codes of payment links: 8 characters that can be read over a phone.

use crate::readable_code::{ALPHABET, random_code};
use std::fmt;
use tua_contract::plain_text::{is_space_or_dash, normalize_text};

const CHARACTERS: usize = 8;

/// The code of a payment link. There are 31^8, about 850 milliards (39 bits), and guesses are
/// limited.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinkCode(String);

impl LinkCode {
    /// A new code from the system's random source.
    #[must_use]
    pub fn random() -> Self {
        Self(random_code(CHARACTERS))
    }

    /// Reads a code as people type it, or copy it from a sentence: case, spaces and dashes do not
    /// matter, nor does punctuation around it. `None` if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut code = String::with_capacity(CHARACTERS);
        let text = normalize_text(text);
        let text = text.trim_matches(|character: char| !character.is_alphanumeric());
        for character in text.chars().filter(|character| !is_space_or_dash(*character)) {
            let capital = character.to_ascii_uppercase();
            let is_known = u8::try_from(capital).is_ok_and(|byte| ALPHABET.contains(&byte));
            if !is_known || code.len() == CHARACTERS {
                return None;
            }
            code.push(capital);
        }
        (code.len() == CHARACTERS).then_some(Self(code))
    }

    /// Reads the code of an address that was copied with more around it: a whole address, a code
    /// with parameters, a slash or a word's end behind it (`https://pay.example/l/CODE`,
    /// `CODE&utm=x`, `CODE//`, `CODE's`). `None` for no code.
    #[must_use]
    pub fn parse_in_address(text: &str) -> Option<Self> {
        let text = normalize_text(text);
        let code = text.rsplit_once("/l/").map_or(text.as_str(), |(_, code)| code);
        let code = code.trim_start_matches(|character: char| !character.is_alphanumeric());
        let is_end = |character: char| !character.is_alphanumeric() && !is_space_or_dash(character);
        Self::parse(code.split(is_end).next().unwrap_or_default())
    }

    /// The code in capitals, without separators.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The code in two halves, as it is easier to read.
    #[must_use]
    pub fn spaced(&self) -> String {
        let (first, second) = self.0.split_at(CHARACTERS / 2);
        format!("{first} {second}")
    }
}

impl fmt::Display for LinkCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
