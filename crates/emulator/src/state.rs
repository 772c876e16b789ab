//! What the protocols of one emulator share.

use crate::{
    callback::CallbackSender,
    chaos::Chaos,
    clock::Clock,
    counters::Counters,
    operator::Operator,
    order::{Order, OrderId},
    orders::Orders,
    settings::{Credentials, Settings},
};
use std::{
    any::Any,
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError, RwLock},
};

/// The state of one emulator.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) chaos: Chaos,
    pub(crate) counters: Counters,
    pub(crate) callbacks: CallbackSender,
    orders: Mutex<Orders>,
    access: RwLock<Access>,
}

/// What tests change at run time: credentials, and the addresses for callbacks.
#[derive(Debug)]
struct Access {
    credentials: Credentials,
    /// The operators that refuse every credential.
    revoked: HashSet<Operator>,
    callback_urls: HashMap<Operator, String>,
}

impl State {
    pub(crate) fn new(settings: Settings, callbacks: CallbackSender) -> Self {
        let clock = Clock::new(settings.clock);
        let access = Access {
            credentials: settings.credentials.clone(),
            revoked: HashSet::new(),
            callback_urls: settings.callback_urls.clone(),
        };
        Self {
            orders: Mutex::new(Orders::new(clock.start(), settings.float_pesewas)),
            chaos: Chaos::new(settings.chaos.clone(), clock.start()),
            counters: Counters::default(),
            access: RwLock::new(access),
            callbacks,
            clock,
            settings,
        }
    }

    /// Locks the orders. The lock is short: nobody awaits while holding it.
    pub(crate) fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of one order.
    pub(crate) fn order(&self, id: OrderId) -> Option<Order> {
        self.orders().get(id).cloned()
    }

    /// The credentials that an operator accepts at present, of its own type; `None` while they are
    /// revoked.
    pub(crate) fn accepted_credentials<T: Any + Clone + Default>(
        &self,
        operator: Operator,
    ) -> Option<T> {
        let access = self.access.read().unwrap_or_else(PoisonError::into_inner);
        (!access.revoked.contains(&operator)).then(|| access.credentials.get())
    }

    /// Accepts these credentials alone, from every operator.
    pub(crate) fn replace_credentials(&self, credentials: Credentials) {
        let mut access = self.access.write().unwrap_or_else(PoisonError::into_inner);
        access.credentials = credentials;
        access.revoked.clear();
    }

    /// Refuses every credential of an operator.
    pub(crate) fn revoke_credentials(&self, operator: Operator) {
        self.access.write().unwrap_or_else(PoisonError::into_inner).revoked.insert(operator);
    }

    /// Accepts an operator's credentials again.
    pub(crate) fn restore_credentials(&self, operator: Operator) {
        self.access.write().unwrap_or_else(PoisonError::into_inner).revoked.remove(&operator);
    }

    /// The address for callbacks that the merchant has set in the operator's dashboard.
    pub(crate) fn callback_url(&self, operator: Operator) -> Option<String> {
        self.access
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .callback_urls
            .get(&operator)
            .cloned()
    }

    pub(crate) fn set_callback_url(&self, operator: Operator, url: String) {
        self.access
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .callback_urls
            .insert(operator, url);
    }
}
