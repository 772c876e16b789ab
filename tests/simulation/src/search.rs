//! Simulates many seeds on several threads.

use crate::{
    counts::Counts,
    planning::Plan,
    processors::stay_on_one,
    simulation::{Outcome, run},
    world::Story,
};
use std::{
    ops::RangeInclusive,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// What came of many seeds.
#[derive(Debug)]
pub enum Found {
    /// Every seed has passed. The sums of all.
    Nothing(Counts),
    /// The lowest seed that fails, and what must hold and did not.
    Violations(u64, Vec<String>),
    /// The lowest seed that fails, because its simulation could not run.
    Error(u64, String),
}

/// Simulates each of these seeds, so many at a time. The result does not depend on how many.
#[must_use]
pub fn search(seeds: RangeInclusive<u64>, days: u32, jobs: usize) -> Found {
    let search = Search {
        next: AtomicU64::new(*seeds.start()),
        last: *seeds.end(),
        days,
        found: Mutex::new(Found::Nothing(Counts::default())),
    };
    thread::scope(|scope| {
        for job in 0..jobs {
            let search = &search;
            scope.spawn(move || {
                stay_on_one(job);
                search.work();
            });
        }
    });
    search.found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

struct Search {
    next: AtomicU64,
    last: u64,
    days: u32,
    found: Mutex<Found>,
}

impl Search {
    fn work(&self) {
        loop {
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            if seed > self.last || self.found().failing().is_some() {
                // Every seed below one that fails has begun already.
                return;
            }
            let result = run(&Plan::whole(seed, self.days), Story::Untold);
            self.found().add(seed, result);
        }
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Found {
    const fn failing(&self) -> Option<u64> {
        match self {
            Self::Nothing(_) => None,
            Self::Violations(seed, _) | Self::Error(seed, _) => Some(*seed),
        }
    }

    fn add(&mut self, seed: u64, result: Result<Outcome, String>) {
        let is_lowest = self.failing().is_none_or(|failing| seed < failing);
        match (result, &mut *self) {
            (Err(error), _) if is_lowest => *self = Self::Error(seed, error),
            (Ok(outcome), Self::Nothing(counts)) if outcome.violations.is_empty() => {
                counts.add(&outcome.counts);
            }
            (Ok(outcome), _) if is_lowest && !outcome.violations.is_empty() => {
                *self = Self::Violations(seed, outcome.violations);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(violations: &[&str]) -> Result<Outcome, String> {
        let violations = violations.iter().map(|text| (*text).to_owned()).collect();
        Ok(Outcome { counts: Counts::default(), violations, trace: Vec::new() })
    }

    #[test]
    fn the_lowest_seed_that_fails_is_found_in_any_order() {
        let mut found = Found::Nothing(Counts::default());
        found.add(0, outcome(&[]));
        assert_eq!(found.failing(), None);
        found.add(4, outcome(&["four"]));
        found.add(5, Err("five".to_owned()));
        found.add(2, outcome(&["two"]));
        found.add(3, outcome(&["three"]));
        found.add(1, outcome(&[]));
        assert!(matches!(found, Found::Violations(2, violations) if violations == ["two"]));
    }
}
