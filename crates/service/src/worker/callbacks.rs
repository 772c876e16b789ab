//! Operators' callbacks: each only makes us ask.

use crate::{app::App, domain::settle};
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::mpsc::UnboundedReceiver;

/// Each reference in a task of its own, so that a slow one holds up none of the others.
pub(super) async fn run(app: Arc<App>, mut callbacks: UnboundedReceiver<String>) {
    let hints = Arc::new(Hints::default());
    loop {
        tokio::select! {
            reference = callbacks.recv() => match reference {
                Some(reference) if hints.begins(&reference) => {
                    app.tasks.spawn(attend(app.clone(), hints.clone(), reference));
                }
                Some(_) => {}
                None => return,
            },
            () = app.stopping.cancelled() => return,
        }
    }
}

async fn attend(app: Arc<App>, hints: Arc<Hints>, reference: String) {
    loop {
        settle::check_now(app.clone(), reference.clone()).await;
        if !hints.goes_on(&reference) {
            return;
        }
    }
}

/// References that are being asked about, and whether there was news meanwhile: a thousand callbacks at once
/// are two questions, one of them asked after the last callback came.
#[derive(Debug, Default)]
struct Hints(Mutex<HashMap<String, bool>>);

impl Hints {
    /// Whether to begin to ask; else whoever asks already is told to ask again.
    fn begins(&self, reference: &str) -> bool {
        let mut asking = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match asking.entry(reference.to_owned()) {
            Entry::Occupied(mut news) => {
                news.insert(true);
                false
            }
            Entry::Vacant(entry) => {
                entry.insert(false);
                true
            }
        }
    }

    /// Whether there was news while it was asked; else the asking is over.
    fn goes_on(&self, reference: &str) -> bool {
        let mut asking = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let news = asking.get_mut(reference).is_some_and(std::mem::take);
        if !news {
            asking.remove(reference);
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_callbacks_at_once_are_two_questions() {
        let hints = Hints::default();
        let begun = (0..1000).filter(|_| hints.begins("one")).count();
        assert!(begun == 1 && hints.begins("other"));
        assert!(hints.goes_on("one") && !hints.goes_on("one"));
        assert!(hints.begins("one"), "news after the last answer is asked about anew");
        assert_eq!(hints.0.lock().unwrap().len(), 2);
    }
}
