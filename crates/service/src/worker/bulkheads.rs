//! Bulkheads: the calls to one operator in one direction have places of their own, so that a slow operator cannot take
//! those of another.

use crate::domain::{Kind, Mode, Transaction, queue::Queue, routing::Operators};
use std::{collections::HashMap, sync::Arc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many calls of one operator in one direction are in flight at once. No other can take these places.
const PLACES: usize = 64;

/// All bulkheads, by what their operator serves.
#[derive(Debug)]
pub(super) struct Bulkheads(HashMap<Queue, Arc<Semaphore>>);

impl Bulkheads {
    /// One bulkhead for each operator and direction, and for the sandbox.
    pub(super) fn new(operators: &Operators) -> Self {
        let of_entries = operators.entries().iter().map(|entry| (entry.mode, Some(entry.pin.fingerprint.clone())));
        let queues = of_entries.chain([(Mode::Test, None)]).flat_map(|(mode, operator)| {
            Kind::ALL.iter().map(move |kind| Queue { mode, kind: *kind, operator: operator.clone() })
        });
        Self(queues.map(|queue| (queue, Arc::new(Semaphore::new(PLACES)))).collect())
    }

    /// Every queue.
    pub(super) fn queues(&self) -> Vec<Queue> {
        self.0.keys().cloned().collect()
    }

    /// How many transactions to lease from each of these due queues.
    pub(super) fn shares(&self, due: &[Queue]) -> Vec<(Queue, u32)> {
        let free = |queue: &Queue| u32::try_from(self.0.get(queue)?.available_permits()).ok();
        let share = |queue: &Queue| Some((queue.clone(), free(queue).filter(|share| *share > 0)?));
        due.iter().filter_map(share).collect()
    }

    /// Takes a place for a transaction, and waits until one is free.
    pub(super) async fn enter(&self, transaction: &Transaction) -> Option<OwnedSemaphorePermit> {
        let begun = &transaction.begun;
        let operator = transaction.operator.as_ref().map(|pin| pin.fingerprint.clone());
        let queue = Queue { mode: begun.scope.mode, kind: begun.transfer.kind, operator };
        self.0.get(&queue)?.clone().acquire_owned().await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_queue_can_take_the_places_of_another() {
        let bulkheads = Bulkheads::new(&Operators::default());
        assert_eq!(bulkheads.0.len(), 2, "charges and payouts of the sandbox");
        let queue = |kind| Queue { mode: Mode::Test, kind, operator: None };
        let (charges, payouts) = (queue(Kind::Charge), queue(Kind::Payout));
        let shares = |due: &[Queue]| bulkheads.shares(due).into_iter().collect::<HashMap<_, _>>();
        let all = [charges.clone(), payouts.clone()];
        assert!(shares(&all).values().all(|share| *share == 64));
        let taken = bulkheads.0[&charges].clone().try_acquire_many_owned(63).unwrap();
        assert_eq!(shares(&all), HashMap::from([(charges.clone(), 1), (payouts.clone(), 64)]));
        let last = bulkheads.0[&charges].clone().try_acquire_owned().unwrap();
        assert_eq!(shares(&all), HashMap::from([(payouts, 64)]));
        drop((taken, last));
        assert_eq!(shares(std::slice::from_ref(&charges)), HashMap::from([(charges, 64)]));
    }
}
