//! The rules in effect, and how often each has occurred.

use super::{fault::Fault, rule::Rule};
use crate::operator::{Call, Operator};
use jiff::Timestamp;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The rules in effect, by which faults occur.
#[derive(Debug)]
pub(crate) struct Chaos(Mutex<Active>);

#[derive(Debug, Default)]
struct Active {
    rules: Vec<ActiveRule>,
    last_id: u64,
}

#[derive(Clone, Debug)]
struct ActiveRule {
    id: u64,
    rule: Rule,
    /// How many calls matched so far.
    matched: u32,
    /// How often the fault occurred so far.
    occurred: u32,
    ends: Option<Timestamp>,
}

impl Chaos {
    pub(crate) fn new(rules: Vec<Rule>, start: Timestamp) -> Self {
        let chaos = Self(Mutex::default());
        for rule in rules {
            chaos.add(rule, start);
        }
        chaos
    }

    /// Adds a rule and returns its id.
    pub(crate) fn add(&self, rule: Rule, now: Timestamp) -> u64 {
        let ends = rule.lasts.map(|lasts| now.saturating_add(lasts).unwrap_or(Timestamp::MAX));
        let mut active = self.lock();
        active.last_id += 1;
        let id = active.last_id;
        active.rules.push(ActiveRule { id, rule, matched: 0, occurred: 0, ends });
        id
    }

    pub(crate) fn remove(&self, id: u64) {
        self.lock().rules.retain(|rule| rule.id != id);
    }

    pub(crate) fn clear(&self) {
        self.lock().rules.clear();
    }

    /// The rules in effect, with their ids.
    pub(crate) fn rules(&self) -> Vec<(u64, Rule)> {
        self.lock().rules.iter().map(|active| (active.id, active.rule.clone())).collect()
    }

    /// The faults of one call, of those that `is_wanted` selects. Each is counted as having
    /// occurred.
    pub(crate) fn take(
        &self,
        operator: Operator,
        call: Call,
        now: Timestamp,
        is_wanted: impl Fn(Fault) -> bool,
    ) -> Vec<Fault> {
        let mut active = self.lock();
        if active.rules.is_empty() {
            return Vec::new();
        }
        active.rules.retain(|rule| rule.ends.is_none_or(|ends| now < ends));
        let mut faults = Vec::new();
        let applies = |rule: &Rule| rule.matches(operator, call) && is_wanted(rule.fault);
        for active in active.rules.iter_mut().filter(|active| applies(&active.rule)) {
            active.matched += 1;
            if active.matched.is_multiple_of(active.rule.every.get()) {
                active.occurred += 1;
                faults.push(active.rule.fault);
            }
        }
        active.rules.retain(|rule| rule.rule.times.is_none_or(|times| rule.occurred < times.get()));
        faults
    }

    fn lock(&self) -> MutexGuard<'_, Active> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
