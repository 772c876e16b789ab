//! Amounts as people type them.

use crate::plain_text::normalize_text;
use crate::{Amount, AmountError};

/// What people write before or after an amount, in capitals; the longer ones come first. U+00A2 and
/// U+FFE0 are cent signs, which keyboards have in place of the cedi sign, U+20B5.
const CURRENCIES: [&str; 13] = [
    "GHANA CEDIS",
    "GHANA CEDI",
    "CEDIS",
    "CEDI",
    "GH\u{20b5}",
    "GH\u{a2}",
    "GH\u{ffe0}",
    "GHS",
    "GHC",
    "GH",
    "\u{20b5}",
    "\u{a2}",
    "\u{ffe0}",
];

impl Amount {
    /// Parses an amount in cedis as people type it: with the currency before or after it,
    /// thousands separators, or a decimal comma. Digits of any script are converted to ASCII, and
    /// invisible characters are removed. Specified in `docs/reference/values.md#typed-numbers`.
    ///
    /// # Errors
    /// The same as [`Amount::parse`]. A sign, an exponent, or a text that can be read in two ways
    /// is [`AmountError::NotANumber`].
    pub fn parse_typed(text: &str) -> Result<Self, AmountError> {
        decimal(text).map_or(Err(AmountError::NotANumber), |number| Self::parse(&number))
    }
}

/// The amount as the text of a JSON number.
fn decimal(text: &str) -> Option<String> {
    let text: String = normalize_text(text).to_uppercase().chars().map(plain_separator).collect();
    let number = without_currency(text.trim())?;
    let separator = decimal_separator(number);
    let (whole, decimals) = separator.map_or((number, ""), |at| (&number[..at], &number[at + 1..]));
    let is_repeated = separator.is_some_and(|at| whole.contains(&number[at..=at]));
    let could_be_thousands =
        decimals.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
    let digits = without_separators(whole).filter(|_| !could_be_thousands)?;
    let all_digits = [digits.as_str(), decimals].concat();
    if is_repeated || all_digits.is_empty() || !all_digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    // JSON has no zeros before a whole number, and digits on both sides of the point.
    let whole =
        Some(digits.trim_start_matches('0')).filter(|digits| !digits.is_empty()).unwrap_or("0");
    Some(if decimals.is_empty() { whole.to_owned() } else { [whole, ".", decimals].concat() })
}

/// Arabic and full-width separators, the typographic apostrophe, and every kind of space, as ASCII.
fn plain_separator(character: char) -> char {
    match character {
        '\u{66b}' | '\u{ff0e}' => '.',
        '\u{66c}' | '\u{ff0c}' => ',',
        '\u{2019}' => '\'',
        _ if character.is_whitespace() => ' ',
        _ => character,
    }
}

/// The text without one currency before or after it. `None` for an abbreviation with a point: `Ghs.
/// 10` is not 0.10.
fn without_currency(text: &str) -> Option<&str> {
    let before =
        CURRENCIES.iter().find_map(|currency| Some((currency, text.strip_prefix(currency)?)));
    if let Some((currency, number)) = before {
        let is_abbreviated =
            currency.ends_with(|last: char| last.is_ascii_alphabetic()) && number.starts_with('.');
        return (!is_abbreviated).then(|| number.trim());
    }
    let after = CURRENCIES.iter().find_map(|currency| text.strip_suffix(currency));
    Some(after.unwrap_or(text).trim())
}

/// The index of the decimal separator: the last point or comma. A comma in a text without a point
/// is the decimal separator only if 1 or 2 characters follow it.
fn decimal_separator(number: &str) -> Option<usize> {
    match (number.rfind('.'), number.rfind(',')) {
        (None, Some(comma)) => Some(comma).filter(|at| matches!(number.len() - at, 2 | 3)),
        (point, comma) => point.max(comma),
    }
}

/// The digits of a whole number. `None` where something else than groups of three digits stands
/// between its separators.
fn without_separators(whole: &str) -> Option<String> {
    let groups: Vec<&str> = whole.split([',', '.', ' ', '\'']).collect();
    // "0,500" is more likely a half than 500.
    let is_first = (1..=3).contains(&groups[0].len()) && !groups[0].starts_with('0');
    let is_grouped = is_first && groups[1..].iter().all(|group| group.len() == 3);
    (groups.len() == 1 || is_grouped).then(|| groups.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_amount_is_read_as_people_type_it() {
        for (typed, meant) in [
            ("10", "10"),
            (" 10.5 ", "10.5"),
            ("10,50", "10.5"),
            ("1000.500", "1000.5"),
            ("0.500", "0.5"),
            ("1,234.500", "1234.5"),
            ("0,50", "0.5"),
            ("0.50", "0.5"),
            (".5", "0.5"),
            ("007", "7"),
            ("12.", "12"),
            ("1,000", "1000"),
            ("1,000,000", "1000000"),
            ("1 234,5", "1234.5"),
            ("1\u{a0}234.5", "1234.5"),
            ("1\u{202f}234\u{202f}567,89", "1234567.89"),
            ("1.234,50", "1234.5"),
            ("1.000,00", "1000"),
            ("1'000.00", "1000"),
            ("GH₵10.50", "10.5"),
            ("gh₵ 10", "10"),
            ("GH¢10", "10"),
            ("¢ 10", "10"),
            ("￠10", "10"),
            ("₵.50", "0.5"),
            ("GHC 10", "10"),
            ("GHS 1,234.50", "1234.5"),
            ("10 cedis", "10"),
            ("10cedi", "10"),
            ("10 Ghana Cedis", "10"),
            ("10 GHS", "10"),
            ("10.50 ₵", "10.5"),
            ("٥", "5"),
            ("۱۲٫۵۰", "12.5"),
            ("١٬٢٣٤", "1234"),
            ("１０．５０", "10.5"),
            ("1\u{200b}0\u{2060}\u{feff}", "10"),
        ] {
            let expected = Amount::parse(meant).unwrap();
            assert_eq!(Amount::parse_typed(typed), Ok(expected), "{typed:?}");
        }
    }

    #[test]
    fn a_text_that_is_not_exactly_one_amount_is_refused() {
        for text in [
            "",
            " ",
            "ten",
            "GHS",
            "cedis",
            "1e2",
            "-5",
            "+5",
            "\u{2212}5",
            "(5)",
            "1,00,0",
            "5.5.5",
            "1.234.567",
            "5/2",
            ",",
            ".",
            "GH₵x",
            "10 50",
            "1 2",
            "10 20 cedis",
            "1GHS0",
            "Ghs. 10",
            "gh.10",
            "1,2.3",
            "0,500",
            "0,005",
            "01,500",
            "000,500",
            "0 500",
            "0'500",
            "0.500,00",
            "1.000",
            "1.250",
            "1.234",
            "GHS 10.500",
            "\u{661}\u{66b}\u{662}\u{665}\u{660}",
            "½",
            "²",
            "USD 10",
            "10%",
        ] {
            assert_eq!(Amount::parse_typed(text), Err(AmountError::NotANumber), "{text:?}");
        }
        assert_eq!(Amount::parse_typed("1234.567"), Err(AmountError::TooPrecise));
        assert_eq!(Amount::parse_typed("0"), Err(AmountError::NotPositive));
        assert_eq!(Amount::parse_typed("99999999999"), Err(AmountError::TooLarge));
    }

    proptest! {
        #[test]
        fn a_text_with_two_readings_is_refused(
            whole in 1..=999,
            decimals in "[0-9]{3}",
            zeros in "0{1,2}",
            sign in "[,.' ]",
        ) {
            let grouped = format!("{whole}.{decimals}");
            prop_assert!(Amount::parse_typed(&grouped).is_err());
            let with_zeros = format!("{zeros}{sign}{decimals}");
            let read = Amount::parse_typed(&with_zeros);
            prop_assert!(read.is_err() || sign == ".", "{:?}", read);
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,30}") {
            let _ = Amount::parse_typed(&text);
        }

        #[test]
        fn every_amount_is_read_back(
            pesewas in 1..=Amount::MAX_PESEWAS,
            currency in prop::sample::select(CURRENCIES.to_vec()),
        ) {
            let amount = Amount::from_pesewas(pesewas).unwrap();
            let spellings = [
                format!("{amount}"),
                format!("{currency} {amount}"),
                format!("{amount} {currency}"),
            ];
            for text in spellings {
                prop_assert_eq!(Amount::parse_typed(&text), Ok(amount), "{}", text);
            }
        }
    }
}
