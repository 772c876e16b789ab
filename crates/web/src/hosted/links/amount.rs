//! The amount that a payer types.

use tua_contract::{Amount, amount::AmountError, plain_text::is_blank};
use tua_domain::link::LinkAmount;

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

/// Reads the amount, which must be within the link's limits.
pub(super) fn parse(text: &str, limits: &LinkAmount) -> Result<Amount, AmountFault> {
    let (min, max) = limits.limits();
    let smallest = || {
        min.or(Amount::from_pesewas(1).ok()).map_or(AmountFault::NotANumber, AmountFault::TooSmall)
    };
    let largest = || {
        max.or(Amount::from_pesewas(Amount::MAX_PESEWAS).ok())
            .map_or(AmountFault::NotANumber, AmountFault::TooLarge)
    };
    if is_blank(text) {
        return Err(AmountFault::Empty);
    }
    let amount = Amount::parse_typed(text).map_err(|error| match error {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn cedis(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    const ANY: LinkAmount = LinkAmount::Open { min: None, max: None };

    #[test]
    fn an_amount_is_read_as_people_type_it() {
        for (typed, meant) in [
            ("GH¢10.50", "10.5"),
            ("1,000", "1000"),
            ("10 cedis", "10"),
            ("٥", "5"),
            ("1\u{200b}0", "10"),
        ] {
            assert_eq!(parse(typed, &ANY), Ok(cedis(meant)), "{typed}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let limits = LinkAmount::Open { min: Some(cedis("5")), max: Some(cedis("10")) };
        for text in ["", "  ", "\u{200b}"] {
            assert_eq!(parse(text, &limits), Err(AmountFault::Empty), "{text:?}");
        }
        for text in ["ten", "1e2", "-5", "10 50", "GH₵x", "0,500", "1.250", "5.555"] {
            assert_eq!(parse(text, &limits), Err(AmountFault::NotANumber), "{text}");
        }
        assert_eq!(parse("5.5555", &limits), Err(AmountFault::TooPrecise));
        for text in ["0", "0.00", "4.99"] {
            assert_eq!(parse(text, &limits), Err(AmountFault::TooSmall(cedis("5"))), "{text}");
        }
        for text in ["10.01", "99999999999999"] {
            assert_eq!(parse(text, &limits), Err(AmountFault::TooLarge(cedis("10"))), "{text}");
        }
        assert_eq!(parse("0", &ANY), Err(AmountFault::TooSmall(cedis("0.01"))));
        assert_eq!(parse("9999999999", &ANY), Err(AmountFault::TooLarge(cedis("1000000000"))));
    }
}
