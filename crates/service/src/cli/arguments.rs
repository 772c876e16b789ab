//! Parsers of the arguments that several commands have.

use super::fault::Fault;
use jiff::{SignedDuration, civil::Date};
use tua_contract::Amount;
use tua_domain::{
    AccountId, Mode,
    transfer::{NOTE_MAX_CHARS, REFERENCE_MAX_CHARS},
};
use tua_use_cases::Accounts;

/// 90 days. With a longer overlap the old key would not really be replaced.
const MAX_OVERLAP: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Fails if there is no such account.
pub(super) async fn require_account(accounts: &Accounts, account: &AccountId) -> Result<(), Fault> {
    Ok(accounts.existing(account).await.map(drop)?)
}

/// Reads a day, such as 2026-01-31.
pub(super) fn parse_day(text: &str) -> Result<Date, String> {
    text.trim().parse().map_err(|_| "it must be a day such as 2026-01-31".to_owned())
}

/// Reads a mode.
pub(super) fn parse_mode(text: &str) -> Result<Mode, String> {
    Mode::parse(text).ok_or_else(|| "it must be test or live".to_owned())
}

/// Reads the name of a value, in any case.
pub(super) fn one_of<T: Copy>(
    text: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, String> {
    all.iter().copied().find(|one| name(*one).eq_ignore_ascii_case(text)).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|one| name(*one)).collect();
        format!("it must be one of {}", names.join(", "))
    })
}

/// Reads how long a replaced secret stays valid: 0, or a time of 90 days at most.
pub(super) fn parse_overlap(text: &str) -> Result<SignedDuration, String> {
    let overlap = if text.trim() == "0" { Ok(SignedDuration::ZERO) } else { text.trim().parse() };
    let overlap =
        overlap.ok().filter(|overlap| (SignedDuration::ZERO..=MAX_OVERLAP).contains(overlap));
    overlap.ok_or_else(|| "it must be a time such as 24h or 90m, from 0 to 2160h".to_owned())
}

/// Reads the merchant's own name for a payment.
pub(super) fn parse_reference(text: &str) -> Result<String, String> {
    parse_text(text, REFERENCE_MAX_CHARS)
}

/// Reads a note about a payment.
pub(super) fn parse_note(text: &str) -> Result<String, String> {
    parse_text(text, NOTE_MAX_CHARS)
}

fn parse_text(text: &str, max_chars: usize) -> Result<String, String> {
    if (1..=max_chars).contains(&text.chars().count()) && !text.contains(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err(format!("it must be 1 to {max_chars} characters without control characters"))
    }
}

/// Reads an amount in cedis.
pub(super) fn parse_amount(text: &str) -> Result<Amount, String> {
    Amount::parse_typed(text).map_err(|_| {
        "it must be cedis such as 10.50: more than 0, at most 1000000000, with at most 2 decimals, \
         and with one reading only (not 1.250: write 1.25 or 1250)"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlap_is_a_human_readable_duration() {
        for (text, seconds) in [
            ("24h", 86_400),
            ("90m", 5400),
            ("1h 30m", 5400),
            ("0", 0),
            ("0s", 0),
            ("2160h", 7_776_000),
        ] {
            assert_eq!(parse_overlap(text), Ok(SignedDuration::from_secs(seconds)), "{text}");
        }
        for text in ["", "soon", "24", "-1h", "2161h", "99999999999999999999h"] {
            assert!(parse_overlap(text).is_err(), "{text}");
        }
    }
}
