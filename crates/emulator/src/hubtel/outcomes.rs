//! Hubtel's codes and texts for failures. It has no test numbers.

use crate::phase::{Failure, Kind, Phase};
use axum::http::StatusCode;

/// The code of success.
pub(super) const SUCCESS: &str = "0000";

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
        Failure::Refused => ("2001", "Mobile Money user is missing permissions"),
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
    fn a_code_has_its_text_and_a_text_comes_with_2001() {
        let outcome = |code| outcome(Phase::Failed(Failure::Code(code)), Kind::Charge);
        assert_eq!(outcome("2100"), ("2100", "The customer's phone is switched off"));
        assert_eq!(outcome("9999"), ("9999", "FAILED"));
        let text = "The payload has special characters";
        assert_eq!(outcome(text), ("2001", text));
    }
}
