//! Sums of money that may be zero or negative, such as balances.

use tua_contract::{Amount, AmountError};

/// Parses a decimal sum into hundredths of its currency; `None` where it is not a whole number of
/// them.
#[must_use]
pub fn minor_units(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    match Amount::parse(digits) {
        Ok(amount) => Some(sign * amount.pesewas()),
        // The sign is removed, so this is zero; unless the text has two signs.
        Err(AmountError::NotPositive) if !digits.starts_with('-') => Some(0),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_and_may_be_zero_or_negative() {
        for (text, expected) in [
            ("1000", Some(100_000)),
            ("0", Some(0)),
            ("0.00", Some(0)),
            ("-12.5", Some(-1250)),
            ("15.0000", Some(1500)),
            ("0.001", None),
            ("--1", None),
            ("-", None),
            ("", None),
            ("1,000", None),
        ] {
            assert_eq!(minor_units(text), expected, "{text}");
        }
    }
}
