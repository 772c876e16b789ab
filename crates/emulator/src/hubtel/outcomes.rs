//! Hubtel's codes and texts for failures. It has no test numbers.

use crate::{
    orders::{Kind, Phase},
    script::Failure,
};

/// The code of success.
pub(super) const SUCCESS: &str = "0000";

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
        Failure::LimitReached => ("2001", "Mobile Money user has reached counter or balance limits"),
        Failure::NotFound if kind == Kind::Charge => ("3050", "The number is not registered on the network"),
        Failure::NotFound => ("2001", "Account holder with FRN not found"),
        Failure::Refused => ("2001", "The network could not process the transaction"),
        Failure::FloatTooLow => ("4075", "Insufficient prepaid balance"),
        Failure::Cancelled => ("2001", "The transaction was cancelled"),
        Failure::Code(text) => ("2001", text),
    }
}
