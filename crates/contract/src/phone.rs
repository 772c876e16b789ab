//! Ghanaian mobile numbers.

use std::fmt;

/// A mobile-money number: exactly ten ASCII digits beginning with 0 (contract section 2).
///
/// `Debug` shows the last three digits only, so that a log line cannot leak a number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Phone([u8; 10]);

/// Why a text is not a [`Phone`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhoneError {
    /// Nothing was entered.
    Empty,
    /// Something other than digits and the separators that people type.
    NotDigits,
    /// Not ten digits once a country code is taken off.
    WrongLength,
    /// Ten digits that do not begin with 0, or a country code that is not Ghana's.
    NotGhanaian,
}

impl Phone {
    /// Reads a number as the API takes it: ten digits beginning with 0.
    ///
    /// # Errors
    /// [`PhoneError`], by what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, PhoneError> {
        if text.is_empty() {
            return Err(PhoneError::Empty);
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(PhoneError::NotDigits);
        }
        let digits: [u8; 10] = text.as_bytes().try_into().map_err(|_| PhoneError::WrongLength)?;
        if digits[0] != b'0' {
            return Err(PhoneError::NotGhanaian);
        }
        Ok(Self(digits))
    }

    /// Reads a number as people type it: `024 123 4567`, `+233 (0)24-123 4567`,
    /// `00233241234567`, `233241234567`, `241234567`.
    ///
    /// # Errors
    /// [`PhoneError`], by what is wrong with the text.
    pub fn parse_typed(text: &str) -> Result<Self, PhoneError> {
        // A paste can be of any size; a number with every separator is far below this.
        const LONGEST: usize = 64;
        if text.len() > LONGEST {
            return Err(PhoneError::WrongLength);
        }
        let Typed { international, digits } = Typed::read(text).ok_or(PhoneError::NotDigits)?;
        if digits.is_empty() {
            return Err(if international { PhoneError::NotDigits } else { PhoneError::Empty });
        }
        let abroad = digits.strip_prefix("00").filter(|_| !international && digits.len() > 10);
        let subscriber = match abroad.or(international.then_some(digits.as_str())) {
            Some(number) => number.strip_prefix("233").ok_or(PhoneError::NotGhanaian)?,
            None if digits.len() >= 12 => digits.strip_prefix("233").ok_or(PhoneError::WrongLength)?,
            None => &digits,
        };
        match (subscriber.len(), subscriber.starts_with('0')) {
            (9, false) => Self::parse(&["0", subscriber].concat()),
            _ => Self::parse(subscriber),
        }
    }

    /// The ten digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // The constructor let only ASCII digits in.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The last three digits, all that a log may hold.
    #[must_use]
    pub fn last_three(&self) -> &str {
        &self.as_str()[7..]
    }

    /// The number as a checkout token sees it: `*******567`.
    #[must_use]
    pub fn masked(&self) -> String {
        ["*******", self.last_three()].concat()
    }
}

impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Phone(…")?;
        f.write_str(self.last_three())?;
        f.write_str(")")
    }
}

/// A typed number without its separators.
struct Typed {
    /// Whether it began with a plus.
    international: bool,
    digits: String,
}

impl Typed {
    /// Nothing where something else than digits and separators was typed.
    fn read(text: &str) -> Option<Self> {
        let mut typed = Self { international: false, digits: String::new() };
        // "(0)" is how letterheads write the trunk zero that a country code replaces.
        let trunk = find(text, "(0)").filter(|_| find(text, "233").is_some());
        for (at, character) in text.char_indices() {
            match character {
                '0' if trunk.is_some_and(|trunk| at == trunk + 1) => {}
                '0'..='9' => typed.digits.push(character),
                '+' if !typed.international && typed.digits.is_empty() => typed.international = true,
                '-' | '.' | '(' | ')' | '/' | '\u{2010}'..='\u{2013}' => {}
                // Invisible marks of direction, which come along with a copied number.
                '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
                _ if character.is_whitespace() => {}
                _ => return None,
            }
        }
        Some(typed)
    }
}

/// Where a short text of ASCII signs begins. `str::find` would do, at 1.6 KB more in the browser.
fn find(text: &str, part: &str) -> Option<usize> {
    text.as_bytes().windows(part.len()).position(|window| window == part.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_api_takes_ten_digits_and_nothing_else() {
        assert_eq!(Phone::parse("0241234567").unwrap().as_str(), "0241234567");
        for (text, expected) in [
            ("", PhoneError::Empty),
            ("024123456", PhoneError::WrongLength),
            ("02412345678", PhoneError::WrongLength),
            ("1241234567", PhoneError::NotGhanaian),
            ("024 1234567", PhoneError::NotDigits),
            ("+233241234567", PhoneError::NotDigits),
            ("٠٢٤١٢٣٤٥٦٧", PhoneError::NotDigits),
        ] {
            assert_eq!(Phone::parse(text), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn the_form_takes_what_people_type() {
        for text in [
            "0241234567",
            " 024 123 4567 ",
            "024-123-4567",
            "024.123.4567",
            "+233241234567",
            "+233 24 123 4567",
            "+233 (0)24-123 4567",
            "+2330241234567",
            "233241234567",
            "00233241234567",
            "00233 24 123 4567",
            "241234567",
            "24 123 4567",
            "\u{202a}+233\u{a0}24\u{a0}123\u{a0}4567\u{202c}",
            "233 (0) 24 123 4567",
        ] {
            assert_eq!(
                Phone::parse_typed(text).map(|phone| phone.as_str().to_owned()),
                Ok("0241234567".to_owned()),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_form_refuses_the_rest_by_what_is_wrong() {
        let huge = "0".repeat(10_000_000);
        for (text, expected) in [
            ("", PhoneError::Empty),
            ("   ", PhoneError::Empty),
            ("abc", PhoneError::NotDigits),
            ("024123456😀", PhoneError::NotDigits),
            ("+", PhoneError::NotDigits),
            ("--", PhoneError::Empty),
            ("0+241234567", PhoneError::NotDigits),
            ("02412", PhoneError::WrongLength),
            ("024123456789", PhoneError::WrongLength),
            ("+44 7911 123456", PhoneError::NotGhanaian),
            ("0044 7911 123456", PhoneError::NotGhanaian),
            (&huge, PhoneError::WrongLength),
        ] {
            assert_eq!(Phone::parse_typed(text), Err(expected), "{:?}", &text[..text.len().min(30)]);
        }
    }

    #[test]
    fn a_debugged_phone_shows_three_digits() {
        assert_eq!(format!("{:?}", Phone::parse("0241234567").unwrap()), "Phone(…567)");
        assert_eq!(Phone::parse("0241234567").unwrap().masked(), "*******567");
    }

    proptest! {
        #[test]
        fn whatever_separators_are_typed_the_number_is_the_same(digits in "0[0-9]{9}", gaps in prop::collection::vec("[ .\\-]{0,2}", 10)) {
            let typed: String = digits.chars().zip(&gaps).map(|(digit, gap)| format!("{digit}{gap}")).collect();
            prop_assert_eq!(Phone::parse_typed(&typed), Phone::parse(&digits));
        }

        #[test]
        fn what_the_form_takes_the_api_takes(text in "\\PC{0,30}") {
            if let Ok(phone) = Phone::parse_typed(&text) {
                prop_assert!(Phone::parse(phone.as_str()).is_ok());
            }
        }
    }
}
