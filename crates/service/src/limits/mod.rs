//! How often things may be done: token buckets. Those against load, one for each credential and address, are in
//! memory, each node's own, and full after a restart. Those that guard codes and phones, one for each passcode's
//! guesser and phone number, are the store's.

mod bucket;
mod kept;
mod monotonic_clock;
mod rate;
mod settings;

use crate::{
    clock::Clock,
    domain::{Caller, CheckoutId, KeyId, Mode, Scope, TransactionId},
};
use bucket::Buckets;
pub use bucket::{Exceeded, Standing};
pub use kept::{PersistentBucket, TokenCost};
pub use rate::{Rate, Rates, WrittenRates};
pub use settings::LimitSettings;
use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};
use tua_contract::Phone;

/// Whether requests, prompts and addresses are limited (docs/reference/command-line.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limits {
    /// At these rates.
    On(Rates),
    /// Not at all; refused while a live key exists.
    Off,
}

/// What a bucket limits. Its name is the policy's in the `RateLimit` headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Requests with one credential.
    Credential,
    /// Requests from one address whose credential is missing, unknown or expired.
    Address,
    /// Passcodes and vouchers of one session, or of one transaction of a merchant's own.
    Passcode,
    /// Charges of one account to one phone number.
    Prompt,
}

impl Policy {
    /// Its name in the headers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credential => "credential",
            Self::Address => "address",
            Self::Passcode => "passcode",
            Self::Prompt => "prompt",
        }
    }
}

/// Counts, and says when it is too much.
#[derive(Debug)]
pub struct Limiter(Option<All>);

#[derive(Debug)]
struct All {
    keys: Buckets<KeyId>,
    tokens: Buckets<CheckoutId>,
    addresses: Buckets<IpAddr>,
    passcode: Rate,
    live_prompt: Rate,
    test_prompt: Rate,
}

impl Limiter {
    /// With full buckets.
    #[must_use]
    pub fn new(limits: Limits, clock: &Arc<dyn Clock>) -> Self {
        let Limits::On(rates) = limits else { return Self(None) };
        Self(Some(All {
            keys: Buckets::new(Policy::Credential, rates.secret_key, clock),
            tokens: Buckets::new(Policy::Credential, rates.checkout_token, clock),
            addresses: Buckets::new(Policy::Address, rates.address, clock),
            passcode: rates.passcode,
            live_prompt: rates.prompt_live,
            test_prompt: rates.prompt_test,
        }))
    }

    /// Counts a request with a good credential. Returns how the credential now stands, where it is limited.
    ///
    /// # Errors
    /// Where the credential has sent too much.
    pub fn request(&self, caller: &Caller) -> Result<Option<Standing>, Exceeded> {
        let Some(all) = &self.0 else { return Ok(None) };
        let standing = match caller {
            Caller::Key(key) => all.keys.take(&key.id),
            Caller::Token(checkout) => all.tokens.take(&checkout.id),
        };
        standing.map(Some)
    }

    /// Counts a request whose credential is missing, unknown or expired.
    ///
    /// # Errors
    /// Where too many of those came from the address.
    pub fn bad_credential(&self, address: IpAddr) -> Result<(), Exceeded> {
        let Some(all) = &self.0 else { return Ok(()) };
        all.addresses.take(&holder(address)).map(drop)
    }

    /// What a passcode or voucher is taken from: the bucket of a session, or else of the transaction, however many
    /// credentials or transactions it takes.
    #[must_use]
    pub fn passcode(&self, session: Option<&CheckoutId>, transaction: &TransactionId) -> Option<PersistentBucket> {
        let guesser = session.map_or(transaction.as_str(), CheckoutId::as_str);
        let all = self.0.as_ref()?;
        Some(PersistentBucket::new(format!("passcode {guesser}"), Policy::Passcode, all.passcode))
    }

    /// What a charge, which prompts its payer's phone, is taken from: the account's bucket for this phone.
    #[must_use]
    pub fn prompt(&self, scope: &Scope, phone: &Phone) -> Option<PersistentBucket> {
        let all = self.0.as_ref()?;
        let rate = match scope.mode {
            Mode::Live => all.live_prompt,
            Mode::Test => all.test_prompt,
        };
        let name = format!("prompt {} {} {}", scope.account.as_str(), scope.mode.as_str(), phone.as_str());
        Some(PersistentBucket::new(name, Policy::Prompt, rate))
    }
}

/// Whom an address belongs to: with IPv6 a household or server is given 64 bits of addresses.
fn holder(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_is_one_holder() {
        let of = |text: &str| holder(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
