//! Notifications: a transaction has changed, or the outbox may hold new deliveries; and messages to
//! other nodes.

use super::{TransactionId, ports::ClusterMessage};
use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};
use tokio::sync::{
    Notify,
    futures::OwnedNotified,
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

/// Notifies the long polls that wait for a transaction, and the worker that sends webhooks.
#[derive(Debug)]
pub struct ChangeNotifier {
    subscribers: Mutex<HashMap<TransactionId, Weak<Notify>>>,
    outbox: Arc<Notify>,
    published: UnboundedSender<ClusterMessage>,
}

impl ChangeNotifier {
    /// A notifier without subscribers, and its messages to the other nodes.
    #[must_use]
    pub fn new() -> (Self, UnboundedReceiver<ClusterMessage>) {
        let (published, messages) = unbounded_channel();
        (Self { subscribers: Mutex::default(), outbox: Arc::default(), published }, messages)
    }

    /// Subscribes to the next change of a transaction. Read the transaction *after* this call; then
    /// no change between the read and the wait is missed.
    #[must_use]
    pub fn subscribe(&self, id: &TransactionId) -> PendingChange {
        let mut subscribers = self.lock();
        let notify = subscribers.get(id).and_then(Weak::upgrade).unwrap_or_else(|| {
            // Dropped subscriptions are removed only when the map would have to grow, so the cost
            // is amortised.
            if subscribers.len() == subscribers.capacity() {
                subscribers.retain(|_, notify| notify.strong_count() > 0);
            }
            let notify = Arc::new(Notify::new());
            subscribers.insert(id.clone(), Arc::downgrade(&notify));
            notify
        });
        PendingChange(Box::pin(notify.notified_owned()))
    }

    /// Notifies the subscribers of a transaction on this node and on the other nodes, and the
    /// outbox worker.
    pub fn notify(&self, id: &TransactionId) {
        self.notify_outbox();
        self.notify_local(id);
        self.publish(ClusterMessage::Changed(id.clone()));
    }

    /// Sends a message to the other nodes, if there are any.
    pub fn publish(&self, message: ClusterMessage) {
        // The receiver is dropped where there is only one node.
        let _ = self.published.send(message);
    }

    /// Notifies the subscribers of a transaction on this node only.
    pub fn notify_local(&self, id: &TransactionId) {
        if let Some(notify) = self.lock().remove(id).and_then(|notify| notify.upgrade()) {
            notify.notify_waiters();
        }
    }

    /// The transactions that have subscribers on this node.
    #[must_use]
    pub fn watched_ids(&self) -> Vec<TransactionId> {
        let subscribers = self.lock();
        subscribers
            .iter()
            .filter(|(_, notify)| notify.strong_count() > 0)
            .map(|(id, _)| id.clone())
            .collect()
    }

    /// Notifies the outbox worker that deliveries may have been written.
    pub fn notify_outbox(&self) {
        self.outbox.notify_one();
    }

    /// Completes after the next [`Self::notify_outbox`] or [`Self::notify`]. Supports one waiting
    /// task.
    pub fn outbox_changed(&self) -> OwnedNotified {
        self.outbox.clone().notified_owned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TransactionId, Weak<Notify>>> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A subscription to the next change of one transaction.
#[derive(Debug)]
pub struct PendingChange(Pin<Box<OwnedNotified>>);

impl PendingChange {
    /// Completes once the transaction has changed since [`ChangeNotifier::subscribe`] was called.
    pub async fn changed(self) {
        self.0.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_change_between_subscribing_and_waiting_is_delivered() {
        let (notifier, _) = ChangeNotifier::new();
        let id = TransactionId::mint();
        let subscriptions = [notifier.subscribe(&id), notifier.subscribe(&id)];
        notifier.notify(&id);
        for subscription in subscriptions {
            subscription.changed().await;
        }
    }

    #[tokio::test]
    async fn dropped_subscriptions_do_not_accumulate() {
        let (notifier, _) = ChangeNotifier::new();
        for _ in 0..10_000 {
            drop(notifier.subscribe(&TransactionId::mint()));
        }
        assert!(notifier.lock().len() < 100);
    }
}
