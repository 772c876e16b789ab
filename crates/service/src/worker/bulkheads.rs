//! Bulkheads: the calls to one operator in one direction have places of their own, so that a slow operator cannot take
//! those of another.

use crate::domain::{Kind, Mode, Transaction, ports::Operators, queue::Queue};
use std::{collections::HashMap, sync::Arc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tua_contract::Network;

/// How many calls of one operator in one direction are in flight at once. No other can take these places.
const PLACES: usize = 64;

/// All bulkheads.
#[derive(Debug)]
pub(super) struct Bulkheads(Vec<Bulkhead>);

#[derive(Debug)]
struct Bulkhead {
    /// What its operator serves. Several networks, if it is an aggregator.
    queues: Vec<Queue>,
    places: Arc<Semaphore>,
}

impl Bulkheads {
    /// One bulkhead for each operator and direction. What no operator serves has bulkheads too: it is flagged when it is
    /// due.
    pub(super) fn new(operators: &Operators) -> Self {
        let mut by_operator: HashMap<(Mode, Kind, usize), Vec<Queue>> = HashMap::new();
        for queue in Queue::all() {
            by_operator
                .entry((queue.mode, queue.kind, operator_of(operators, queue.mode, queue.network)))
                .or_default()
                .push(queue);
        }
        let bulkhead = |queues| Bulkhead { queues, places: Arc::new(Semaphore::new(PLACES)) };
        Self(by_operator.into_values().map(bulkhead).collect())
    }

    /// How many transactions to lease from each of these due queues. Queues of one bulkhead share its free places.
    pub(super) fn shares(&self, due: &[Queue]) -> Vec<(Queue, u32)> {
        self.0.iter().flat_map(|bulkhead| bulkhead.shares(due)).collect()
    }

    /// Takes a place for a transaction, and waits until one is free.
    pub(super) async fn enter(&self, transaction: &Transaction) -> Option<OwnedSemaphorePermit> {
        let begun = &transaction.begun;
        let (mode, transfer) = (begun.scope.mode, &begun.transfer);
        let queue = Queue { mode, kind: transfer.kind, network: transfer.network };
        let bulkhead = self.0.iter().find(|bulkhead| bulkhead.queues.contains(&queue))?;
        bulkhead.places.clone().acquire_owned().await.ok()
    }
}

impl Bulkhead {
    fn shares(&self, due: &[Queue]) -> Vec<(Queue, u32)> {
        let due: Vec<Queue> = self.queues.iter().copied().filter(|queue| due.contains(queue)).collect();
        let mut free = self.places.available_permits();
        let share = |(index, queue): (usize, Queue)| {
            let share = free.div_ceil(due.len() - index);
            free -= share;
            u32::try_from(share).ok().filter(|share| *share > 0).map(|share| (queue, share))
        };
        due.iter().copied().enumerate().filter_map(share).collect()
    }
}

/// Tells operators apart; zero where there is none.
fn operator_of(operators: &Operators, mode: Mode, network: Network) -> usize {
    operators.serving(mode, network).map_or(0, |operator| Arc::as_ptr(operator).addr())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(mode: Mode, kind: Kind, network: Network) -> Queue {
        Queue { mode, kind, network }
    }

    #[test]
    fn queues_of_one_operator_share_its_places_and_no_other_can_take_them() {
        // Nobody serves either mode, which is like one operator for each.
        let bulkheads = Bulkheads::new(&Operators::default());
        assert_eq!(bulkheads.0.len(), 4, "charges and payouts of both modes");
        let mtn = queue(Mode::Test, Kind::Charge, Network::Mtn);
        let telecel = queue(Mode::Test, Kind::Charge, Network::Telecel);
        let payout = queue(Mode::Test, Kind::Payout, Network::Mtn);
        let live = queue(Mode::Live, Kind::Charge, Network::Mtn);
        let shares = |due: &[Queue]| bulkheads.shares(due).into_iter().collect::<HashMap<_, _>>();
        assert_eq!(shares(&[mtn]), HashMap::from([(mtn, 64)]));
        assert_eq!(
            shares(&[mtn, telecel, payout, live]),
            HashMap::from([(mtn, 32), (telecel, 32), (payout, 64), (live, 64)])
        );
        let charges = bulkheads.0.iter().find(|bulkhead| bulkhead.queues.contains(&mtn)).unwrap();
        let taken = charges.places.clone().try_acquire_many_owned(63).unwrap();
        assert_eq!(shares(&[mtn, telecel, payout]).values().sum::<u32>(), 65);
        let last = charges.places.clone().try_acquire_owned().unwrap();
        assert_eq!(shares(&[mtn, telecel, payout]), HashMap::from([(payout, 64)]));
        drop((taken, last));
        assert_eq!(shares(&[telecel]), HashMap::from([(telecel, 64)]));
    }
}
