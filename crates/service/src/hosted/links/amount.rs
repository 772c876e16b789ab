//! The amount that a payer types.

use crate::domain::link::LinkAmount;
use tua_contract::{Amount, amount::AmountError};

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AmountFault {
    Empty,
    NotANumber,
    TooPrecise,
    /// Below the link's smallest amount, or below one pesewa.
    TooSmall(Amount),
    /// Above the link's largest amount, or above the service's.
    TooLarge(Amount),
}

/// Reads an amount in cedis as people type it: with spaces, the currency, a decimal comma, or separators of thousands.
pub(super) fn parse(text: &str, limits: &LinkAmount) -> Result<Amount, AmountFault> {
    let (min, max) = limits.limits();
    let smallest = || min.or(Amount::from_pesewas(1).ok()).map_or(AmountFault::NotANumber, AmountFault::TooSmall);
    let largest = || {
        max.or(Amount::from_pesewas(Amount::MAX_PESEWAS).ok()).map_or(AmountFault::NotANumber, AmountFault::TooLarge)
    };
    let number = plain(text);
    if number.is_empty() {
        return Err(AmountFault::Empty);
    }
    // No exponent: nobody types one on purpose.
    if !number.chars().all(|character| character.is_ascii_digit() || character == '.') {
        return Err(AmountFault::NotANumber);
    }
    let amount = Amount::parse(&number).map_err(|error| match error {
        AmountError::NotANumber => AmountFault::NotANumber,
        AmountError::NotPositive => smallest(),
        AmountError::TooPrecise => AmountFault::TooPrecise,
        AmountError::TooLarge => largest(),
    })?;
    match (limits.takes(amount), min) {
        (true, _) => Ok(amount),
        (false, Some(min)) if amount < min => Err(AmountFault::TooSmall(min)),
        (false, _) => Err(largest()),
    }
}

/// The digits with a decimal point, without what people put around them.
fn plain(text: &str) -> String {
    let upper = text.trim().to_uppercase();
    let bare = ["GH₵", "GHS", "GHC", "₵"].iter().fold(upper, |text, currency| text.replace(currency, ""));
    let bare: String = bare.chars().filter(|character| !character.is_whitespace() && *character != '\'').collect();
    let number = match (bare.rsplit_once(','), bare.contains('.')) {
        // A comma with one or two digits after it is decimal; others separate thousands.
        (Some((whole, decimals)), false) if matches!(decimals.len(), 1 | 2) && !whole.contains(',') => {
            format!("{whole}.{decimals}")
        }
        _ if has_thousands(&bare) => bare.replace(',', ""),
        _ => bare,
    };
    let zeros = number.len() - number.trim_start_matches('0').len();
    match number[zeros..].starts_with(|first: char| first.is_ascii_digit()) {
        true => number[zeros..].to_owned(),
        // `0.50`, `.50` and `0`.
        false if number.is_empty() => number,
        false => format!("0{}", number[zeros..].trim_end_matches('.')),
    }
    .trim_end_matches('.')
    .to_owned()
}

/// Whether commas stand before groups of three digits.
fn has_thousands(number: &str) -> bool {
    let whole = number.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    groups.next().is_some_and(|first| (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cedis(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    const ANY: LinkAmount = LinkAmount::Open { min: None, max: None };

    #[test]
    fn an_amount_is_read_as_people_type_it() {
        for (typed, meant) in [
            ("10", "10"),
            (" 10.5 ", "10.5"),
            ("10,50", "10.5"),
            ("GH₵10.50", "10.5"),
            ("GHS 1,234.50", "1234.5"),
            ("1,000", "1000"),
            ("1 234,5", "1234.5"),
            ("1\u{a0}234.5", "1234.5"),
            ("0.50", "0.5"),
            (".5", "0.5"),
            ("007", "7"),
            ("12.", "12"),
            ("10.500", "10.5"),
            ("1,000,000", "1000000"),
        ] {
            assert_eq!(parse(typed, &ANY), Ok(cedis(meant)), "{typed}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let limits = LinkAmount::Open { min: Some(cedis("5")), max: Some(cedis("10")) };
        assert_eq!(parse("  ", &limits), Err(AmountFault::Empty));
        for text in ["ten", "1e2", "-5", "1,00,0", "5.5.5", "٥", "5/2", ",", "GH₵x"] {
            assert_eq!(parse(text, &limits), Err(AmountFault::NotANumber), "{text}");
        }
        assert_eq!(parse("5.555", &limits), Err(AmountFault::TooPrecise));
        for text in ["0", "0.00", "4.99"] {
            assert_eq!(parse(text, &limits), Err(AmountFault::TooSmall(cedis("5"))), "{text}");
        }
        for text in ["10.01", "99999999999999"] {
            assert_eq!(parse(text, &limits), Err(AmountFault::TooLarge(cedis("10"))), "{text}");
        }
        assert_eq!(parse("0", &ANY), Err(AmountFault::TooSmall(cedis("0.01"))));
        assert_eq!(parse("9999999999", &ANY), Err(AmountFault::TooLarge(cedis("1000000000"))));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,30}") {
            let _ = parse(&text, &ANY);
        }

        #[test]
        fn every_amount_is_read_back(pesewas in 1..=Amount::MAX_PESEWAS) {
            let amount = Amount::from_pesewas(pesewas).unwrap();
            prop_assert_eq!(parse(&amount.to_string(), &ANY), Ok(amount));
        }
    }
}
