//! The rate limits of prompts and codes.

use super::{
    CheckoutId, Mode, Scope, TransactionId,
    enforcement::Enforcement,
    persistent_bucket::PersistentBucket,
    rate_limit::{Policy, Rate},
};
use tua_contract::Phone;

/// The limits that guard phones and codes. They count across nodes and restarts, so the store enforces them.
#[derive(Clone, Debug)]
pub struct PaymentLimits {
    /// Whether they are enforced.
    pub enforcement: Enforcement,
    /// Passcodes and vouchers of one session, or of one transaction of a merchant's own.
    pub code: Rate,
    /// Live charges of one account to one phone number.
    pub prompt_live: Rate,
    /// Test charges of one account to one phone number.
    pub prompt_test: Rate,
}

impl PaymentLimits {
    /// The bucket for a passcode or voucher: of the session, or else of the transaction. So it does not matter how many
    /// credentials or transactions somebody guesses with.
    #[must_use]
    pub fn code(&self, session: Option<&CheckoutId>, transaction: &TransactionId) -> Option<PersistentBucket> {
        let guesser = session.map_or(transaction.as_str(), CheckoutId::as_str);
        let bucket = || PersistentBucket::new(format!("passcode {guesser}"), Policy::Passcode, self.code);
        self.enforcement.is_enforced().then(bucket)
    }

    /// The bucket for a charge, which prompts its payer's phone: of the account, for this phone number.
    #[must_use]
    pub fn prompt(&self, scope: &Scope, phone: &Phone) -> Option<PersistentBucket> {
        let rate = match scope.mode {
            Mode::Live => self.prompt_live,
            Mode::Test => self.prompt_test,
        };
        let name = format!("prompt {} {} {}", scope.account.as_str(), scope.mode.as_str(), phone.as_str());
        self.enforcement.is_enforced().then(|| PersistentBucket::new(name, Policy::Prompt, rate))
    }
}
