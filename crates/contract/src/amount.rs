//! Money: whole pesewas, never a float.

use std::fmt;

/// An amount of Ghana cedis, held as whole pesewas (1 cedi = 100 pesewas).
///
/// Always between 0.01 and 1,000,000,000.00 (contract section 2). It is read from
/// decimal text only; there is no conversion from a float.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Amount(i64);

/// Why a text is not an [`Amount`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AmountError {
    /// Not a number as JSON writes numbers (RFC 8259 section 6).
    NotANumber,
    /// Zero or less.
    NotPositive,
    /// A third decimal that is not zero.
    TooPrecise,
    /// More than 1,000,000,000.00.
    TooLarge,
}

impl Amount {
    /// The largest amount: 1,000,000,000.00, in pesewas.
    pub const MAX_PESEWAS: i64 = 100_000_000_000;

    /// Takes a count of pesewas.
    ///
    /// # Errors
    /// [`AmountError::NotPositive`] or [`AmountError::TooLarge`].
    pub const fn from_pesewas(pesewas: i64) -> Result<Self, AmountError> {
        match pesewas {
            ..=0 => Err(AmountError::NotPositive),
            1..=Self::MAX_PESEWAS => Ok(Self(pesewas)),
            _ => Err(AmountError::TooLarge),
        }
    }

    /// The count of pesewas.
    #[must_use]
    pub const fn pesewas(self) -> i64 {
        self.0
    }

    /// Reads the decimal text of a JSON number, in cedis: `10.5`, `1e2`, `10.500`.
    ///
    /// # Errors
    /// Every [`AmountError`], each for the text that it names.
    pub fn parse(text: &str) -> Result<Self, AmountError> {
        let number = Decimal::parse(text).ok_or(AmountError::NotANumber)?;
        if number.is_zero() || number.negative {
            return Err(AmountError::NotPositive);
        }
        // The place, counted in pesewas, of the last digit that is not zero.
        let last = number.exponent.saturating_add(2);
        if number.digits().saturating_add(last) > 12 {
            return Err(AmountError::TooLarge);
        }
        if last < 0 {
            return Err(AmountError::TooPrecise);
        }
        // Twelve digits at the most by now, so nothing below overflows.
        let significant = number.significant().fold(0_i64, |sum, digit| sum * 10 + i64::from(digit));
        Self::from_pesewas((0..last).fold(significant, |sum, _| sum * 10))
    }
}

/// Cedis, with at most two decimals and no trailing zeros: `10.5`, `0.29`, `1234567.89`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cedis, pesewas) = (self.0 / 100, self.0 % 100);
        match pesewas {
            0 => write!(f, "{cedis}"),
            tens if tens % 10 == 0 => write!(f, "{cedis}.{}", tens / 10),
            _ => write!(f, "{cedis}.{pesewas:02}"),
        }
    }
}

/// A JSON number, taken apart: (-) significant digits x 10^exponent.
struct Decimal<'a> {
    negative: bool,
    /// Integer and fraction digits, without the zeros that lead or trail the whole.
    integer: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let negative = text.starts_with('-');
        let (mantissa, power) = match text[usize::from(negative)..].split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, parse_power(power)?),
            None => (&text[usize::from(negative)..], 0),
        };
        let (integer, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let leading_zero = integer.len() > 1 && integer.starts_with('0');
        if !all_digits(integer) || integer.is_empty() || !all_digits(fraction) || leading_zero {
            return None;
        }
        let written = i64::try_from(fraction.len()).ok()?;
        let fraction = fraction.trim_end_matches('0');
        let kept = i64::try_from(fraction.len()).ok()?;
        let trimmed = if fraction.is_empty() { integer.trim_end_matches('0') } else { integer };
        let dropped = i64::try_from(integer.len() - trimmed.len()).ok()?;
        debug_assert!(kept <= written);
        Some(Self { negative, integer: trimmed, fraction, exponent: power.saturating_add(dropped - kept) })
    }

    fn is_zero(&self) -> bool {
        self.digits() == 0
    }

    fn significant(&self) -> impl Iterator<Item = u8> + '_ {
        self.integer.bytes().chain(self.fraction.bytes()).skip_while(|&byte| byte == b'0').map(|byte| byte - b'0')
    }

    fn digits(&self) -> i64 {
        i64::try_from(self.significant().count()).unwrap_or(i64::MAX)
    }
}

/// The power of ten, saturated: `1e99999999999999999999` is merely very large.
fn parse_power(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !all_digits(digits) {
        return None;
    }
    let power = digits.bytes().fold(0_i64, |sum, byte| sum.saturating_mul(10).saturating_add(i64::from(byte - b'0')));
    let power = power.min(i64::from(u32::MAX));
    Some(if negative { -power } else { power })
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pesewas(text: &str) -> Result<i64, AmountError> {
        Amount::parse(text).map(Amount::pesewas)
    }

    #[test]
    fn plain_numbers_are_read_to_the_pesewa() {
        for (text, expected) in [
            ("1", 100),
            ("0.01", 1),
            ("0.29", 29),
            ("10.5", 1050),
            ("10.500", 1050),
            ("1e2", 10_000),
            ("1E+2", 10_000),
            ("12e-1", 120),
            ("0.001e1", 1),
            ("0.1000000000000000000000000", 10),
            ("1000000000", 100_000_000_000),
            ("1000000000.00", 100_000_000_000),
            ("1e9", 100_000_000_000),
            ("1234567.89", 123_456_789),
            ("100", 10_000),
        ] {
            assert_eq!(pesewas(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn each_bad_number_is_refused_for_its_own_reason() {
        use AmountError::{NotANumber, NotPositive, TooLarge, TooPrecise};
        for (text, expected) in [
            ("0", NotPositive),
            ("-0", NotPositive),
            ("0.00", NotPositive),
            ("0e999", NotPositive),
            ("-1", NotPositive),
            ("-1e400", NotPositive),
            ("0.001", TooPrecise),
            ("10.505", TooPrecise),
            ("1e-3", TooPrecise),
            ("1e-99999999999999999999", TooPrecise),
            ("1000000000.01", TooLarge),
            ("1e10", TooLarge),
            ("1e400", TooLarge),
            ("1e99999999999999999999", TooLarge),
            ("99999999999999999999999999", TooLarge),
            ("", NotANumber),
            ("-", NotANumber),
            ("01", NotANumber),
            ("1.", NotANumber),
            (".5", NotANumber),
            ("+1", NotANumber),
            ("1e", NotANumber),
            ("1e+", NotANumber),
            ("NaN", NotANumber),
            ("Infinity", NotANumber),
            ("\"10\"", NotANumber),
            ("1,000", NotANumber),
            (" 1", NotANumber),
            ("1_000", NotANumber),
            ("0x10", NotANumber),
            ("١٢", NotANumber),
            ("true", NotANumber),
            ("null", NotANumber),
        ] {
            assert_eq!(pesewas(text), Err(expected), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(pesewas in 1..=Amount::MAX_PESEWAS) {
            let amount = Amount::from_pesewas(pesewas).unwrap();
            prop_assert_eq!(Amount::parse(&amount.to_string()), Ok(amount));
        }

        #[test]
        fn no_text_breaks_the_parser(text in "\\PC{0,40}") {
            let _ = Amount::parse(&text);
        }

        #[test]
        fn moving_the_point_and_the_exponent_together_changes_nothing(pesewas in 1..=Amount::MAX_PESEWAS, zeros in 0_usize..30) {
            let text = format!("{pesewas}{}e-{}", "0".repeat(zeros), zeros + 2);
            prop_assert_eq!(Amount::parse(&text).map(Amount::pesewas), Ok(pesewas));
        }
    }
}
