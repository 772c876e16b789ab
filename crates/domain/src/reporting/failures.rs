//! Why payments failed, counted by reason.

use tua_contract::FailureCode;

/// The maximum number of failed transactions of a period that are looked at for each reason.
pub const MAX_FAILURES: u32 = 5_000;

/// How many charges of a period failed for one reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailureCount {
    /// The reason.
    pub code: FailureCode,
    /// How many of the first [`MAX_FAILURES`] transactions that failed for it are charges.
    pub payments: u64,
    /// Whether there may be more than were counted.
    pub is_capped: bool,
}

impl FailureCount {
    /// Whether the reason is the payer's: what the payer did, did not do, or has in the wallet. The
    /// others are reasons of the merchant or of the operator, or the operator gave none.
    #[must_use]
    pub const fn is_the_payers(&self) -> bool {
        match self.code {
            FailureCode::InsufficientFunds
            | FailureCode::CustomerRejected
            | FailureCode::ApprovalTimeout
            | FailureCode::WrongPin
            | FailureCode::OtpAttemptsExhausted
            | FailureCode::PayerNotFound
            | FailureCode::PayerLimit
            | FailureCode::PayerBusy => true,
            FailureCode::RecipientNotFound
            | FailureCode::RecipientLimit
            | FailureCode::NotSent
            | FailureCode::ApprovalRefused
            | FailureCode::Cancelled
            | FailureCode::MerchantFloatLow
            | FailureCode::NetworkUnavailable
            | FailureCode::OperatorRefused
            | FailureCode::Unspecified => false,
        }
    }
}
