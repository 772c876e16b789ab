//! Bulkheads: the calls to one operator in one direction have places of their own, so that a slow
//! operator cannot take those of another.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tua_domain::{Kind, Mode, Transaction, queue::Queue, routing::Operators};

/// The maximum number of concurrent calls of one operator in one direction. No other can take these
/// places.
const MAX_IN_FLIGHT: usize = 64;

/// The number of places of a full bulkhead that must be free again before more work is leased for
/// it, so that a lease is for many.
const REFILL_THRESHOLD: usize = MAX_IN_FLIGHT / 4;

/// All bulkheads, by what their operator serves.
#[derive(Debug)]
pub(super) struct Bulkheads {
    /// Whose operators change while the service runs.
    operators: Operators,
    semaphores: Mutex<HashMap<Queue, Arc<Semaphore>>>,
    refill: Arc<Refill>,
}

/// Notifies the worker when a bulkhead that had no place for due work has [`REFILL_THRESHOLD`] of
/// them.
#[derive(Default, Debug)]
struct Refill {
    is_waited_for: AtomicBool,
    ready: Notify,
}

/// A place in a bulkhead, which is freed on drop.
#[derive(Debug)]
pub(super) struct BulkheadPermit {
    permit: Option<OwnedSemaphorePermit>,
    bulkhead: Arc<Semaphore>,
    refill: Arc<Refill>,
}

impl Drop for BulkheadPermit {
    fn drop(&mut self) {
        drop(self.permit.take());
        if self.bulkhead.available_permits() >= REFILL_THRESHOLD
            && self.refill.is_waited_for.swap(false, Ordering::SeqCst)
        {
            self.refill.ready.notify_one();
        }
    }
}

impl Bulkheads {
    /// One bulkhead for each operator and direction, and for the sandbox.
    pub(super) fn new(operators: &Operators) -> Self {
        Self { operators: operators.clone(), semaphores: Mutex::default(), refill: Arc::default() }
    }

    /// The queues of all bulkheads, in no order: those of the operators that there are now.
    pub(super) fn queues(&self) -> Vec<Queue> {
        let entries = self.operators.entries().into_iter();
        let of_entries = entries.map(|entry| (entry.mode, Some(entry.pin.fingerprint.clone())));
        let queues = of_entries.chain([(Mode::Test, None)]).flat_map(|(mode, operator)| {
            Kind::ALL.iter().map(move |kind| Queue {
                mode,
                kind: *kind,
                operator: operator.clone(),
            })
        });
        queues.collect()
    }

    /// The places of a queue. A bulkhead is kept after its operator is gone, because calls may be
    /// in flight.
    fn bulkhead(&self, queue: &Queue) -> Arc<Semaphore> {
        let mut semaphores = self.semaphores.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Semaphore::new(MAX_IN_FLIGHT));
        semaphores.entry(queue.clone()).or_insert_with(new).clone()
    }

    /// Returns when a bulkhead that was full has places for more work.
    pub(super) async fn refill(&self) {
        self.refill.ready.notified().await;
    }

    /// How many transactions to lease from each of these due queues.
    pub(super) fn shares(&self, due: &[Queue]) -> Vec<(Queue, u32)> {
        let free = |queue: &Queue| u32::try_from(self.bulkhead(queue).available_permits()).ok();
        let share = |queue: &Queue| Some((queue.clone(), free(queue).filter(|share| *share > 0)?));
        let shares: Vec<_> = due.iter().filter_map(share).collect();
        if shares.len() < due.len() {
            self.refill.is_waited_for.store(true, Ordering::SeqCst);
        }
        shares
    }

    /// Takes a place for a transaction, and waits until one is free.
    pub(super) async fn enter(&self, transaction: &Transaction) -> Option<BulkheadPermit> {
        let order = &transaction.order;
        let operator = transaction.operator.as_ref().map(|pin| pin.fingerprint.clone());
        let queue = Queue { mode: order.scope.mode, kind: order.transfer.kind, operator };
        let bulkhead = self.bulkhead(&queue);
        let permit = bulkhead.clone().acquire_owned().await.ok();
        Some(BulkheadPermit { permit, bulkhead, refill: self.refill.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_queue_can_take_the_places_of_another() {
        let bulkheads = Bulkheads::new(&Operators::default());
        assert_eq!(bulkheads.queues().len(), 2, "charges and payouts of the sandbox");
        let queue = |kind| Queue { mode: Mode::Test, kind, operator: None };
        let charges = queue(Kind::Charge);
        let payouts = queue(Kind::Payout);
        let shares = |due: &[Queue]| bulkheads.shares(due).into_iter().collect::<HashMap<_, _>>();
        let all = [charges.clone(), payouts.clone()];
        assert!(shares(&all).values().all(|share| *share == 64));
        let taken = bulkheads.bulkhead(&charges).try_acquire_many_owned(63).unwrap();
        assert_eq!(shares(&all), HashMap::from([(charges.clone(), 1), (payouts.clone(), 64)]));
        let last = bulkheads.bulkhead(&charges).try_acquire_owned().unwrap();
        assert_eq!(shares(&all), HashMap::from([(payouts, 64)]));
        drop((taken, last));
        assert_eq!(shares(std::slice::from_ref(&charges)), HashMap::from([(charges, 64)]));
    }
}
