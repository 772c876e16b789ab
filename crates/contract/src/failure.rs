//! Why a payment did not happen.

/// The closed list of reasons for a FAILED transaction (contract section 3). What each
/// operator says is mapped onto it where that operator's answers are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FailureCode {
    /// The wallet holds less than the amount.
    InsufficientFunds,
    /// The payer declined the prompt.
    CustomerRejected,
    /// The payer did not answer the prompt in time.
    ApprovalTimeout,
    /// The payer entered a wrong PIN.
    WrongPin,
    /// Five wrong passcodes or vouchers.
    OtpAttemptsExhausted,
    /// The number has no wallet on that network.
    PayerNotFound,
    /// The recipient's number has no wallet on that network.
    RecipientNotFound,
    /// The payer's wallet has reached a limit.
    PayerLimit,
    /// The recipient's wallet has reached a limit.
    RecipientLimit,
    /// Another prompt is open on the payer's phone.
    PayerBusy,
    /// The merchant's own wallet cannot cover a payout.
    MerchantFloatLow,
    /// The network was down when it was asked.
    NetworkUnavailable,
    /// The operator refused, and the reason is not the payer's doing.
    OperatorRefused,
    /// The operator gave no reason.
    Unspecified,
}

impl FailureCode {
    /// Every reason.
    pub const ALL: [Self; 14] = [
        Self::InsufficientFunds,
        Self::CustomerRejected,
        Self::ApprovalTimeout,
        Self::WrongPin,
        Self::OtpAttemptsExhausted,
        Self::PayerNotFound,
        Self::RecipientNotFound,
        Self::PayerLimit,
        Self::RecipientLimit,
        Self::PayerBusy,
        Self::MerchantFloatLow,
        Self::NetworkUnavailable,
        Self::OperatorRefused,
        Self::Unspecified,
    ];

    /// The name on the wire.
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
            Self::PayerBusy => "payer_busy",
            Self::MerchantFloatLow => "merchant_float_low",
            Self::NetworkUnavailable => "network_unavailable",
            Self::OperatorRefused => "operator_refused",
            Self::Unspecified => "unspecified",
        }
    }

    /// Reads the name on the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == name)
    }

    /// Whether the same payment, tried again, may well succeed.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        !matches!(self, Self::PayerNotFound | Self::RecipientNotFound | Self::OperatorRefused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_read_back_from_its_name() {
        for code in FailureCode::ALL {
            assert_eq!(FailureCode::parse(code.as_str()), Some(code));
        }
        assert_eq!(FailureCode::parse("Insufficient_Funds"), None);
    }
}
