//! pawaPay's test numbers for Ghana, and its codes for failures.

use crate::{
    phase::{Failure, Kind},
    script::{Outcome, Script},
};

/// The test numbers without their last three digits: MTN, AirtelTigo, Telecel.
const TEST_PREFIXES: [&str; 3] = ["233593456", "233273456", "233503456"];

/// The script of a deposit or payout. `phone` is a number in the international format without `+`.
pub(super) fn script(phone: &str, kind: Kind) -> Script {
    let last_three = TEST_PREFIXES.iter().find_map(|prefix| phone.strip_prefix(prefix));
    let code = match (last_three, kind) {
        (None, _) => return Script::by_last_four(phone, kind),
        (Some("129"), _) => return Script::ending(Outcome::Undecided),
        (Some(last_three), Kind::Charge) => deposit_code(last_three),
        (Some(last_three), _) => payout_code(last_three),
    };
    code.map_or(Script::SUCCESS, |code| Script::failing(Failure::Code(code)))
}

fn deposit_code(last_three: &str) -> Option<&'static str> {
    match last_three {
        "019" => Some("PAYER_LIMIT_REACHED"),
        "029" => Some("PAYER_NOT_FOUND"),
        "039" => Some("PAYMENT_NOT_APPROVED"),
        "049" => Some("INSUFFICIENT_BALANCE"),
        "069" => Some("UNSPECIFIED_FAILURE"),
        _ => None,
    }
}

fn payout_code(last_three: &str) -> Option<&'static str> {
    match last_three {
        "089" => Some("RECIPIENT_NOT_FOUND"),
        "099" => Some("WALLET_LIMIT_REACHED"),
        "109" => Some("RECIPIENT_LIMIT_REACHED"),
        "119" => Some("UNSPECIFIED_FAILURE"),
        _ => None,
    }
}

/// pawaPay's code for a failure, and its message.
pub(super) fn reason(failure: Failure, kind: Kind) -> (&'static str, &'static str) {
    let charge = kind == Kind::Charge;
    match failure {
        Failure::InsufficientFunds => {
            ("INSUFFICIENT_BALANCE", "The wallet does not have enough funds.")
        }
        Failure::Rejected => ("PAYMENT_NOT_APPROVED", "The customer rejected the payment."),
        Failure::ApprovalTimeout => {
            ("PAYMENT_NOT_APPROVED", "The customer did not authorize the payment in time.")
        }
        Failure::WrongPin => (
            "PAYMENT_NOT_APPROVED",
            "The customer did not approve the payment because an incorrect PIN was entered.",
        ),
        // pawaPay has no code for a refusal without a reason.
        Failure::Refused => ("UNSPECIFIED_FAILURE", "The provider refused the payment."),
        Failure::LimitReached if charge => {
            ("PAYER_LIMIT_REACHED", "The customer has reached a limit of their wallet.")
        }
        Failure::LimitReached => {
            ("RECIPIENT_LIMIT_REACHED", "The recipient has reached a limit of their wallet.")
        }
        Failure::NotFound if charge => {
            ("PAYER_NOT_FOUND", "The phone number does not belong to the provider.")
        }
        Failure::NotFound => {
            ("RECIPIENT_NOT_FOUND", "The phone number does not belong to the provider.")
        }
        Failure::FloatTooLow => {
            ("PAWAPAY_WALLET_OUT_OF_FUNDS", "The balance of the wallet is not enough.")
        }
        Failure::Cancelled => ("MANUALLY_CANCELLED", "The payment was cancelled."),
        Failure::Code(code) => (code, "The payment failed."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_three_digits_of_a_test_number_choose_the_code() {
        let failing = |code| Script::failing(Failure::Code(code));
        assert_eq!(script("233593456039", Kind::Charge), failing("PAYMENT_NOT_APPROVED"));
        assert_eq!(script("233503456089", Kind::Payout), failing("RECIPIENT_NOT_FOUND"));
        assert_eq!(script("233593456789", Kind::Charge), Script::SUCCESS);
        assert_eq!(script("233593456129", Kind::Charge).outcome, Outcome::Undecided);
        assert_eq!(script("233241230013", Kind::Payout), Script::SUCCESS);
        assert_eq!(script("233241230014", Kind::Charge), Script::SUCCESS);
        assert_eq!(
            script("233241230001", Kind::Charge),
            Script::failing(Failure::InsufficientFunds)
        );
    }
}
