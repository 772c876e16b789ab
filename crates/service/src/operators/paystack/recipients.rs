//! The recipients of transfers: each wallet is created once at Paystack, and its code is reused.

use super::wire::bank_code;
use quick_cache::sync::Cache;
use std::fmt;
use tua_contract::{Network, Phone};

/// How many codes are kept. A wallet whose code is not kept is created again: Paystack then returns the existing code.
const CAPACITY: usize = 10_000;

/// The codes of recipients by wallet.
pub(super) struct Recipients(Cache<String, String>);

impl Recipients {
    pub(super) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    pub(super) fn find(&self, network: Network, phone: &Phone) -> Option<String> {
        self.0.get(&key(network, phone))
    }

    pub(super) fn insert(&self, network: Network, phone: &Phone, code: String) {
        self.0.insert(key(network, phone), code);
    }

    pub(super) fn remove(&self, network: Network, phone: &Phone) {
        self.0.remove(&key(network, phone));
    }
}

fn key(network: Network, phone: &Phone) -> String {
    format!("{} {}", bank_code(network), phone.as_str())
}

/// Without the phone numbers.
impl fmt::Debug for Recipients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipients").field("count", &self.0.len()).finish()
    }
}
