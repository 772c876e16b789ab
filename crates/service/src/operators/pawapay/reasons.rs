//! pawaPay's kinds of orders, and its codes for failures.

use tua_contract::FailureCode;

/// What an order of pawaPay's is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum OrderKind {
    /// From a customer.
    Deposit,
    /// To a customer.
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

/// The reason of an order that is `REJECTED` or `FAILED`, by pawaPay's code.
pub(super) fn failure(code: Option<&str>, kind: OrderKind) -> FailureCode {
    let by_merchant = kind.is_paid_by_merchant();
    match code {
        Some("INSUFFICIENT_BALANCE") if by_merchant => FailureCode::MerchantFloatLow,
        Some("INSUFFICIENT_BALANCE") => FailureCode::InsufficientFunds,
        Some("PAWAPAY_WALLET_OUT_OF_FUNDS") => FailureCode::MerchantFloatLow,
        // It is also the code of a prompt that nobody answered in time.
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
        // REFUND_IN_PROGRESS is among them: the same refund may be asked for again later.
        Some(_) | None => FailureCode::Unspecified,
    }
}

/// Whether the code of a response with an HTTP error means that the request was not accepted, by pawaPay's documentation;
/// then why.
pub(super) fn refusal(http_status: u16, code: &str) -> Option<FailureCode> {
    match (http_status, code) {
        (
            400,
            "INVALID_INPUT"
            | "MISSING_PARAMETER"
            | "UNSUPPORTED_PARAMETER"
            | "INVALID_PARAMETER"
            | "DUPLICATE_METADATA_FIELD",
        ) => Some(FailureCode::OperatorRefused),
        (401, "NO_AUTHENTICATION") | (403, "AUTHENTICATION_ERROR" | "AUTHORISATION_ERROR" | "HTTP_SIGNATURE_ERROR") => {
            Some(FailureCode::NetworkUnavailable)
        }
        // Such as DEPOSITS_NOT_ALLOWED: the account does not have the operation.
        (403, code) if code.ends_with("_NOT_ALLOWED") => Some(FailureCode::NetworkUnavailable),
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
            ("INSUFFICIENT_BALANCE", F::InsufficientFunds, F::MerchantFloatLow),
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
        for code in ["NOT_FOUND", "INVALID_STATE", "AMOUNT_TOO_LARGE", "DEPOSIT_ALREADY_REFUNDED"] {
            assert_eq!(failure(Some(code), OrderKind::Refund), F::OperatorRefused, "{code}");
        }
        assert!(failure(Some("REFUND_IN_PROGRESS"), OrderKind::Refund).is_retryable());
        assert_eq!(failure(None, OrderKind::Deposit), F::Unspecified);
    }

    #[test]
    fn a_documented_error_is_a_refusal_with_its_own_http_status_only() {
        assert_eq!(refusal(400, "INVALID_PARAMETER"), Some(FailureCode::OperatorRefused));
        assert_eq!(refusal(403, "DEPOSITS_NOT_ALLOWED"), Some(FailureCode::NetworkUnavailable));
        for (status, code) in [(500, "UNKNOWN_ERROR"), (500, "INVALID_PARAMETER"), (400, "NEW"), (403, "FORBIDDEN")] {
            assert_eq!(refusal(status, code), None, "{status} {code}");
        }
    }
}
