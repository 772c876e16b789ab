//! The account and the mode that data belongs to.

use crate::{AccountId, string_enum};

string_enum! {
    /// Whether real money moves.
    pub enum Mode {
        /// No money moves: the sandbox serves payments, or the operators of `[routes.test]`.
        Test = "test",
        /// Payments move real money through the operators of the settings.
        Live = "live",
    }
}

/// An account and a mode. No data is read or written across scopes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Scope {
    /// The merchant's account, `acc_…`.
    pub account: AccountId,
    /// Whether the data is of tests or of real payments.
    pub mode: Mode,
}
