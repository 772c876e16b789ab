//! Operators' callbacks: each triggers a status query and changes nothing itself.

use crate::{app::App, domain::settle};
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::mpsc::UnboundedReceiver;

/// Handles each reference in its own task, so that a slow query delays no other.
pub(super) async fn run(app: Arc<App>, mut callbacks: UnboundedReceiver<String>) {
    let hints = Arc::new(Hints::default());
    loop {
        tokio::select! {
            reference = callbacks.recv() => match reference {
                Some(reference) if hints.start(&reference) => {
                    app.tasks.spawn(query_status(app.clone(), hints.clone(), reference));
                }
                Some(_) => {}
                None => return,
            },
            () = app.stopping.cancelled() => return,
        }
    }
}

async fn query_status(app: Arc<App>, hints: Arc<Hints>, reference: String) {
    loop {
        settle::check_now(app.clone(), reference.clone()).await;
        if !hints.finish(&reference) {
            return;
        }
    }
}

/// References whose status is being queried, and whether another callback arrived meanwhile. A thousand simultaneous
/// callbacks for one reference cause two queries; the second starts after the last callback.
#[derive(Debug, Default)]
struct Hints(Mutex<HashMap<String, bool>>);

impl Hints {
    /// Returns whether the caller must start a query. Else the running task queries again.
    fn start(&self, reference: &str) -> bool {
        let mut queries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match queries.entry(reference.to_owned()) {
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

    /// Returns whether another callback arrived during the query. Else the reference is removed.
    fn finish(&self, reference: &str) -> bool {
        let mut queries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_more = queries.get_mut(reference).is_some_and(std::mem::take);
        if !has_more {
            queries.remove(reference);
        }
        has_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_simultaneous_callbacks_cause_two_queries() {
        let hints = Hints::default();
        let started = (0..1000).filter(|_| hints.start("one")).count();
        assert!(started == 1 && hints.start("other"));
        assert!(hints.finish("one") && !hints.finish("one"));
        assert!(hints.start("one"), "a callback after the last response causes a new query");
        assert_eq!(hints.0.lock().unwrap().len(), 2);
    }
}
