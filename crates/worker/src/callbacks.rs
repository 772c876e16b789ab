//! Operators' callbacks. Each one only makes us ask the operator.

use futures_util::FutureExt;
use jiff::SignedDuration;
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tua_domain::ports::CallbackHint;
use tua_use_cases::StatusQueries;

/// The maximum number of status queries after one callback, while the operator does not respond.
const MAX_ATTEMPTS: u32 = 3;

/// The pause before the next of these attempts.
const RETRY_DELAY: SignedDuration = SignedDuration::from_secs(5);

/// Queries the status of the order that a callback is about.
#[derive(Clone, Debug)]
pub struct CallbackVerifier {
    /// Queries the operator, and records the reported status.
    pub status_queries: Arc<StatusQueries>,
    /// Tracks the queries in flight, which a stop waits for.
    pub tasks: TaskTracker,
    /// Cancelled when the service stops.
    pub stopping: CancellationToken,
}

/// Handles callbacks until their sender is dropped. Each reference has a task of its own, so a slow
/// one delays no other.
pub async fn run(verifier: CallbackVerifier, mut callbacks: UnboundedReceiver<CallbackHint>) {
    let in_flight = Arc::new(InFlight::default());
    while let Some(hint) = callbacks.recv().await {
        if in_flight.begin(&hint) {
            verifier.tasks.spawn(verify(verifier.clone(), in_flight.clone(), hint).boxed());
        }
    }
}

async fn verify(verifier: CallbackVerifier, in_flight: Arc<InFlight>, hint: CallbackHint) {
    loop {
        verify_once(&verifier, &hint.reference).await;
        if !in_flight.next(&hint.reference) {
            return;
        }
    }
}

/// Asks the operator, and again after a pause if it does not respond: the next scheduled status
/// request may be hours away.
async fn verify_once(verifier: &CallbackVerifier, reference: &str) {
    let CallbackVerifier { status_queries, stopping, .. } = verifier;
    let clock = &status_queries.gateway.clock;
    for attempt in 1..=MAX_ATTEMPTS {
        if status_queries.refresh_by_reference(reference).await || attempt == MAX_ATTEMPTS {
            return;
        }
        tokio::select! {
            () = clock.sleep_until(clock.now() + RETRY_DELAY) => {}
            () = stopping.cancelled() => return,
        }
    }
}

/// References that are being asked about, and whether a callback came meanwhile: a thousand
/// callbacks at once cause two calls, the second after the last callback.
#[derive(Debug, Default)]
struct InFlight(Mutex<HashMap<String, bool>>);

impl InFlight {
    /// Whether to begin to ask. Otherwise the task that asks already will ask once more.
    fn begin(&self, hint: &CallbackHint) -> bool {
        let mut references = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match references.entry(hint.reference.clone()) {
            Entry::Occupied(mut has_next) => {
                has_next.insert(true);
                false
            }
            Entry::Vacant(entry) => {
                entry.insert(false);
                true
            }
        }
    }

    /// Whether another callback came meanwhile. Without one the reference is removed.
    fn next(&self, reference: &str) -> bool {
        let mut references = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_next = references.get_mut(reference).is_some_and(std::mem::take);
        if !has_next {
            references.remove(reference);
        }
        has_next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(reference: &str) -> CallbackHint {
        CallbackHint { reference: reference.to_owned() }
    }

    #[test]
    fn a_thousand_callbacks_at_once_cause_two_calls() {
        let in_flight = InFlight::default();
        let begun = (0..1000).filter(|_| in_flight.begin(&hint("one"))).count();
        assert!(begun == 1 && in_flight.begin(&hint("other")));
        assert!(in_flight.next("one") && !in_flight.next("one"));
        assert!(
            in_flight.begin(&hint("one")),
            "a callback after the last response causes a new call"
        );
        assert_eq!(in_flight.0.lock().unwrap().len(), 2);
    }
}
