//! Counts requests, so that tests can tell how often a merchant sent an order or read a status.

use crate::operator::{Call, Operator};
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The number of requests by operator, by kind of call and by route. A request counts when it
/// arrives, also where a fault prevents its effect.
#[derive(Debug, Default)]
pub struct Counters(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    by_call: HashMap<(Operator, Call), u64>,
    /// By method and route: `POST /mtn-momo/collection/v1_0/requesttopay`.
    by_route: HashMap<String, u64>,
}

impl Counters {
    pub(crate) fn count(&self, operator: Operator, call: Call, route: String) {
        let mut counts = self.lock();
        *counts.by_call.entry((operator, call)).or_default() += 1;
        *counts.by_route.entry(route).or_default() += 1;
    }

    /// The requests of one kind to one operator. For [`Call::Callback`]: the callbacks that were
    /// sent.
    #[must_use]
    pub fn of_call(&self, operator: Operator, call: Call) -> u64 {
        self.lock().by_call.get(&(operator, call)).copied().unwrap_or(0)
    }

    /// The requests to one route: its method, and its path from the root with names for the
    /// variable segments, for example `GET /mtn-momo/collection/v1_0/requesttopay/{reference}`.
    #[must_use]
    pub fn of_route(&self, route: &str) -> u64 {
        self.lock().by_route.get(route).copied().unwrap_or(0)
    }

    /// All routes that received requests, with their numbers, sorted by route.
    #[must_use]
    pub fn routes(&self) -> Vec<(String, u64)> {
        let mut routes = self
            .lock()
            .by_route
            .iter()
            .map(|(route, count)| (route.clone(), *count))
            .collect::<Vec<_>>();
        routes.sort();
        routes
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
