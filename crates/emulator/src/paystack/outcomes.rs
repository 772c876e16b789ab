//! Paystack's test number, and its texts for failures.

use crate::{
    phase::{Failure, Kind},
    script::{CodeKind, Outcome, Script},
};
use std::time::Duration;
use tua_contract::Network;

/// Paystack's only test number in Ghana: it succeeds without a prompt.
const TEST_NUMBER: &str = "233551234987";

/// The script of a charge. A Telecel payer submits a voucher first, except where the outcome comes
/// at once, and where the number asks for the code of an SMS.
pub(super) fn of_charge(phone: &str, network: Network) -> Script {
    if phone == TEST_NUMBER {
        return Script::SUCCESS.within(Duration::ZERO);
    }
    let script = Script::by_last_four(phone, Kind::Charge);
    match script.outcome {
        _ if network != Network::Telecel => script,
        _ if script.hides_acceptance || script.code.is_some() => script,
        Outcome::Failure(Failure::NotFound) => script.within(Duration::ZERO),
        _ => Script { code: Some(CodeKind::Voucher), ..script },
    }
}

/// Paystack's text for a failure. It has no codes for them.
pub(super) fn message(failure: Failure) -> &'static str {
    match failure {
        Failure::InsufficientFunds => "Insufficient funds",
        Failure::Rejected => "Transaction declined by customer",
        Failure::ApprovalTimeout => "Transaction timed out",
        Failure::WrongPin => "Incorrect PIN",
        Failure::LimitReached => "Amount exceeds daily limit",
        Failure::NotFound => "Account not found",
        Failure::Refused => "Transaction refused by the network",
        Failure::FloatTooLow => "Your balance is not enough to fulfil this request",
        Failure::Cancelled => "Transaction cancelled",
        Failure::Code(text) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telecel_payers_submit_a_voucher_first() {
        let code = |phone, network| of_charge(phone, network).code;
        assert_eq!(code("233501234567", Network::Telecel), Some(CodeKind::Voucher));
        assert_eq!(code("233501230001", Network::Telecel), Some(CodeKind::Voucher));
        assert_eq!(code("233501230006", Network::Telecel), None);
        assert_eq!(code("233501230010", Network::Telecel), None);
        assert_eq!(code("233501230011", Network::Telecel), Some(CodeKind::Passcode));
        assert_eq!(code("233241234567", Network::Mtn), None);
        assert_eq!(code("233241230011", Network::Mtn), Some(CodeKind::Passcode));
        assert_eq!(of_charge(TEST_NUMBER, Network::Mtn).after, Duration::ZERO);
    }
}
