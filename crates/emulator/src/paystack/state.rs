//! The state of Paystack in addition to its orders.

use jiff::Timestamp;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};
use tua_contract::Network;

/// The state of Paystack in addition to its orders.
#[derive(Debug, Default)]
pub(crate) struct Paystack {
    recipients: Mutex<Vec<Recipient>>,
    /// Whether a transfer waits for a code.
    pub(super) asks_code: AtomicBool,
}

/// A wallet to which transfers go.
#[derive(Clone, Debug)]
pub(super) struct Recipient {
    pub(super) code: String,
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) phone: String,
    pub(super) network: Network,
    pub(super) account_number: String,
    pub(super) created: Timestamp,
}

impl Paystack {
    pub(super) fn recipients(&self) -> MutexGuard<'_, Vec<Recipient>> {
        self.recipients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn find_recipient(&self, code: &str) -> Option<Recipient> {
        self.recipients().iter().find(|recipient| recipient.code == code).cloned()
    }

    pub(super) fn asks_code(&self) -> bool {
        self.asks_code.load(Ordering::SeqCst)
    }
}
