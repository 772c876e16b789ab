//! The reasons of failed payments.

/// Why a transaction is `FAILED`: `failure.code` in responses. The list is closed: each operator's
/// connector maps that operator's reasons to it. Specified in
/// `docs/reference/lifecycle.md#failure-codes`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FailureCode {
    /// The wallet holds less than the amount.
    InsufficientFunds,
    /// The payer declined the prompt.
    CustomerRejected,
    /// The payer did not respond to the prompt in time.
    ApprovalTimeout,
    /// The payer entered a wrong PIN.
    WrongPin,
    /// The payer entered five wrong passcodes or vouchers.
    OtpAttemptsExhausted,
    /// The payer's number has no wallet on the network.
    PayerNotFound,
    /// The recipient's number has no wallet on the network.
    RecipientNotFound,
    /// The payer's wallet has reached a limit.
    PayerLimit,
    /// The recipient's wallet has reached a limit.
    RecipientLimit,
    /// The order was never sent to the operator, or never reached it.
    NotSent,
    /// The payout was not approved: people refused it, or nobody approved it in time.
    ApprovalRefused,
    /// The merchant cancelled it before it was sent to the operator, or a person cancelled it at
    /// the operator.
    Cancelled,
    /// Another prompt is open on the payer's phone.
    PayerBusy,
    /// The merchant's wallet at the operator does not hold enough. Operators report it for payouts,
    /// and some for charges.
    MerchantFloatLow,
    /// The operator's network was not available.
    NetworkUnavailable,
    /// The operator refused for a reason that neither payer nor recipient can change.
    OperatorRefused,
    /// The operator gave no reason.
    Unspecified,
}

impl FailureCode {
    /// All reasons, in the order of their declaration.
    pub const ALL: [Self; 17] = [
        Self::InsufficientFunds,
        Self::CustomerRejected,
        Self::ApprovalTimeout,
        Self::WrongPin,
        Self::OtpAttemptsExhausted,
        Self::PayerNotFound,
        Self::RecipientNotFound,
        Self::PayerLimit,
        Self::RecipientLimit,
        Self::NotSent,
        Self::ApprovalRefused,
        Self::Cancelled,
        Self::PayerBusy,
        Self::MerchantFloatLow,
        Self::NetworkUnavailable,
        Self::OperatorRefused,
        Self::Unspecified,
    ];

    /// The code in JSON, such as `insufficient_funds`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InsufficientFunds => "insufficient_funds",
            Self::CustomerRejected => "customer_rejected",
            Self::ApprovalTimeout => "approval_timeout",
            Self::WrongPin => "wrong_pin",
            Self::OtpAttemptsExhausted => "otp_attempts_exhausted",
            Self::PayerNotFound => "payer_not_found",
            Self::RecipientNotFound => "recipient_not_found",
            Self::PayerLimit => "payer_limit",
            Self::RecipientLimit => "recipient_limit",
            Self::NotSent => "not_sent",
            Self::ApprovalRefused => "approval_refused",
            Self::Cancelled => "cancelled",
            Self::PayerBusy => "payer_busy",
            Self::MerchantFloatLow => "merchant_float_low",
            Self::NetworkUnavailable => "network_unavailable",
            Self::OperatorRefused => "operator_refused",
            Self::Unspecified => "unspecified",
        }
    }

    /// Parses the code as it appears in JSON. `None` for any other text; the comparison is
    /// case-sensitive.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == name)
    }

    /// Whether a new transaction with the same data may succeed: `failure.retryable` in responses.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        !matches!(
            self,
            Self::PayerNotFound
                | Self::RecipientNotFound
                | Self::ApprovalRefused
                | Self::OperatorRefused
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_code_parses_from_its_text() {
        for code in FailureCode::ALL {
            assert_eq!(FailureCode::parse(code.as_str()), Some(code));
        }
        assert_eq!(FailureCode::parse("Insufficient_Funds"), None);
    }

    #[test]
    fn the_reference_lists_every_failure_code() {
        let reference = include_str!("../../../docs/reference/lifecycle.md");
        for code in FailureCode::ALL {
            let retryable = if code.is_retryable() { "yes" } else { "no" };
            let row = reference.lines().find(|line| {
                line.starts_with(&format!("| [`{0}`](../failures/{0}.md) |", code.as_str()))
            });
            assert!(
                row.is_some_and(|row| row.ends_with(&format!("| {retryable} |"))),
                "{}",
                code.as_str()
            );
        }
    }
}
