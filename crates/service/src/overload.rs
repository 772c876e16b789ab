//! What there is too much of is turned away at once, rather than kept waiting.
//!
//! Only what begins something new is: a payment, a session. Passcodes, polls and reads of a payer who is in the
//! middle of one are let through, and so is all due work: what was accepted is brought to its end first.

use jiff::{SignedDuration, Timestamp};
use prometheus_client::metrics::counter::Counter;
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// How long what begins something may wait for the store, and for the runtime to come back to it. Then there is more of
/// it than can be done, since whoever came first is served first. An answer waits two or three times as long: for the
/// operator's first word to be written, too.
const PATIENCE: SignedDuration = SignedDuration::from_millis(250);

/// Fewer than these are no crowd: one of them may wait for another's lock, or all for a disk that hiccups.
const CROWD: usize = 64;

/// There is more to do than can be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is more to do than can be done")]
pub struct Overloaded;

/// Where everything new passes on its way into the store.
#[derive(Debug)]
pub struct Gate {
    waiting: Mutex<Waiting>,
    turned_away: Counter,
}

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    since: BTreeMap<u64, Timestamp>,
}

/// Somebody's place in the store's queue, until it is dropped.
#[derive(Debug)]
pub struct Place<'a>(&'a Gate, u64);

impl Gate {
    /// Nobody waits yet; whoever is turned away is counted here.
    #[must_use]
    pub fn new(turned_away: Counter) -> Self {
        Self { waiting: Mutex::default(), turned_away }
    }

    /// Whether there is room, for who has not done any work yet.
    ///
    /// # Errors
    /// There is not.
    pub fn look(&self, now: Timestamp) -> Result<(), Overloaded> {
        self.admit(&self.lock(), now)
    }

    /// Takes a place in the store's queue.
    ///
    /// # Errors
    /// There is no room.
    pub fn enter(&self, now: Timestamp) -> Result<Place<'_>, Overloaded> {
        let mut waiting = self.lock();
        self.admit(&waiting, now)?;
        let number = waiting.next;
        waiting.next += 1;
        waiting.since.insert(number, now);
        Ok(Place(self, number))
    }

    fn admit(&self, waiting: &Waiting, now: Timestamp) -> Result<(), Overloaded> {
        let oldest = waiting.since.first_key_value().map(|(_, since)| now.duration_since(*since));
        if waiting.since.len() < CROWD || oldest.is_none_or(|oldest| oldest <= PATIENCE) {
            return Ok(());
        }
        self.turned_away.inc();
        Err(Overloaded)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.lock().since.remove(&self.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_that_waits_too_long_turns_others_away_until_it_moves_on() {
        let gate = Gate::new(Counter::default());
        let begin = Timestamp::UNIX_EPOCH;
        let late = begin + PATIENCE + SignedDuration::from_millis(1);
        let mut crowd: Vec<_> = (0..CROWD).map(|_| gate.enter(begin).unwrap()).collect();
        assert_eq!(gate.look(begin + PATIENCE), Ok(()));
        assert_eq!((gate.look(late), gate.enter(late).err()), (Err(Overloaded), Some(Overloaded)));
        assert_eq!(gate.turned_away.get(), 2);
        crowd.remove(0);
        assert_eq!(gate.look(late), Ok(()), "fewer are no crowd, however long they wait");
        crowd.clear();
        let _fresh: Vec<_> = (0..2 * CROWD).map(|_| gate.enter(late).unwrap()).collect();
        assert_eq!(gate.look(late + PATIENCE), Ok(()), "nor is a crowd that moves on");
    }
}
