//! The state of Paystack in addition to its orders.

use jiff::Timestamp;
use serde_json::{Map, Value};
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};
use tua_contract::Network;

/// The state of Paystack in addition to its orders.
#[derive(Debug, Default)]
pub(crate) struct Paystack {
    recipients: Mutex<Vec<Recipient>>,
    customers: Mutex<Vec<Customer>>,
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
    pub(super) description: String,
    pub(super) email: String,
    pub(super) metadata: Value,
    pub(super) created: Timestamp,
}

/// A customer, whose e-mail address is unique. The texts are empty until the merchant sets them.
#[derive(Clone, Debug)]
pub(super) struct Customer {
    pub(super) code: String,
    pub(super) id: usize,
    pub(super) email: String,
    pub(super) first_name: String,
    pub(super) last_name: String,
    pub(super) phone: String,
    pub(super) metadata: Value,
    pub(super) created: Timestamp,
    pub(super) updated: Timestamp,
}

impl Paystack {
    pub(super) fn recipients(&self) -> MutexGuard<'_, Vec<Recipient>> {
        self.recipients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn find_recipient(&self, code: &str) -> Option<Recipient> {
        self.recipients().iter().find(|recipient| recipient.code == code).cloned()
    }

    pub(super) fn customers(&self) -> MutexGuard<'_, Vec<Customer>> {
        self.customers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The customer with this address or code.
    pub(super) fn find_customer(&self, name: &str) -> Option<Customer> {
        let is_named = |one: &&Customer| one.code == name || one.email.eq_ignore_ascii_case(name);
        self.customers().iter().find(is_named).cloned()
    }

    /// The customer with this address, who is new unless it is known.
    pub(super) fn customer_of(&self, email: &str, now: Timestamp) -> Customer {
        let mut customers = self.customers();
        if let Some(known) = customers.iter().find(|one| one.email.eq_ignore_ascii_case(email)) {
            return known.clone();
        }
        let id = customers.len() + 1;
        let customer = Customer {
            code: format!("CUS_{id:015}"),
            id,
            email: email.to_owned(),
            first_name: String::new(),
            last_name: String::new(),
            phone: String::new(),
            metadata: Value::Object(Map::new()),
            created: now,
            updated: now,
        };
        customers.push(customer.clone());
        customer
    }

    pub(super) fn asks_code(&self) -> bool {
        self.asks_code.load(Ordering::SeqCst)
    }
}
