//! pawaPay's kinds of orders, and its codes for failures.

use crate::failure_text;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::ports::{FailureScope, RefundRefusal, Report};

/// What an order of pawaPay's is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum OrderKind {
    /// Money from a customer's wallet: a charge.
    Deposit,
    /// Money to a customer's wallet: a payout.
    Payout,
    /// Back to the customer of a deposit.
    Refund,
}

impl OrderKind {
    /// The collection in paths.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Deposit => "/v2/deposits",
            Self::Payout => "/v2/payouts",
            Self::Refund => "/v2/refunds",
        }
    }

    /// Whether the merchant's wallet pays.
    const fn is_paid_by_merchant(self) -> bool {
        match self {
            Self::Deposit => false,
            Self::Payout | Self::Refund => true,
        }
    }
}

/// The reason of an order that is `REJECTED` or `FAILED`, by pawaPay's code alone.
fn failure(code: Option<&str>, kind: OrderKind) -> FailureCode {
    let by_merchant = kind.is_paid_by_merchant();
    match code {
        Some("INSUFFICIENT_BALANCE") => FailureCode::InsufficientFunds,
        // The merchant's own wallet has this code.
        Some("PAWAPAY_WALLET_OUT_OF_FUNDS") => FailureCode::MerchantFloatLow,
        // It is also the code of a prompt that nobody answered in time, and of a wrong PIN.
        Some("PAYMENT_NOT_APPROVED") => FailureCode::CustomerRejected,
        Some("PAYMENT_IN_PROGRESS" | "TRANSACTION_ALREADY_IN_PROCESS") => FailureCode::PayerBusy,
        Some("PAYER_NOT_FOUND") => FailureCode::PayerNotFound,
        Some("RECIPIENT_NOT_FOUND") => FailureCode::RecipientNotFound,
        Some("INVALID_PHONE_NUMBER") if by_merchant => FailureCode::RecipientNotFound,
        Some("INVALID_PHONE_NUMBER") => FailureCode::PayerNotFound,
        Some("PAYER_LIMIT_REACHED") => FailureCode::PayerLimit,
        Some("RECIPIENT_LIMIT_REACHED") => FailureCode::RecipientLimit,
        Some("WALLET_LIMIT_REACHED") if by_merchant => FailureCode::RecipientLimit,
        Some("WALLET_LIMIT_REACHED") => FailureCode::PayerLimit,
        Some("PROVIDER_TEMPORARILY_UNAVAILABLE") => FailureCode::NetworkUnavailable,
        Some("MANUALLY_CANCELLED") => FailureCode::Cancelled,
        Some(
            "AMOUNT_OUT_OF_BOUNDS"
            | "AMOUNT_TOO_LARGE"
            | "DEPOSIT_ALREADY_REFUNDED"
            | "INVALID_AMOUNT"
            | "INVALID_CURRENCY"
            | "INVALID_PROVIDER"
            | "INVALID_STATE"
            | "NOT_FOUND",
        ) => FailureCode::OperatorRefused,
        // REFUND_IN_PROGRESS is among them.
        Some(_) | None => FailureCode::Unspecified,
    }
}

/// What a code of a refund that is `REJECTED` or `FAILED` proves about the money of the deposit.
fn refund_refusal(code: &str) -> RefundRefusal {
    match code {
        // Our own request, the merchant's wallet, the recipient, or the provider: none depends on
        // earlier refunds.
        "AMOUNT_OUT_OF_BOUNDS"
        | "INSUFFICIENT_BALANCE"
        | "INVALID_AMOUNT"
        | "INVALID_CURRENCY"
        | "INVALID_PHONE_NUMBER"
        | "INVALID_PROVIDER"
        | "MANUALLY_CANCELLED"
        | "PAWAPAY_WALLET_OUT_OF_FUNDS"
        | "PAYER_LIMIT_REACHED"
        | "PAYER_NOT_FOUND"
        | "PAYMENT_NOT_APPROVED"
        | "PROVIDER_TEMPORARILY_UNAVAILABLE"
        | "RECIPIENT_LIMIT_REACHED"
        | "RECIPIENT_NOT_FOUND"
        | "UNSPECIFIED_FAILURE"
        | "WALLET_LIMIT_REACHED" => {
            RefundRefusal::NothingReturned(failure(Some(code), OrderKind::Refund))
        }
        // Among them those about earlier refunds, or about a deposit that pawaPay no longer has as
        // completed: DEPOSIT_ALREADY_REFUNDED, AMOUNT_TOO_LARGE, INVALID_STATE, NOT_FOUND and
        // REFUND_IN_PROGRESS.
        _ => RefundRefusal::ProvesNothing,
    }
}

/// Which orders pawaPay would reject or fail with the same code.
fn scope(code: Option<&str>) -> FailureScope {
    match code {
        Some("INVALID_CURRENCY" | "INVALID_PROVIDER" | "PROVIDER_TEMPORARILY_UNAVAILABLE") => {
            FailureScope::Network
        }
        Some(_) | None => FailureScope::Order,
    }
}

/// What an order reveals that pawaPay did not accept. Of a refund without a reason it is not known
/// why.
pub(super) fn rejected(code: Option<&str>, kind: OrderKind) -> Report {
    match (kind, code) {
        (OrderKind::Refund, None) => RefundRefusal::ProvesNothing.into(),
        (OrderKind::Refund, Some(code)) => refund_refusal(code).into(),
        (OrderKind::Deposit | OrderKind::Payout, code) => failed(code, "", kind),
    }
}

/// What an order reveals that has failed. Without a reason, the status of a refund is still
/// pawaPay's explicit failure.
pub(super) fn failed(code: Option<&str>, text: &str, kind: OrderKind) -> Report {
    match (kind, code) {
        (OrderKind::Refund, Some(code)) => refund_refusal(code).into(),
        _ => {
            let reason = by_text(code, text, kind).unwrap_or_else(|| failure(code, kind));
            Report::new(Observation::Failed(reason)).with_failure_scope(scope(code))
        }
    }
}

/// The reason that the text names, where the code stands for several reasons. Clients have seen
/// `PAYMENT_NOT_APPROVED` with texts about a wrong PIN, and about a customer who was too late.
fn by_text(code: Option<&str>, text: &str, kind: OrderKind) -> Option<FailureCode> {
    match (kind, code?) {
        (OrderKind::Deposit, "PAYMENT_NOT_APPROVED" | "UNSPECIFIED_FAILURE")
            if failure_text::is_wrong_pin(text) =>
        {
            Some(FailureCode::WrongPin)
        }
        (OrderKind::Deposit, "PAYMENT_NOT_APPROVED") if failure_text::is_timeout(text) => {
            Some(FailureCode::ApprovalTimeout)
        }
        (OrderKind::Payout, "UNSPECIFIED_FAILURE") if failure_text::is_refusal(text) => {
            Some(FailureCode::OperatorRefused)
        }
        _ => None,
    }
}

/// Whether the code of a response with an HTTP error means that the request was not accepted, by
/// pawaPay's documentation; then why. Also of a refund it is about the request or the account,
/// never about the deposit.
pub(super) fn refusal(http_status: u16, code: &str) -> Option<Report> {
    let refused =
        |code, scope| Some(Report::new(Observation::Failed(code)).with_failure_scope(scope));
    match (http_status, code) {
        (
            400,
            "INVALID_INPUT"
            | "MISSING_PARAMETER"
            | "UNSUPPORTED_PARAMETER"
            | "INVALID_PARAMETER"
            | "DUPLICATE_METADATA_FIELD",
        ) => refused(FailureCode::OperatorRefused, FailureScope::Order),
        (401, "NO_AUTHENTICATION")
        | (403, "AUTHENTICATION_ERROR" | "AUTHORISATION_ERROR" | "HTTP_SIGNATURE_ERROR") => {
            refused(FailureCode::NetworkUnavailable, FailureScope::Network)
        }
        // Such as DEPOSITS_NOT_ALLOWED: the account does not have the operation.
        (403, code) if code.ends_with("_NOT_ALLOWED") => {
            refused(FailureCode::NetworkUnavailable, FailureScope::Network)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// pawaPay's page on failure codes, and its page on test numbers (2026-11).
    #[test]
    fn every_documented_code_has_its_reason() {
        use FailureCode as F;
        for (code, deposit, payout) in [
            ("INSUFFICIENT_BALANCE", F::InsufficientFunds, F::InsufficientFunds),
            ("PAWAPAY_WALLET_OUT_OF_FUNDS", F::MerchantFloatLow, F::MerchantFloatLow),
            ("PAYMENT_NOT_APPROVED", F::CustomerRejected, F::CustomerRejected),
            ("PAYMENT_IN_PROGRESS", F::PayerBusy, F::PayerBusy),
            ("TRANSACTION_ALREADY_IN_PROCESS", F::PayerBusy, F::PayerBusy),
            ("PAYER_NOT_FOUND", F::PayerNotFound, F::PayerNotFound),
            ("RECIPIENT_NOT_FOUND", F::RecipientNotFound, F::RecipientNotFound),
            ("INVALID_PHONE_NUMBER", F::PayerNotFound, F::RecipientNotFound),
            ("PAYER_LIMIT_REACHED", F::PayerLimit, F::PayerLimit),
            ("RECIPIENT_LIMIT_REACHED", F::RecipientLimit, F::RecipientLimit),
            ("WALLET_LIMIT_REACHED", F::PayerLimit, F::RecipientLimit),
            ("PROVIDER_TEMPORARILY_UNAVAILABLE", F::NetworkUnavailable, F::NetworkUnavailable),
            ("MANUALLY_CANCELLED", F::Cancelled, F::Cancelled),
            ("AMOUNT_OUT_OF_BOUNDS", F::OperatorRefused, F::OperatorRefused),
            ("INVALID_AMOUNT", F::OperatorRefused, F::OperatorRefused),
            ("INVALID_CURRENCY", F::OperatorRefused, F::OperatorRefused),
            ("INVALID_PROVIDER", F::OperatorRefused, F::OperatorRefused),
            ("UNSPECIFIED_FAILURE", F::Unspecified, F::Unspecified),
            ("UNKNOWN_ERROR", F::Unspecified, F::Unspecified),
            ("NEVER_SEEN_BEFORE", F::Unspecified, F::Unspecified),
        ] {
            assert_eq!(failure(Some(code), OrderKind::Deposit), deposit, "{code}");
            assert_eq!(failure(Some(code), OrderKind::Payout), payout, "{code}");
        }
        assert_eq!(failure(None, OrderKind::Deposit), F::Unspecified);
    }

    #[test]
    fn a_text_names_the_reason_of_a_code_that_stands_for_several() {
        use FailureCode as F;
        let wrong_pin = "The customer did not approve because an incorrect PIN was entered.";
        let late = "The customer did not authorize the payment in time.";
        let refused = "The provider refused the payment.";
        for (code, text, deposit, payout) in [
            ("PAYMENT_NOT_APPROVED", wrong_pin, F::WrongPin, F::CustomerRejected),
            ("PAYMENT_NOT_APPROVED", late, F::ApprovalTimeout, F::CustomerRejected),
            ("PAYMENT_NOT_APPROVED", refused, F::CustomerRejected, F::CustomerRejected),
            ("UNSPECIFIED_FAILURE", wrong_pin, F::WrongPin, F::Unspecified),
            ("UNSPECIFIED_FAILURE", late, F::Unspecified, F::Unspecified),
            ("UNSPECIFIED_FAILURE", refused, F::Unspecified, F::OperatorRefused),
            ("INSUFFICIENT_BALANCE", wrong_pin, F::InsufficientFunds, F::InsufficientFunds),
        ] {
            let failure = |kind| failed(Some(code), text, kind).observation;
            assert_eq!(failure(OrderKind::Deposit), Observation::Failed(deposit), "{code} {text}");
            assert_eq!(failure(OrderKind::Payout), Observation::Failed(payout), "{code} {text}");
        }
    }

    #[test]
    fn a_refund_fails_only_by_a_reason_that_is_not_about_other_refunds_or_the_deposit() {
        use tua_domain::review::Attention;
        let failed_with = |report: &Report| match report.observation {
            Observation::Failed(code) => Some(code),
            _ => None,
        };
        for code in [
            "DEPOSIT_ALREADY_REFUNDED",
            "AMOUNT_TOO_LARGE",
            "INVALID_STATE",
            "NOT_FOUND",
            "REFUND_IN_PROGRESS",
            "PAYMENT_IN_PROGRESS",
            "TRANSACTION_ALREADY_IN_PROCESS",
            "UNKNOWN_ERROR",
            "NEVER_SEEN_BEFORE",
            "",
        ] {
            for report in
                [rejected(Some(code), OrderKind::Refund), failed(Some(code), "", OrderKind::Refund)]
            {
                assert_eq!(report.observation, Observation::StillPending, "{code}");
                assert_eq!(report.attention, Some(Attention::CheckRefund), "{code}");
            }
            assert!(failed_with(&failed(Some(code), "", OrderKind::Payout)).is_some(), "{code}");
        }
        for code in [
            "PAWAPAY_WALLET_OUT_OF_FUNDS",
            "RECIPIENT_NOT_FOUND",
            "UNSPECIFIED_FAILURE",
            "INVALID_AMOUNT",
        ] {
            let expected = failure(Some(code), OrderKind::Refund);
            for report in
                [rejected(Some(code), OrderKind::Refund), failed(Some(code), "", OrderKind::Refund)]
            {
                assert_eq!(
                    (failed_with(&report), report.attention),
                    (Some(expected), None),
                    "{code}"
                );
            }
        }
        assert_eq!(
            failed_with(&failed(None, "", OrderKind::Refund)),
            Some(FailureCode::Unspecified)
        );
        assert_eq!(failed_with(&rejected(None, OrderKind::Refund)), None);
    }

    #[test]
    fn only_reasons_of_the_account_or_the_provider_concern_every_order() {
        for (report, scope) in [
            (refusal(403, "DEPOSITS_NOT_ALLOWED"), FailureScope::Network),
            (refusal(403, "HTTP_SIGNATURE_ERROR"), FailureScope::Network),
            (refusal(401, "NO_AUTHENTICATION"), FailureScope::Network),
            (refusal(400, "INVALID_PARAMETER"), FailureScope::Order),
            (Some(rejected(Some("INVALID_PROVIDER"), OrderKind::Deposit)), FailureScope::Network),
            (Some(rejected(Some("INVALID_PHONE_NUMBER"), OrderKind::Deposit)), FailureScope::Order),
            (Some(failed(Some("PAYER_NOT_FOUND"), "", OrderKind::Deposit)), FailureScope::Order),
            (Some(failed(Some("NEVER_SEEN_BEFORE"), "", OrderKind::Payout)), FailureScope::Order),
        ] {
            assert_eq!(
                report.as_ref().and_then(|report| report.failure_scope),
                Some(scope),
                "{report:?}"
            );
        }
    }

    #[test]
    fn a_documented_error_is_a_refusal_with_its_own_http_status_only() {
        let observed = |status, code| refusal(status, code).map(|report| report.observation);
        let failed = |code| Some(Observation::Failed(code));
        assert_eq!(observed(400, "INVALID_PARAMETER"), failed(FailureCode::OperatorRefused));
        assert_eq!(observed(403, "DEPOSITS_NOT_ALLOWED"), failed(FailureCode::NetworkUnavailable));
        for (status, code) in
            [(500, "UNKNOWN_ERROR"), (500, "INVALID_PARAMETER"), (400, "NEW"), (403, "FORBIDDEN")]
        {
            assert_eq!(refusal(status, code), None, "{status} {code}");
        }
    }
}
