//! One-time passcodes and vouchers.

use crate::code_in_text::only_code_in;
use crate::plain_text::{is_space_or_dash, is_white_space, normalize_text};
use std::fmt;

/// The longest text that [`Code::parse_typed`] reads, in characters: a whole SMS of several
/// parts. Longer texts are refused. The component keeps at most one character more of a text, so
/// that a text that is too long stays too long.
pub const TYPED_MAX_CHARS: usize = 500;

/// A one-time passcode or a Telecel voucher: 4 to 10 ASCII letters or digits. Specified in
/// `docs/reference/values.md#text-fields`. `Debug` hides the text.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

/// Why a text is not a [`Code`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeError {
    /// The text is empty, or has only characters that the parser ignores: white space, and for
    /// [`Code::parse_typed`] also dashes and invisible characters.
    Empty,
    /// The code has fewer than 4 or more than 10 characters, or [`Code::parse_typed`] got a text of
    /// more than [`TYPED_MAX_CHARS`] characters.
    WrongLength,
    /// The text contains something other than ASCII letters and digits, and not exactly one code.
    NotAlphanumeric,
}

impl Code {
    /// Parses a passcode or voucher. White space at both ends is ignored.
    ///
    /// # Errors
    /// [`CodeError::Empty`], [`CodeError::NotAlphanumeric`] or [`CodeError::WrongLength`].
    pub fn parse(text: &str) -> Result<Self, CodeError> {
        let code = text.trim_matches(is_white_space);
        if code.is_empty() {
            Err(CodeError::Empty)
        } else if !code.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            Err(CodeError::NotAlphanumeric)
        } else if !(4..=10).contains(&code.len()) {
            Err(CodeError::WrongLength)
        } else {
            Ok(Self(code.to_owned()))
        }
    }

    /// Parses a code as people type or paste it: `123 456`, `123-456`, or a sentence with one code
    /// of digits in it. Digits of any script are converted to ASCII, and invisible characters are
    /// removed.
    ///
    /// # Errors
    /// The same as [`Code::parse`]. A sentence with two possible codes, or one that may be cut, is
    /// [`CodeError::NotAlphanumeric`]: a wrong code costs one of five tries. A text of more than
    /// [`TYPED_MAX_CHARS`] characters is [`CodeError::WrongLength`].
    pub fn parse_typed(text: &str) -> Result<Self, CodeError> {
        if text.chars().count() > TYPED_MAX_CHARS {
            return Err(CodeError::WrongLength);
        }
        let text = normalize(text);
        let is_number =
            text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-'));
        let part = match Self::parse(&text) {
            _ if is_number => text.as_bytes(),
            Err(CodeError::NotAlphanumeric) => {
                only_code_in(text.as_bytes()).ok_or(CodeError::NotAlphanumeric)?
            }
            parsed => return parsed,
        };
        let mut digits = String::new();
        for byte in part {
            if byte.is_ascii_digit() {
                digits.push(char::from(*byte));
            }
        }
        Self::parse(&digits)
    }

    /// The text. Only the operator may receive it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// The text with ASCII digits, with a hyphen for every dash and a space for other white space. A
/// line end is two spaces, because it separates more than a space does. A space is appended.
fn normalize(text: &str) -> String {
    let mut normalized = String::new();
    for character in normalize_text(text).chars() {
        match character {
            '\n' => normalized.push_str("  "),
            _ if is_white_space(character) => normalized.push(' '),
            _ if is_space_or_dash(character) => normalized.push('-'),
            _ => normalized.push(character),
        }
    }
    normalized.push(' ');
    normalized
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(text: &str) -> Result<String, CodeError> {
        Code::parse_typed(text).map(|code| code.expose().to_owned())
    }

    #[test]
    fn a_code_is_read_as_people_type_and_paste_it() {
        for (text, code) in [
            ("123456", "123456"),
            ("  123456\n", "123456"),
            ("123 456", "123456"),
            ("123-456", "123456"),
            ("12 34 56", "123456"),
            ("1 2 3 4 5 6", "123456"),
            ("123\u{2011}456", "123456"),
            ("1234 5678 90", "1234567890"),
            ("\u{200b}123\u{2060}456\u{feff}", "123456"),
            ("١٢٣٤٥٦", "123456"),
            ("۱۲۳ ۴۵۶", "123456"),
            ("１２３４５６", "123456"),
            ("aB12", "aB12"),
            ("ABCD", "ABCD"),
        ] {
            assert_eq!(typed(text).as_deref(), Ok(code), "{text:?}");
        }
    }

    #[test]
    fn a_text_without_exactly_one_code_is_refused() {
        let cut = format!("{}123456", " ".repeat(TYPED_MAX_CHARS));
        for (text, expected) in [
            ("", CodeError::Empty),
            ("\u{200b} ", CodeError::Empty),
            ("- -", CodeError::Empty),
            ("12 3", CodeError::WrongLength),
            ("123456 789012", CodeError::WrongLength),
            ("Your code is 123456 or 654321", CodeError::NotAlphanumeric),
            ("AB12-CD34 5", CodeError::NotAlphanumeric),
            ("Your code is on its way", CodeError::NotAlphanumeric),
            ("Your code is 12", CodeError::NotAlphanumeric),
            ("The code of 25/11/2026", CodeError::NotAlphanumeric),
            ("GHS 5000.00", CodeError::NotAlphanumeric),
            ("The number 12345678901", CodeError::NotAlphanumeric),
            ("12.34", CodeError::NotAlphanumeric),
            ("pässwörd", CodeError::NotAlphanumeric),
            (&cut, CodeError::WrongLength),
        ] {
            assert_eq!(typed(text), Err(expected), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn separators_do_not_change_a_code(
            code in "[0-9]{4,10}",
            gaps in prop::collection::vec("[ \u{200b}\u{2011}\\-]{0,2}", 10),
        ) {
            let text: String =
                code.chars().zip(&gaps).map(|(digit, gap)| format!("{digit}{gap}")).collect();
            prop_assert_eq!(typed(&text), Ok(code));
        }

        #[test]
        fn what_is_typed_is_a_code_for_the_api_or_refused(text in "\\PC{0,60}") {
            if let Ok(code) = Code::parse_typed(&text) {
                prop_assert!(Code::parse(code.expose()).is_ok());
                let plain = normalize_text(&text);
                prop_assert!(
                    plain
                        .replace(|c: char| !c.is_ascii_alphanumeric(), "")
                        .contains(code.expose())
                );
            }
        }
    }

    #[test]
    fn an_otp_has_4_to_10_letters_or_digits() {
        assert_eq!(Code::parse(" 123456\n").unwrap().expose(), "123456");
        assert_eq!(Code::parse("aB12").unwrap().expose(), "aB12");
        for (text, expected) in [
            ("", CodeError::Empty),
            ("  ", CodeError::Empty),
            ("123", CodeError::WrongLength),
            ("12345678901", CodeError::WrongLength),
            ("12 34", CodeError::NotAlphanumeric),
            ("12-34", CodeError::NotAlphanumeric),
            ("١٢٣٤", CodeError::NotAlphanumeric),
        ] {
            assert_eq!(Code::parse(text), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn debug_output_hides_the_text() {
        assert_eq!(format!("{:?}", Code::parse("123456").unwrap()), "Code(…)");
    }
}
