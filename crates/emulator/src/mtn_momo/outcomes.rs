//! MTN's test numbers, and its codes for failures.

use super::{platform::Operation, settings::MtnProfile};
use crate::{
    phase::{Failure, Kind},
    script::{Outcome, Script},
};
use std::time::Duration;

/// The test numbers without their last three digits.
const TEST_PREFIX: &str = "46733123";
/// In the measured profile: the number whose charge is `CREATED` until it succeeds.
pub(super) const PHONE_WITH_CREATED_STATUS: &str = "46733123454";
/// How long that takes.
const CREATED_DELAY: Duration = Duration::from_secs(25);

/// The script of a charge or payout. `phone` is a number in the international format without `+`.
pub(super) fn script(profile: MtnProfile, phone: &str, operation: Operation) -> Script {
    let last_three = phone.strip_prefix(TEST_PREFIX).filter(|rest| rest.len() == 3);
    match (last_three, profile) {
        (None, _) => Script::by_last_four(phone, operation.kind()),
        (Some(last_three), MtnProfile::Documented) => {
            match documented_reason(last_three, operation) {
                Some(reason) => Script::failing(Failure::Code(reason)).within(Duration::ZERO),
                None => Script::SUCCESS,
            }
        }
        (Some(last_three), MtnProfile::Measured202609) => measured(last_three, operation),
    }
}

/// MTN documents deposits with the numbers of charges.
fn documented_reason(last_three: &str, operation: Operation) -> Option<&'static str> {
    let charge = operation != Operation::Transfer;
    Some(match last_three {
        // Switched off for deposits, which succeed in the end.
        "453" | "454" if operation == Operation::Deposit => return None,
        "450" => "INTERNAL_PROCESSING_ERROR",
        "451" => "APPROVAL_REJECTED",
        "452" => "EXPIRED",
        "453" => "ONGOING",
        "454" => "PAYER_DELAYED",
        "455" if charge => "PAYER_NOT_FOUND",
        "455" => "NOT_ENOUGH_FUNDS",
        "456" if charge => "PAYEE_NOT_ALLOWED_TO_RECEIVE",
        "456" => "PAYER_LIMIT_REACHED",
        "457" if charge => "NOT_ALLOWED",
        "457" => "PAYEE_NOT_FOUND",
        "458" if charge => "NOT_ALLOWED_TARGET_ENVIRONMENT",
        "458" => "NOT_ALLOWED",
        "459" if charge => "INVALID_CALLBACK_URL_HOST",
        "459" => "NOT_ALLOWED_TARGET_ENVIRONMENT",
        "460" if charge => "INVALID_CURRENCY",
        "460" => "INVALID_CALLBACK_URL_HOST",
        "461" if charge => "INTERNAL_PROCESSING_ERROR",
        "461" => "INVALID_CURRENCY",
        "462" if charge => "SERVICE_UNAVAILABLE",
        "462" => "INTERNAL_PROCESSING_ERROR",
        "463" if charge => "COULD_NOT_PERFORM_TRANSACTION",
        "463" => "SERVICE_UNAVAILABLE",
        "464" if charge => "TRANSFER_TYPE_UNKNOWN",
        _ => return None,
    })
}

fn measured(last_three: &str, operation: Operation) -> Script {
    match (last_three, documented_reason(last_three, operation)) {
        ("450" | "451" | "452", Some(reason)) => {
            Script::failing(Failure::Code(reason)).within(Duration::ZERO)
        }
        ("453", _) => Script::ending(Outcome::Undecided),
        ("454", _) => Script::SUCCESS.within(CREATED_DELAY),
        _ => Script::SUCCESS.within(Duration::ZERO),
    }
}

/// MTN's code for a failure, and a text where the code stands for several reasons.
pub(super) fn reason(failure: Failure, kind: Kind) -> (&'static str, Option<&'static str>) {
    let charge = kind == Kind::Charge;
    let code = match failure {
        // A transfer is paid from the merchant's wallet, so this is the only code for it.
        Failure::InsufficientFunds | Failure::FloatTooLow => "NOT_ENOUGH_FUNDS",
        Failure::Rejected => "APPROVAL_REJECTED",
        Failure::ApprovalTimeout => "EXPIRED",
        // MTN has no code for a wrong PIN.
        Failure::WrongPin => {
            return ("INTERNAL_PROCESSING_ERROR", Some("The payer entered a wrong PIN."));
        }
        Failure::LimitReached if charge => "PAYER_LIMIT_REACHED",
        Failure::LimitReached => "PAYEE_LIMIT_REACHED",
        Failure::NotFound if charge => "PAYER_NOT_FOUND",
        Failure::NotFound => "PAYEE_NOT_FOUND",
        Failure::Refused => "NOT_ALLOWED",
        Failure::Cancelled => "TRANSACTION_CANCELED",
        Failure::Code(code) => code,
    };
    (code, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_numbers_follow_the_profile() {
        let deposit = |phone| super::script(MtnProfile::Documented, phone, Operation::Deposit);
        assert_eq!(deposit("46733123453"), Script::SUCCESS);
        let unknown = Script::failing(Failure::Code("PAYER_NOT_FOUND")).within(Duration::ZERO);
        assert_eq!(deposit("46733123455"), unknown);
        let script = |profile, phone| script(profile, phone, Operation::RequestToPay);
        let documented = script(MtnProfile::Documented, "46733123453");
        assert_eq!(documented.outcome, Outcome::Failure(Failure::Code("ONGOING")));
        assert_eq!(script(MtnProfile::Documented, "46733123499"), Script::SUCCESS);
        assert_eq!(script(MtnProfile::Measured202609, "46733123453").outcome, Outcome::Undecided);
        assert_eq!(script(MtnProfile::Measured202609, "46733123455").outcome, Outcome::Success);
        let table = script(MtnProfile::Documented, "233241230001");
        assert_eq!(table, Script::failing(Failure::InsufficientFunds));
    }
}
