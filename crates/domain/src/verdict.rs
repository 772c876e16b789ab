//! Whether an operator accepted a passcode or voucher, as the API returns it.

use super::string_enum;

string_enum! {
    /// The verdict on a submitted code.
    pub enum CodeVerdict {
        /// The operator accepted it.
        Accepted = "accepted",
        /// The operator refused it. More attempts are left.
        Wrong = "wrong",
        /// The operator refused it, and it was the last attempt.
        Exhausted = "exhausted",
        /// It is not known yet whether the operator accepted it.
        Unknown = "unknown",
    }
}

impl CodeVerdict {
    /// Whether the operator refused the code.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Wrong | Self::Exhausted)
    }
}
