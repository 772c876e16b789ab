//! Operators' callbacks. Each one only makes us ask the operator.

use crate::domain::use_cases::Settlement;
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::task::TaskTracker;

/// Handles callbacks until their sender is dropped. Each reference has a task of its own, so a slow one delays no
/// other.
pub async fn run(settlement: Arc<Settlement>, tasks: TaskTracker, mut callbacks: UnboundedReceiver<String>) {
    let in_flight = Arc::new(InFlight::default());
    while let Some(reference) = callbacks.recv().await {
        if in_flight.begin(&reference) {
            tasks.spawn(verify(settlement.clone(), in_flight.clone(), reference));
        }
    }
}

async fn verify(settlement: Arc<Settlement>, in_flight: Arc<InFlight>, reference: String) {
    loop {
        settlement.clone().verify_by_reference(reference.clone()).await;
        if !in_flight.is_repeated(&reference) {
            return;
        }
    }
}

/// References that are being asked about, and whether another callback came meanwhile: a thousand callbacks at once
/// cause two calls, the second after the last callback.
#[derive(Debug, Default)]
struct InFlight(Mutex<HashMap<String, bool>>);

impl InFlight {
    /// Whether to begin to ask. Otherwise the task that asks already will ask once more.
    fn begin(&self, reference: &str) -> bool {
        let mut references = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match references.entry(reference.to_owned()) {
            Entry::Occupied(mut has_more) => {
                has_more.insert(true);
                false
            }
            Entry::Vacant(entry) => {
                entry.insert(false);
                true
            }
        }
    }

    /// Whether another callback came meanwhile. Otherwise the reference is removed.
    fn is_repeated(&self, reference: &str) -> bool {
        let mut references = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_more = references.get_mut(reference).is_some_and(std::mem::take);
        if !has_more {
            references.remove(reference);
        }
        has_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_callbacks_at_once_cause_two_calls() {
        let in_flight = InFlight::default();
        let begun = (0..1000).filter(|_| in_flight.begin("one")).count();
        assert!(begun == 1 && in_flight.begin("other"));
        assert!(in_flight.is_repeated("one") && !in_flight.is_repeated("one"));
        assert!(in_flight.begin("one"), "a callback after the last response causes a new call");
        assert_eq!(in_flight.0.lock().unwrap().len(), 2);
    }
}
