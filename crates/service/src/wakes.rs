//! Who waits for news: for a transaction to change, one parked task each, no polling; and the
//! worker that tells merchants.

use crate::domain::TransactionId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};
use tokio::sync::{
    Notify,
    futures::OwnedNotified,
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

/// The tasks that wait for news.
#[derive(Debug)]
pub struct Wakes {
    changes: Mutex<HashMap<TransactionId, Weak<Notify>>>,
    news: Arc<Notify>,
    told: UnboundedSender<TransactionId>,
}

impl Wakes {
    /// Nobody waits yet. What changes here is also said to the other end of what is returned beside it.
    #[must_use]
    pub fn new() -> (Self, UnboundedReceiver<TransactionId>) {
        let (told, changes) = unbounded_channel();
        (Self { changes: Mutex::default(), news: Arc::default(), told }, changes)
    }

    /// Waits for the next change of a transaction, from the moment of this call on: read the
    /// transaction *after* calling it, and no change falls in between.
    #[must_use]
    pub fn next_change(&self, id: &TransactionId) -> Watch {
        let mut waiting = self.lock();
        let notify = waiting.get(id).and_then(Weak::upgrade).unwrap_or_else(|| {
            // Now and then, so that the map stays as small as the crowd that waits.
            if waiting.len() == waiting.capacity() {
                waiting.retain(|_, notify| notify.strong_count() > 0);
            }
            let notify = Arc::new(Notify::new());
            waiting.insert(id.clone(), Arc::downgrade(&notify));
            notify
        });
        Watch(Box::pin(notify.notified_owned()))
    }

    /// Wakes everyone who waits for this transaction, here and on the other nodes, and who waits for any news.
    pub fn wake(&self, id: &TransactionId) {
        self.announce();
        self.wake_here(id);
        // Nobody listens where there is only this node.
        let _ = self.told.send(id.clone());
    }

    /// Wakes everyone who waits for this transaction here. A wait that nothing has come of goes on.
    pub fn wake_here(&self, id: &TransactionId) {
        if let Some(notify) = self.lock().remove(id).and_then(|notify| notify.upgrade()) {
            notify.notify_waiters();
        }
    }

    /// The transactions that somebody waits for here.
    #[must_use]
    pub fn awaited(&self) -> Vec<TransactionId> {
        let waiting = self.lock();
        waiting.iter().filter(|(_, notify)| notify.strong_count() > 0).map(|(id, _)| id.clone()).collect()
    }

    /// Something may have been written to the outbox.
    pub fn announce(&self) {
        self.news.notify_one();
    }

    /// Waits for the next [`Self::announce`] or [`Self::wake`]; for one task only.
    pub fn news(&self) -> OwnedNotified {
        self.news.clone().notified_owned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TransactionId, Weak<Notify>>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One task's wait for a change.
#[derive(Debug)]
pub struct Watch(std::pin::Pin<Box<OwnedNotified>>);

impl Watch {
    /// Returns once the transaction has changed since the watch was made.
    pub async fn changed(self) {
        self.0.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_change_between_the_call_and_the_wait_is_not_lost() {
        let ((wakes, _), id) = (Wakes::new(), TransactionId::mint());
        let watches = [wakes.next_change(&id), wakes.next_change(&id)];
        wakes.wake(&id);
        for watch in watches {
            watch.changed().await;
        }
    }

    #[tokio::test]
    async fn who_has_left_leaves_nothing_behind() {
        let (wakes, _) = Wakes::new();
        for _ in 0..10_000 {
            drop(wakes.next_change(&TransactionId::mint()));
        }
        assert!(wakes.lock().len() < 100);
    }
}
