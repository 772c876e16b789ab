//! Ghanaian mobile phone numbers.

use crate::plain_text::{is_space_or_dash, normalize_text};
use std::fmt;

/// The phone number of a mobile-money wallet: exactly ten ASCII digits that begin with 0. Specified
/// in `docs/reference/values.md#phone-numbers`.
///
/// `Debug` writes the last three digits only, so that a log line cannot contain a whole number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Phone([u8; 10]);

/// Why a text is not a [`Phone`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhoneError {
    /// The text is empty, or contains separators only.
    Empty,
    /// The text contains something other than digits and common separators.
    NotDigits,
    /// The number does not have ten digits, after a country code is removed.
    WrongLength,
    /// The number has ten digits but does not begin with 0, or its country code is not Ghana's
    /// (233).
    NotGhanaian,
}

impl Phone {
    /// Parses a number as the API accepts it: ten digits that begin with 0, without separators.
    ///
    /// # Errors
    /// [`PhoneError::Empty`], [`PhoneError::NotDigits`], [`PhoneError::WrongLength`] or
    /// [`PhoneError::NotGhanaian`].
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

    /// Parses a number as people type it: `024 123 4567`, `+233 (0)24-123 4567`, `00233241234567`,
    /// `233241234567`, `241234567`. Digits of any script are digits, and invisible characters are
    /// nothing. A point is no separator: it would turn `241234567.0`, which a spreadsheet writes,
    /// into another number.
    ///
    /// # Errors
    /// The same as [`Phone::parse`]. A text of more than 64 characters is
    /// [`PhoneError::WrongLength`].
    pub fn parse_typed(text: &str) -> Result<Self, PhoneError> {
        // A pasted text can have any size. A number with all its separators is much shorter than
        // this.
        const MAX_CHARS: usize = 64;
        if text.chars().count() > MAX_CHARS {
            return Err(PhoneError::WrongLength);
        }
        let TypedNumber { has_plus, digits } =
            TypedNumber::parse(text).ok_or(PhoneError::NotDigits)?;
        if digits.is_empty() {
            return Err(if has_plus { PhoneError::NotDigits } else { PhoneError::Empty });
        }
        let after_00 = digits.strip_prefix("00").filter(|_| !has_plus && digits.len() > 10);
        let subscriber = match after_00.or(has_plus.then_some(digits.as_str())) {
            Some(number) => number.strip_prefix("233").ok_or(PhoneError::NotGhanaian)?,
            None if digits.len() >= 12 => {
                digits.strip_prefix("233").ok_or(PhoneError::WrongLength)?
            }
            // The country code and a number that was cut, or a number without its zero: two
            // subscribers.
            None if digits.len() == 9 && digits.starts_with("233") => {
                return Err(PhoneError::WrongLength);
            }
            None => &digits,
        };
        match (subscriber.len(), subscriber.starts_with('0')) {
            (9, false) => Self::parse(&["0", subscriber].concat()),
            _ => Self::parse(subscriber),
        }
    }

    /// The ten digits of the national format, such as `0241234567`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // The bytes are ASCII digits, so the default is never used.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The last three digits. A log line may contain no more of a number.
    #[must_use]
    pub fn last_three(&self) -> &str {
        &self.as_str()[7..]
    }

    /// The number as a checkout token may read it: `*******567`.
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

/// A number as a person typed it, without separators.
struct TypedNumber {
    /// Whether the number began with `+`, which a country code must follow.
    has_plus: bool,
    digits: String,
}

impl TypedNumber {
    /// `None` if the text contains anything other than digits and separators.
    fn parse(text: &str) -> Option<Self> {
        let mut typed = Self { has_plus: false, digits: String::new() };
        let text = normalize_text(text);
        // People write "+233 (0)24 …": the country code replaces the zero in brackets.
        let trunk = find_ascii(&text, "(0)").filter(|_| find_ascii(&text, "233").is_some());
        for (at, character) in text.char_indices() {
            match character {
                '0' if trunk.is_some_and(|trunk| at == trunk + 1) => {}
                '0'..='9' => typed.digits.push(character),
                '+' | '\u{ff0b}' if !typed.has_plus && typed.digits.is_empty() => {
                    typed.has_plus = true
                }
                '(' | ')' | '/' => {}
                _ if is_space_or_dash(character) => {}
                _ => return None,
            }
        }
        Some(typed)
    }
}

/// The byte position of the short ASCII text `part`. `str::find` does the same, but adds 1.6 KB to
/// the wasm.
pub(crate) fn find_ascii(text: &str, part: &str) -> Option<usize> {
    text.as_bytes().windows(part.len()).position(|window| window == part.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_api_accepts_exactly_ten_digits() {
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
    fn the_form_accepts_common_spellings() {
        for text in [
            "0241234567",
            " 024 123 4567 ",
            "024-123-4567",
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
            "٠٢٤ ١٢٣ ٤٥٦٧",
            "۰۲۴۱۲۳۴۵۶۷",
            "＋２３３ ２４－１２３ ４５６７",
            "\u{feff}024\u{200b}123\u{2060}4567\u{ad}",
            "024\u{2011}123\u{2212}4567",
            "+٢٣٣ (٠)24 123 4567",
        ] {
            assert_eq!(
                Phone::parse_typed(text).map(|phone| phone.as_str().to_owned()),
                Ok("0241234567".to_owned()),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_form_refuses_other_texts_with_the_matching_error() {
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
            ("233241234", PhoneError::WrongLength),
            ("233 123 456", PhoneError::WrongLength),
            ("024123456789", PhoneError::WrongLength),
            ("+44 7911 123456", PhoneError::NotGhanaian),
            ("0044 7911 123456", PhoneError::NotGhanaian),
            ("024.123.4567", PhoneError::NotDigits),
            ("241234567.0", PhoneError::NotDigits),
            ("2.41234567", PhoneError::NotDigits),
            ("²4¹23４５６７", PhoneError::NotDigits),
            ("\u{200b}\u{200b}", PhoneError::Empty),
            (&huge, PhoneError::WrongLength),
        ] {
            assert_eq!(
                Phone::parse_typed(text),
                Err(expected),
                "{:?}",
                &text[..text.len().min(30)]
            );
        }
    }

    #[test]
    fn debug_output_contains_three_digits_only() {
        assert_eq!(format!("{:?}", Phone::parse("0241234567").unwrap()), "Phone(…567)");
        assert_eq!(Phone::parse("0241234567").unwrap().masked(), "*******567");
    }

    proptest! {
        #[test]
        fn separators_do_not_change_the_number(
            digits in "0[0-9]{9}",
            gaps in prop::collection::vec("[ \u{200b}\u{2011}\\-]{0,2}", 10),
        ) {
            let typed: String =
                digits.chars().zip(&gaps).map(|(digit, gap)| format!("{digit}{gap}")).collect();
            prop_assert_eq!(Phone::parse_typed(&typed), Phone::parse(&digits));
        }

        #[test]
        fn the_script_of_the_digits_does_not_change_the_number(
            digits in "0[0-9]{9}",
            zero in prop::sample::select(vec!['٠', '۰', '߀', '०', '０', '𝟎']),
        ) {
            let typed: String = digits
                .bytes()
                .filter_map(|digit| char::from_u32(u32::from(zero) + u32::from(digit - b'0')))
                .collect();
            prop_assert_eq!(Phone::parse_typed(&typed), Phone::parse(&digits));
        }

        #[test]
        fn numbers_from_the_form_are_valid_for_the_api(text in "\\PC{0,30}") {
            if let Ok(phone) = Phone::parse_typed(&text) {
                prop_assert!(Phone::parse(phone.as_str()).is_ok());
            }
        }
    }
}
