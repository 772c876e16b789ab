//! How often things may be done: token buckets. Those against load, one for each credential and address, are in
//! memory, each node's own, and full after a restart. Those that guard codes and phones, one for each passcode's
//! guesser and phone number, are the store's.

mod bucket;
mod monotonic_clock;
mod rate;
mod settings;

use crate::domain::{
    Caller, CheckoutId, KeyId,
    payment_limits::PaymentLimits,
    ports::Clock,
    rate_limit::{Exceeded, Policy, Standing},
};
use bucket::Buckets;
pub use rate::{Rates, WrittenRates};
pub use settings::LimitSettings;
use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

/// Whether requests, prompts and addresses are limited (docs/reference/command-line.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limits {
    /// At these rates.
    On(Rates),
    /// Not at all; refused while a live key exists.
    Off,
}

impl Limits {
    /// Those that guard phones and codes, which the store enforces.
    #[must_use]
    pub fn of_payments(self) -> PaymentLimits {
        let Self::On(rates) = self else { return PaymentLimits::Off };
        PaymentLimits::On { code: rates.passcode, prompt_live: rates.prompt_live, prompt_test: rates.prompt_test }
    }
}

/// Counts requests, and refuses those beyond a limit.
#[derive(Debug)]
pub struct Limiter(Option<All>);

#[derive(Debug)]
struct All {
    keys: Buckets<KeyId>,
    tokens: Buckets<CheckoutId>,
    addresses: Buckets<IpAddr>,
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
