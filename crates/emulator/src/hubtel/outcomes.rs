//! Hubtel's codes and texts for failures. It has no test numbers: those of its codes are the
//! emulator's own.

use crate::{
    phase::{Failure, Kind, Phase},
    script::Script,
};
use axum::http::StatusCode;

/// The code of success.
pub(super) const SUCCESS: &str = "0000";
/// The code of an unknown outcome.
pub(super) const UNKNOWN: (&str, &str) = ("5000", "The outcome of the transaction is unknown");

/// The codes of callbacks about failures, with a text for each.
const FAILURES: [(&str, &str); 12] = [
    ("2001", "FAILED"),
    ("2050", "The mobile money account has insufficient funds"),
    ("2051", "The mobile number is not registered on the network"),
    ("2100", "The customer's phone is switched off"),
    ("2101", "The customer entered no or an invalid PIN"),
    ("2102", "The mobile money account has insufficient funds"),
    ("2103", "The mobile number is not registered on the network"),
    ("2152", "The mobile number is not registered on the network"),
    ("2153", "The amount is above the limit of a transaction"),
    ("2154", "The amount is above the limit of a day"),
    ("2200", "The recipient is not registered on the network"),
    ("2201", "The recipient is not registered on the network"),
];

/// The answer to an amount that is too small.
pub(super) const FEES_NOT_SET: (StatusCode, &str, &str) = (
    StatusCode::BAD_REQUEST,
    "4070",
    "Unable to complete payment at the moment. Fees not set for given conditions.",
);

/// The codes that answer a request, which is not accepted then.
const REFUSALS: [(StatusCode, &str, &str); 3] = [
    FEES_NOT_SET,
    (StatusCode::FORBIDDEN, "4101", "The Business is not fully set up to transact."),
    (
        StatusCode::FORBIDDEN,
        "4103",
        "Permission denied. The account may not transact on this channel.",
    ),
];

/// The code that a number asks for: that of its last four digits, where the three before them are
/// 999.
fn code_of(phone: &str) -> Option<&str> {
    let (rest, code) = phone.split_at_checked(phone.len().checked_sub(4)?)?;
    rest.ends_with("999").then_some(code)
}

/// The script of a charge or payout. `phone` is a number in the international format without `+`.
pub(super) fn script(phone: &str, kind: Kind) -> Script {
    let Some(asked) = code_of(phone) else { return Script::by_last_four(phone, kind) };
    let failure = FAILURES.iter().find(|(code, _)| *code == asked);
    failure.map_or(Script::SUCCESS, |(code, _)| Script::failing(Failure::Code(code)))
}

/// How the request itself is refused, by its number.
pub(super) fn refusal(phone: &str) -> Option<(StatusCode, &'static str, &'static str)> {
    let asked = code_of(phone)?;
    REFUSALS.into_iter().find(|(_, code, _)| *code == asked)
}

/// Whether the answer to the request leaves open what became of it. The order is accepted.
pub(super) fn is_answered_unknown(phone: &str) -> bool {
    code_of(phone) == Some(UNKNOWN.0)
}

/// The code and the text of an outcome.
pub(super) fn outcome(phase: Phase, kind: Kind) -> (&'static str, &'static str) {
    match phase {
        Phase::Failed(failure) => code(failure, kind),
        _ => (SUCCESS, "success"),
    }
}

fn code(failure: Failure, kind: Kind) -> (&'static str, &'static str) {
    match failure {
        Failure::InsufficientFunds => ("2001", "Insufficient funds"),
        Failure::Rejected => ("2001", "The customer declined the transaction"),
        Failure::ApprovalTimeout => ("2001", "USSD session timeout"),
        Failure::WrongPin => ("2001", "Wrong PIN entered"),
        Failure::LimitReached => {
            ("2001", "Mobile Money user has reached counter or balance limits")
        }
        Failure::NotFound if kind == Kind::Charge => {
            ("3050", "The number is not registered on the network")
        }
        Failure::NotFound => ("2001", "Account holder with FRN not found"),
        Failure::Refused => ("2001", "The network could not process the transaction"),
        Failure::FloatTooLow => ("4075", "Insufficient prepaid balance"),
        Failure::Cancelled => ("2001", "The transaction was cancelled"),
        // A text in place of a code is one of the many that come with 2001.
        Failure::Code(text) if !text.bytes().all(|byte| byte.is_ascii_digit()) => ("2001", text),
        Failure::Code(asked) => {
            FAILURES.into_iter().find(|(code, _)| *code == asked).unwrap_or((asked, "FAILED"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_999_asks_for_the_code_of_its_last_digits() {
        assert_eq!(script("233249992100", Kind::Charge), Script::failing(Failure::Code("2100")));
        assert_eq!(outcome(Phase::Failed(Failure::Code("2100")), Kind::Charge).0, "2100");
        assert_eq!(script("233249992201", Kind::Payout), Script::failing(Failure::Code("2201")));
        let text = "The payload has special characters";
        assert_eq!(outcome(Phase::Failed(Failure::Code(text)), Kind::Charge), ("2001", text));
        assert_eq!(script("233249994103", Kind::Charge), Script::SUCCESS);
        assert_eq!(script("233241234103", Kind::Charge), Script::SUCCESS);
        assert_eq!(script("233249990001", Kind::Charge), Script::SUCCESS);
        assert_eq!(
            script("233241230001", Kind::Charge),
            Script::failing(Failure::InsufficientFunds)
        );
        assert_eq!(refusal("233249994103").map(|(_, code, _)| code), Some("4103"));
        assert_eq!(refusal("233241234103"), None);
        assert!(is_answered_unknown("233249995000") && !is_answered_unknown("233241235000"));
        assert_eq!(code_of("4103"), None);
    }
}
