//! Caches the recipient codes of wallets, so that a wallet is rarely registered at Paystack twice.

use super::wire::{Recipient, bank_code};
use quick_cache::sync::Cache;
use std::fmt;
use tua_contract::{Network, Phone};

/// How many codes are cached. A wallet whose code is not cached is registered again: Paystack then
/// returns the existing code.
const CAPACITY: usize = 10_000;

/// A wallet that is registered at Paystack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wallet {
    pub(super) phone: Phone,
    pub(super) network: Network,
}

/// The codes of recipients by wallet, and the wallets by code and by id.
pub(super) struct Recipients {
    codes: Cache<String, String>,
    wallets: Cache<String, Wallet>,
}

impl Recipients {
    pub(super) fn new() -> Self {
        // Each has a code and an id.
        Self { codes: Cache::new(CAPACITY), wallets: Cache::new(2 * CAPACITY) }
    }

    pub(super) fn find(&self, network: Network, phone: &Phone) -> Option<String> {
        self.codes.get(&key(network, phone))
    }

    /// The wallet of a code or id.
    pub(super) fn wallet(&self, code_or_id: &str) -> Option<Wallet> {
        self.wallets.get(code_or_id)
    }

    pub(super) fn insert(&self, network: Network, phone: &Phone, recipient: Recipient) {
        let wallet = Wallet { phone: phone.clone(), network };
        if let Some(id) = recipient.id {
            self.wallets.insert(id.0, wallet.clone());
        }
        self.wallets.insert(recipient.recipient_code.clone(), wallet);
        self.codes.insert(key(network, phone), recipient.recipient_code);
    }

    /// Removes the code, so that it is not used again. The wallets by code and by id stay.
    pub(super) fn remove(&self, network: Network, phone: &Phone) {
        self.codes.remove(&key(network, phone));
    }
}

fn key(network: Network, phone: &Phone) -> String {
    format!("{} {}", bank_code(network), phone.as_str())
}

/// Omits the phone numbers.
impl fmt::Debug for Recipients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipients").field("count", &self.codes.len()).finish()
    }
}
