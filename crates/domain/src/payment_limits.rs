//! The rate limits of prompts and codes.

use super::{
    CheckoutId, Mode, Scope, TransactionId,
    enforcement::Enforcement,
    persistent_bucket::PersistentBucket,
    rate_limit::{Policy, Rate},
};
use tua_contract::Phone;

/// The limits that guard phones and codes. They count across nodes and restarts, so the store
/// enforces them.
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
    /// Live charges of all accounts to one phone number.
    pub prompt_daily: Rate,
    /// Test charges of all accounts to one phone number.
    pub prompt_daily_test: Rate,
    /// Codes for charges to one phone number, of all accounts, that were not right.
    pub code_phone: Rate,
}

impl PaymentLimits {
    /// The bucket for a passcode or voucher: of the session, or else of the transaction. So it does
    /// not matter how many credentials or transactions somebody guesses with.
    #[must_use]
    pub fn code(
        &self,
        session: Option<&CheckoutId>,
        transaction: &TransactionId,
    ) -> Option<PersistentBucket> {
        let guesser = session.map_or(transaction.as_str(), CheckoutId::as_str);
        let bucket =
            || PersistentBucket::new(format!("passcode {guesser}"), Policy::Passcode, self.code);
        self.enforcement.is_enforced().then(bucket)
    }

    /// The bucket for codes that were not right: of the phone number, over all accounts. A token is
    /// taken before the operator is asked about the code, and returned for a right one, so that a
    /// crash in between gives no guess away.
    #[must_use]
    pub fn code_of_phone(&self, mode: Mode, phone: &Phone) -> Option<PersistentBucket> {
        let name = || format!("passcode-phone {} {}", mode.as_str(), phone.as_str());
        self.enforcement
            .is_enforced()
            .then(|| PersistentBucket::new(name(), Policy::Passcode, self.code_phone))
    }

    /// The buckets for a charge, which prompts its payer's phone: of the account for this phone
    /// number, and of the phone number over all accounts.
    #[must_use]
    pub fn prompts(&self, scope: &Scope, phone: &Phone) -> Vec<PersistentBucket> {
        if !self.enforcement.is_enforced() {
            return Vec::new();
        }
        let (of_account, daily) = match scope.mode {
            Mode::Live => (self.prompt_live, self.prompt_daily),
            Mode::Test => (self.prompt_test, self.prompt_daily_test),
        };
        let account = scope.account.as_str();
        let mode = scope.mode.as_str();
        let phone = phone.as_str();
        vec![
            PersistentBucket::new(
                format!("prompt {account} {mode} {phone}"),
                Policy::Prompt,
                of_account,
            ),
            PersistentBucket::new(format!("prompt-daily {mode} {phone}"), Policy::Prompt, daily),
        ]
    }
}
