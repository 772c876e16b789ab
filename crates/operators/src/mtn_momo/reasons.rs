//! MTN's reasons of failed orders.

use crate::failure_text;
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::ports::{FailureScope, RefundRefusal, Report};

/// What an order of MTN's is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OrderKind {
    /// `requesttopay`: the customer pays.
    Charge,
    /// `transfer`: the merchant pays.
    Payout,
    /// `refund`: the merchant pays back.
    Refund,
}

impl OrderKind {
    /// Whether the merchant's wallet is the payer's.
    const fn is_paid_by_merchant(self) -> bool {
        match self {
            Self::Charge => false,
            Self::Payout | Self::Refund => true,
        }
    }
}

/// The reason of a `FAILED` order, by MTN's code alone; `None` if the code means that the order is
/// not decided.
fn failure(code: Option<&str>, kind: OrderKind) -> Option<FailureCode> {
    let by_merchant = kind.is_paid_by_merchant();
    Some(match code {
        // `FAILED` with one of these contradicts itself: MTN documents them as reasons to ask
        // again, or as an unknown outcome.
        Some("PENDING" | "ONGOING" | "DELAYED" | "PAYER_DELAYED" | "TRANSACTION_NOT_COMPLETED") => {
            return None;
        }
        Some("NOT_ENOUGH_FUNDS") if by_merchant => FailureCode::MerchantFloatLow,
        Some("NOT_ENOUGH_FUNDS") => FailureCode::InsufficientFunds,
        Some("APPROVAL_REJECTED" | "REJECTED" | "PAYMENT_NOT_APPROVED") => {
            FailureCode::CustomerRejected
        }
        // The second one is documented as: not approved within five minutes.
        Some("EXPIRED" | "COULD_NOT_PERFORM_TRANSACTION") => FailureCode::ApprovalTimeout,
        Some("SENDER_ACCOUNT_NOT_ACTIVE") if by_merchant => FailureCode::OperatorRefused,
        Some("PAYER_NOT_FOUND" | "SENDER_ACCOUNT_NOT_ACTIVE") => FailureCode::PayerNotFound,
        Some("PAYEE_NOT_FOUND") => FailureCode::RecipientNotFound,
        Some("PAYER_LIMIT_REACHED") => FailureCode::PayerLimit,
        Some("PAYEE_LIMIT_REACHED") => FailureCode::RecipientLimit,
        // In a charge the payee is the merchant.
        Some("PAYEE_NOT_ALLOWED_TO_RECEIVE") if by_merchant => FailureCode::RecipientLimit,
        // The charge that a refund names.
        Some("TRANSACTION_NOT_FOUND") if kind == OrderKind::Refund => FailureCode::OperatorRefused,
        Some("SERVICE_UNAVAILABLE") => FailureCode::NetworkUnavailable,
        Some("TRANSACTION_CANCELED") => FailureCode::Cancelled,
        Some(
            "INVALID_CALLBACK_URL_HOST"
            | "INVALID_CURRENCY"
            | "NOT_ALLOWED"
            | "NOT_ALLOWED_TARGET_ENVIRONMENT"
            | "PAYEE_NOT_ALLOWED_TO_RECEIVE"
            | "TRANSFER_TYPE_UNKNOWN"
            | "VALIDATION_ERROR",
        ) => FailureCode::OperatorRefused,
        // INTERNAL_PROCESSING_ERROR is documented as the code for everything without a code of its
        // own, most often too little money; LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED is
        // one code for three reasons.
        Some(_) | None => FailureCode::Unspecified,
    })
}

/// The reason of a `FAILED` order, by MTN's code and the text beside it. MTN has no code for a
/// wrong PIN.
fn reason(code: Option<&str>, text: &str, kind: OrderKind) -> Option<FailureCode> {
    match (kind, code) {
        (OrderKind::Charge, Some("INTERNAL_PROCESSING_ERROR"))
            if failure_text::is_wrong_pin(text) =>
        {
            Some(FailureCode::WrongPin)
        }
        _ => failure(code, kind),
    }
}

/// Whether a reason of a failed refund gives no hint that the money of the charge has returned
/// otherwise. MTN has no code for a charge that is refunded already, so NOT_ALLOWED may mean that;
/// with TRANSACTION_NOT_FOUND MTN does not have the charge.
fn leaves_the_charge_as_it_was(code: &str) -> bool {
    match code {
        "APPROVAL_REJECTED"
        | "COULD_NOT_PERFORM_TRANSACTION"
        | "EXPIRED"
        | "INTERNAL_PROCESSING_ERROR"
        | "INVALID_CALLBACK_URL_HOST"
        | "INVALID_CURRENCY"
        | "LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED"
        | "NOT_ALLOWED_TARGET_ENVIRONMENT"
        | "NOT_ENOUGH_FUNDS"
        | "PAYEE_LIMIT_REACHED"
        | "PAYEE_NOT_ALLOWED_TO_RECEIVE"
        | "PAYEE_NOT_FOUND"
        | "PAYER_LIMIT_REACHED"
        | "PAYER_NOT_FOUND"
        | "PAYMENT_NOT_APPROVED"
        | "REJECTED"
        | "SENDER_ACCOUNT_NOT_ACTIVE"
        | "SERVICE_UNAVAILABLE"
        | "TRANSACTION_CANCELED"
        | "TRANSFER_TYPE_UNKNOWN"
        | "VALIDATION_ERROR" => true,
        // TRANSACTION_NOT_FOUND and NOT_ALLOWED are among them.
        _ => false,
    }
}

/// Which orders MTN would fail for the same reason.
fn scope(code: Option<&str>, kind: OrderKind) -> FailureScope {
    match code {
        Some(
            "INVALID_CALLBACK_URL_HOST"
            | "INVALID_CURRENCY"
            | "NOT_ALLOWED_TARGET_ENVIRONMENT"
            | "SERVICE_UNAVAILABLE"
            | "TRANSFER_TYPE_UNKNOWN",
        ) => FailureScope::Network,
        // The merchant's own wallet.
        Some("PAYEE_NOT_ALLOWED_TO_RECEIVE") if !kind.is_paid_by_merchant() => {
            FailureScope::Network
        }
        Some("SENDER_ACCOUNT_NOT_ACTIVE") if kind.is_paid_by_merchant() => FailureScope::Network,
        Some(_) | None => FailureScope::Order,
    }
}

/// What a `FAILED` order reveals. Without a reason, the status of a refund is still MTN's explicit
/// failure.
pub(super) fn failed(code: Option<&str>, text: &str, kind: OrderKind) -> Report {
    match (reason(code, text, kind), code) {
        (None, _) => Observation::StillPending.into(),
        (Some(reason), Some(code)) if kind == OrderKind::Refund => {
            if leaves_the_charge_as_it_was(code) {
                RefundRefusal::NothingReturned(reason).into()
            } else {
                RefundRefusal::ProvesNothing.into()
            }
        }
        (Some(reason), code) => {
            let failed = Report::new(Observation::Failed(reason));
            failed.with_failure_scope(scope(code, kind))
        }
    }
}

/// What an order reveals that MTN refused as a request that does not follow its specification. Of a
/// refund, only the codes for that prove that MTN did not look at the charge.
pub(super) fn refused(code: Option<&str>, kind: OrderKind) -> Report {
    let refused = Report::new(Observation::Failed(FailureCode::OperatorRefused));
    let refused = refused.with_failure_scope(FailureScope::Order);
    match (kind, code) {
        (OrderKind::Charge | OrderKind::Payout, _) => refused,
        (OrderKind::Refund, Some("BAD_REQUEST" | "VALIDATION_ERROR")) => refused,
        (OrderKind::Refund, _) => RefundRefusal::ProvesNothing.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MTN's sandbox numbers 46733123450 to …464 fail with these codes (MTN's sandbox page,
    /// 2026-07), and clients list the others (2026-11).
    #[test]
    fn every_documented_code_has_its_reason() {
        use FailureCode as F;
        for (code, charge, payout) in [
            ("INTERNAL_PROCESSING_ERROR", Some(F::Unspecified), Some(F::Unspecified)),
            ("APPROVAL_REJECTED", Some(F::CustomerRejected), Some(F::CustomerRejected)),
            ("EXPIRED", Some(F::ApprovalTimeout), Some(F::ApprovalTimeout)),
            ("COULD_NOT_PERFORM_TRANSACTION", Some(F::ApprovalTimeout), Some(F::ApprovalTimeout)),
            ("PAYER_NOT_FOUND", Some(F::PayerNotFound), Some(F::PayerNotFound)),
            ("PAYEE_NOT_FOUND", Some(F::RecipientNotFound), Some(F::RecipientNotFound)),
            ("NOT_ENOUGH_FUNDS", Some(F::InsufficientFunds), Some(F::MerchantFloatLow)),
            ("PAYER_LIMIT_REACHED", Some(F::PayerLimit), Some(F::PayerLimit)),
            ("PAYEE_LIMIT_REACHED", Some(F::RecipientLimit), Some(F::RecipientLimit)),
            ("PAYEE_NOT_ALLOWED_TO_RECEIVE", Some(F::OperatorRefused), Some(F::RecipientLimit)),
            ("SENDER_ACCOUNT_NOT_ACTIVE", Some(F::PayerNotFound), Some(F::OperatorRefused)),
            ("NOT_ALLOWED", Some(F::OperatorRefused), Some(F::OperatorRefused)),
            ("NOT_ALLOWED_TARGET_ENVIRONMENT", Some(F::OperatorRefused), Some(F::OperatorRefused)),
            ("INVALID_CALLBACK_URL_HOST", Some(F::OperatorRefused), Some(F::OperatorRefused)),
            ("INVALID_CURRENCY", Some(F::OperatorRefused), Some(F::OperatorRefused)),
            ("VALIDATION_ERROR", Some(F::OperatorRefused), Some(F::OperatorRefused)),
            ("TRANSFER_TYPE_UNKNOWN", Some(F::OperatorRefused), Some(F::OperatorRefused)),
            ("SERVICE_UNAVAILABLE", Some(F::NetworkUnavailable), Some(F::NetworkUnavailable)),
            ("TRANSACTION_CANCELED", Some(F::Cancelled), Some(F::Cancelled)),
            (
                "LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED",
                Some(F::Unspecified),
                Some(F::Unspecified),
            ),
            ("NEVER_SEEN_BEFORE", Some(F::Unspecified), Some(F::Unspecified)),
            ("PENDING", None, None),
            ("ONGOING", None, None),
            ("DELAYED", None, None),
            ("PAYER_DELAYED", None, None),
            ("TRANSACTION_NOT_COMPLETED", None, None),
        ] {
            assert_eq!(failure(Some(code), OrderKind::Charge), charge, "{code}");
            assert_eq!(failure(Some(code), OrderKind::Payout), payout, "{code}");
            assert_eq!(failure(Some(code), OrderKind::Refund), payout, "{code}");
        }
        for (kind, reason) in [
            (OrderKind::Charge, F::Unspecified),
            (OrderKind::Payout, F::Unspecified),
            (OrderKind::Refund, F::OperatorRefused),
        ] {
            assert_eq!(failure(Some("TRANSACTION_NOT_FOUND"), kind), Some(reason), "{kind:?}");
        }
        assert_eq!(failure(None, OrderKind::Charge), Some(F::Unspecified));
    }

    #[test]
    fn only_the_text_of_a_charge_without_a_code_of_its_own_names_a_wrong_pin() {
        let text = "The payer entered a wrong PIN.";
        let failure = |code, kind| failed(Some(code), text, kind).observation;
        let internal = "INTERNAL_PROCESSING_ERROR";
        let failed = Observation::Failed;
        assert_eq!(failure(internal, OrderKind::Charge), failed(FailureCode::WrongPin));
        assert_eq!(failure(internal, OrderKind::Payout), failed(FailureCode::Unspecified));
        assert_eq!(failure("EXPIRED", OrderKind::Charge), failed(FailureCode::ApprovalTimeout));
        assert_eq!(failure("ONGOING", OrderKind::Charge), Observation::StillPending);
    }

    #[test]
    fn a_refund_fails_only_by_a_reason_that_is_not_about_its_charge() {
        use tua_domain::review::Attention;
        for code in ["TRANSACTION_NOT_FOUND", "NOT_ALLOWED", "NEVER_SEEN_BEFORE", ""] {
            let report = failed(Some(code), "", OrderKind::Refund);
            assert_eq!(report.observation, Observation::StillPending, "{code}");
            assert_eq!(report.attention, Some(Attention::CheckRefund), "{code}");
            assert!(
                matches!(
                    failed(Some(code), "", OrderKind::Payout).observation,
                    Observation::Failed(_)
                ),
                "{code}"
            );
        }
        let float_low = failed(Some("NOT_ENOUGH_FUNDS"), "", OrderKind::Refund);
        assert_eq!(float_low, Observation::Failed(FailureCode::MerchantFloatLow).into());
        let undecided = failed(Some("ONGOING"), "", OrderKind::Refund);
        assert_eq!(undecided, Observation::StillPending.into());
        let without_reason = failed(None, "", OrderKind::Refund).observation;
        assert_eq!(without_reason, Observation::Failed(FailureCode::Unspecified));
        assert_eq!(refused(Some("NEW"), OrderKind::Refund).observation, Observation::StillPending);
    }

    #[test]
    fn only_reasons_of_the_account_or_the_network_concern_every_order() {
        for (code, kind, expected) in [
            ("NOT_ALLOWED_TARGET_ENVIRONMENT", OrderKind::Charge, FailureScope::Network),
            ("SERVICE_UNAVAILABLE", OrderKind::Payout, FailureScope::Network),
            ("PAYEE_NOT_ALLOWED_TO_RECEIVE", OrderKind::Charge, FailureScope::Network),
            ("PAYEE_NOT_ALLOWED_TO_RECEIVE", OrderKind::Payout, FailureScope::Order),
            ("SENDER_ACCOUNT_NOT_ACTIVE", OrderKind::Charge, FailureScope::Order),
            ("SENDER_ACCOUNT_NOT_ACTIVE", OrderKind::Payout, FailureScope::Network),
            ("PAYER_NOT_FOUND", OrderKind::Charge, FailureScope::Order),
            ("NEVER_SEEN_BEFORE", OrderKind::Charge, FailureScope::Order),
        ] {
            assert_eq!(
                failed(Some(code), "", kind).failure_scope,
                Some(expected),
                "{code} {kind:?}"
            );
        }
    }
}
