//! Why Paystack refuses requests, and why payments fail, as our failure codes.

use super::super::wire::Body;
use crate::failure_text;
use reqwest::StatusCode;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    Kind,
    ports::{FailureScope, Report},
};

/// Why a request was refused, as far as the response says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// There is an order with this reference already.
    Duplicate,
    /// There is no order with this reference.
    NotFound,
    /// Nothing was accepted, for this reason.
    NothingAccepted(FailureCode),
    /// The response does not say whether anything was accepted.
    Unclear,
}

/// Reads a response that is not a success.
///
/// Paystack documents 400 as "the request was not fulfilled" and 401 as a wrong key. But a
/// `processor_error` comes from the network and an `api_error` from Paystack's inside, so an order
/// may exist after them. 429 is not documented.
pub(super) fn refusal(status: StatusCode, body: &Body, kind: Kind) -> Refusal {
    let message = body.message.as_deref().unwrap_or_default().to_lowercase();
    let code = body.code.as_deref().unwrap_or_default();
    let is_unfulfilled =
        status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS && !body.status;
    let names = |words: &[&str]| words.iter().any(|word| message.contains(word));
    match () {
        () if !is_unfulfilled => Refusal::Unclear,
        () if code == "duplicate_reference" => Refusal::Duplicate,
        () if names(&[
            "duplicate transaction reference",
            "duplicate reference",
            "reference already exists",
        ]) =>
        {
            Refusal::Duplicate
        }
        () if matches!(code, "transaction_not_found" | "transfer_not_found") => Refusal::NotFound,
        () if names(&["reference not found", "transfer not found"]) => Refusal::NotFound,
        // The key is checked before anything else.
        () if status == StatusCode::UNAUTHORIZED => {
            Refusal::NothingAccepted(FailureCode::NetworkUnavailable)
        }
        // Documented as a check before the transfer is created, whatever the type of the error.
        () if kind == Kind::Payout
            && (code == "insufficient_balance" || names(&["balance is not enough"])) =>
        {
            Refusal::NothingAccepted(FailureCode::MerchantFloatLow)
        }
        () if body.kind.as_deref() == Some("validation_error") => {
            Refusal::NothingAccepted(invalid_request(code, &message, kind))
        }
        () => Refusal::Unclear,
    }
}

/// What an order reveals that has failed, or was refused, for this reason.
pub(super) fn failed(code: FailureCode) -> Report {
    let scope = match code {
        // The key, a product that is not enabled, or the network: no order of it would be taken.
        FailureCode::NetworkUnavailable => FailureScope::Network,
        _ => FailureScope::Order,
    };
    Report::new(Observation::Failed(code)).with_failure_scope(scope)
}

fn invalid_request(code: &str, message: &str, kind: Kind) -> FailureCode {
    match (code, failure_code(message, kind)) {
        ("invalid_transfer_recipient" | "invalid_account_number", _) => {
            FailureCode::RecipientNotFound
        }
        (_, FailureCode::Unspecified) => FailureCode::OperatorRefused,
        (_, code) => code,
    }
}

/// The reason of a failure by its text, in lower case. Paystack publishes no codes for failures of
/// mobile money, so a text that is not recognised is [`FailureCode::Unspecified`].
pub(super) fn failure_code(text: &str, kind: Kind) -> FailureCode {
    let names = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let is_charge = kind == Kind::Charge;
    match () {
        // The balance at Paystack, which transfers are paid from.
        () if names(&["balance is not enough", "insufficient balance"]) && !is_charge => {
            FailureCode::MerchantFloatLow
        }
        () if names(&["insufficient", "not enough"]) => FailureCode::InsufficientFunds,
        () if names(&["incorrect pin", "wrong pin", "invalid pin"]) && is_charge => {
            FailureCode::WrongPin
        }
        () if names(&["limit", "exceed"]) => match kind {
            Kind::Charge => FailureCode::PayerLimit,
            Kind::Payout => FailureCode::RecipientLimit,
        },
        () if names(&["declined by", "rejected by", "cancelled by", "canceled by"])
            && is_charge =>
        {
            FailureCode::CustomerRejected
        }
        () if names(&["timed out", "timeout", "time out", "expired"]) && is_charge => {
            FailureCode::ApprovalTimeout
        }
        () if names(&["another transaction", "in progress", "already being processed"])
            && is_charge =>
        {
            FailureCode::PayerBusy
        }
        () if names(&[
            "not found",
            "not registered",
            "number is invalid",
            "invalid account",
            "invalid phone",
        ]) =>
        {
            match kind {
                Kind::Charge => FailureCode::PayerNotFound,
                Kind::Payout => FailureCode::RecipientNotFound,
            }
        }
        () if names(&["unavailable", "service is down", "processor is down"]) => {
            FailureCode::NetworkUnavailable
        }
        () if failure_text::is_refusal(text) && !is_charge => FailureCode::OperatorRefused,
        // The merchant's account at Paystack does not have the channel, the currency or transfers.
        () if names(&[
            "not enabled",
            "not supported by merchant",
            "starter business",
            "merchant may be inactive",
        ]) =>
        {
            FailureCode::NetworkUnavailable
        }
        () => FailureCode::Unspecified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_codes_by_direction() {
        use FailureCode as Code;
        for (text, charge, payout) in [
            ("insufficient funds", Code::InsufficientFunds, Code::InsufficientFunds),
            ("insufficient balance", Code::InsufficientFunds, Code::MerchantFloatLow),
            ("your balance is not enough", Code::InsufficientFunds, Code::MerchantFloatLow),
            ("incorrect pin", Code::WrongPin, Code::Unspecified),
            ("amount exceeds daily limit", Code::PayerLimit, Code::RecipientLimit),
            ("transaction declined by customer", Code::CustomerRejected, Code::Unspecified),
            ("transaction timed out", Code::ApprovalTimeout, Code::Unspecified),
            ("account not found", Code::PayerNotFound, Code::RecipientNotFound),
            ("service unavailable", Code::NetworkUnavailable, Code::NetworkUnavailable),
            (
                "currency not supported by merchant",
                Code::NetworkUnavailable,
                Code::NetworkUnavailable,
            ),
            ("declined", Code::Unspecified, Code::Unspecified),
            ("transaction refused by the network", Code::Unspecified, Code::OperatorRefused),
            ("", Code::Unspecified, Code::Unspecified),
        ] {
            assert_eq!(failure_code(text, Kind::Charge), charge, "{text}");
            assert_eq!(failure_code(text, Kind::Payout), payout, "{text}");
        }
    }
}
