//! The codes of payment links: 8 characters that can be read over a phone.

use crate::domain::secret::random_bytes;
use std::fmt;

/// Digits and capital letters without 0 and O, 1, I and L.
const ALPHABET: &[u8; 31] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";

const CHARACTERS: usize = 8;

/// The code of a payment link. There are 31^8, about 850 milliards (39 bits), and guesses are limited.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinkCode(String);

impl LinkCode {
    /// A new code from the system's random source.
    #[must_use]
    pub fn random() -> Self {
        let mut code = String::with_capacity(CHARACTERS);
        while code.len() < CHARACTERS {
            // Larger values are dropped: a remainder would prefer some characters.
            let drawn = random_bytes::<16>().into_iter().map(|byte| byte >> 3);
            let known = drawn.filter_map(|index| ALPHABET.get(usize::from(index)));
            code.extend(known.map(|character| char::from(*character)).take(CHARACTERS - code.len()));
        }
        Self(code)
    }

    /// Reads a code as people type it: case, spaces and dashes do not matter. `None` if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut code = String::with_capacity(CHARACTERS);
        for character in text.chars().filter(|character| !is_separator(*character)) {
            let capital = character.to_ascii_uppercase();
            let is_known = u8::try_from(capital).is_ok_and(|byte| ALPHABET.contains(&byte));
            if !is_known || code.len() == CHARACTERS {
                return None;
            }
            code.push(capital);
        }
        (code.len() == CHARACTERS).then_some(Self(code))
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

/// White space, and what phones make of a dash.
fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}
