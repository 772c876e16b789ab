//! Amounts of money, in whole pesewas.

use std::fmt;

/// An amount of Ghana cedis, held as whole pesewas (1 cedi = 100 pesewas).
///
/// Between 0.01 and 1,000,000,000.00 cedis. It is parsed from decimal text only: there is no
/// conversion from a floating-point number, which could not represent 0.29 exactly. Specified in
/// `docs/reference/values.md#amounts`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Amount(i64);

/// Why a text or a number of pesewas is not an [`Amount`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AmountError {
    /// The text is not a JSON number (RFC 8259, section 6).
    NotANumber,
    /// The amount is zero or negative.
    NotPositive,
    /// The amount is not a whole number of pesewas: a third decimal is not zero.
    TooPrecise,
    /// The amount exceeds 1,000,000,000.00 cedis.
    TooLarge,
}

impl Amount {
    /// The largest amount: 1,000,000,000.00, in pesewas.
    pub const MAX_PESEWAS: i64 = 100_000_000_000;

    /// Creates an amount from whole pesewas.
    ///
    /// # Errors
    /// [`AmountError::NotPositive`] below 1, [`AmountError::TooLarge`] above [`Self::MAX_PESEWAS`].
    pub const fn from_pesewas(pesewas: i64) -> Result<Self, AmountError> {
        match pesewas {
            ..=0 => Err(AmountError::NotPositive),
            1..=Self::MAX_PESEWAS => Ok(Self(pesewas)),
            _ => Err(AmountError::TooLarge),
        }
    }

    /// The amount in pesewas.
    #[must_use]
    pub const fn pesewas(self) -> i64 {
        self.0
    }

    /// Parses the decimal text of a JSON number, in cedis: `10.5`, `1e2`, `10.500`.
    ///
    /// # Errors
    /// [`AmountError::NotANumber`], [`AmountError::NotPositive`], [`AmountError::TooPrecise`] or
    /// [`AmountError::TooLarge`].
    pub fn parse(text: &str) -> Result<Self, AmountError> {
        let number = Decimal::parse(text).ok_or(AmountError::NotANumber)?;
        if number.is_zero() || number.negative {
            return Err(AmountError::NotPositive);
        }
        // The power of ten, in pesewas, of the last digit that is not zero.
        let pesewa_exponent = number.exponent.saturating_add(2);
        if number.digit_count().saturating_add(pesewa_exponent) > 12 {
            return Err(AmountError::TooLarge);
        }
        if pesewa_exponent < 0 {
            return Err(AmountError::TooPrecise);
        }
        Self::from_pesewas(number.scaled_by(pesewa_exponent))
    }
}

/// Parses a whole number in any notation of JSON: `24`, `24.0`, `2.4e1`. One of more than 18 digits
/// is the largest or smallest of the type. `None` for any other text.
#[must_use]
pub fn parse_whole_number(text: &str) -> Option<i64> {
    let number = Decimal::parse(text)?;
    if number.is_zero() {
        return Some(0);
    }
    if number.exponent < 0 {
        return None;
    }
    if number.digit_count().saturating_add(number.exponent) > 18 {
        return Some(if number.negative { i64::MIN } else { i64::MAX });
    }
    let absolute = number.scaled_by(number.exponent);
    Some(if number.negative { -absolute } else { absolute })
}

/// Writes cedis with at most two decimals and no trailing zeros: `10.5`, `0.29`, `1234567.89`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cedis = self.0 / 100;
        let pesewas = self.0 % 100;
        match pesewas {
            0 => write!(f, "{cedis}"),
            tens if tens % 10 == 0 => write!(f, "{cedis}.{}", tens / 10),
            _ => write!(f, "{cedis}.{pesewas:02}"),
        }
    }
}

/// A parsed JSON number: sign, significant digits × 10^exponent.
struct Decimal<'a> {
    negative: bool,
    /// The digits before the decimal point; without trailing zeros if there is no fraction.
    integer: &'a str,
    /// The digits after the decimal point, without trailing zeros.
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let negative = text.starts_with('-');
        let (mantissa, power) = match text[usize::from(negative)..].split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
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
        let fraction = fraction.trim_end_matches('0');
        let decimals = i64::try_from(fraction.len()).ok()?;
        let trimmed = if fraction.is_empty() { integer.trim_end_matches('0') } else { integer };
        let removed_zeros = i64::try_from(integer.len() - trimmed.len()).ok()?;
        Some(Self {
            negative,
            integer: trimmed,
            fraction,
            exponent: power.saturating_add(removed_zeros - decimals),
        })
    }

    /// The significant digits with so many zeros behind them; at most 18 digits in all.
    fn scaled_by(&self, zeros: i64) -> i64 {
        let significant = self.significant().fold(0_i64, |sum, digit| sum * 10 + i64::from(digit));
        (0..zeros).fold(significant, |sum, _| sum * 10)
    }

    fn is_zero(&self) -> bool {
        self.digit_count() == 0
    }

    fn significant(&self) -> impl Iterator<Item = u8> + '_ {
        self.integer
            .bytes()
            .chain(self.fraction.bytes())
            .skip_while(|&byte| byte == b'0')
            .map(|byte| byte - b'0')
    }

    fn digit_count(&self) -> i64 {
        i64::try_from(self.significant().count()).unwrap_or(i64::MAX)
    }
}

/// Parses the exponent. It saturates, because `1e99999999999999999999` is only a very large number.
fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !all_digits(digits) {
        return None;
    }
    let power = digits
        .bytes()
        .fold(0_i64, |sum, byte| sum.saturating_mul(10).saturating_add(i64::from(byte - b'0')));
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
    fn json_numbers_are_parsed_to_exact_pesewas() {
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
    fn each_invalid_number_has_its_own_error() {
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

    #[test]
    fn whole_numbers_may_have_any_notation_of_json() {
        for (text, expected) in [
            ("24", Some(24)),
            ("24.0", Some(24)),
            ("2.4e1", Some(24)),
            ("0.0010e3", Some(1)),
            ("-24", Some(-24)),
            ("-0", Some(0)),
            ("0e999", Some(0)),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("1e17", Some(100_000_000_000_000_000)),
            ("1000000000000000000", Some(i64::MAX)),
            ("-1e99999999999999999999", Some(i64::MIN)),
            ("1.5", None),
            ("1e-1", None),
            ("", None),
            ("\"24\"", None),
        ] {
            assert_eq!(parse_whole_number(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn formatted_amounts_parse_to_the_same_amount(pesewas in 1..=Amount::MAX_PESEWAS) {
            let amount = Amount::from_pesewas(pesewas).unwrap();
            prop_assert_eq!(Amount::parse(&amount.to_string()), Ok(amount));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = Amount::parse(&text);
        }

        #[test]
        fn equal_numbers_in_exponent_notation_parse_to_the_same_amount(
            pesewas in 1..=Amount::MAX_PESEWAS,
            zeros in 0_usize..30,
        ) {
            let text = format!("{pesewas}{}e-{}", "0".repeat(zeros), zeros + 2);
            prop_assert_eq!(Amount::parse(&text).map(Amount::pesewas), Ok(pesewas));
        }
    }
}
