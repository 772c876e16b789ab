//! One-time passcodes and vouchers.

use std::fmt;

/// A one-time passcode or a Telecel voucher: 4 to 10 ASCII letters or digits. Specified in
/// `docs/reference/values.md#text-fields`. `Debug` hides the text.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

/// Why a text is not a [`Code`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeError {
    /// The text is empty, or white space only.
    Empty,
    /// The text has fewer than 4 or more than 10 characters.
    WrongLength,
    /// The text contains something other than ASCII letters and digits.
    NotAlphanumeric,
}

impl Code {
    /// Parses a passcode or voucher. White space at both ends is ignored.
    ///
    /// # Errors
    /// [`CodeError::Empty`], [`CodeError::NotAlphanumeric`] or [`CodeError::WrongLength`].
    pub fn parse(text: &str) -> Result<Self, CodeError> {
        let code = text.trim();
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

    /// The text. Only the operator may receive it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
