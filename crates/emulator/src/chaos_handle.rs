//! Access to the faults, for tests.

use crate::{
    chaos::{Fault, Rule},
    operator::{Call, Operator},
    protocol::Shared,
};
use std::time::Duration;

/// Sets and clears faults from tests.
#[derive(Clone, Debug)]
pub struct ChaosHandle(pub(crate) Shared);

impl ChaosHandle {
    /// Adds a rule, and returns an id for [`Self::remove`].
    pub fn add(&self, rule: Rule) -> u64 {
        self.0.chaos.add(rule, self.0.clock.now())
    }

    /// Adds a fault of one kind of call of one operator, until it is cleared.
    pub fn set(&self, operator: Operator, call: Call, fault: Fault) -> u64 {
        self.add(Rule::new(operator, call, fault))
    }

    /// Adds a fault of the next such call only.
    pub fn set_once(&self, operator: Operator, call: Call, fault: Fault) -> u64 {
        self.add(Rule::new(operator, call, fault).once())
    }

    /// Adds a fault that ends after this time on the virtual clock.
    pub fn set_for(&self, operator: Operator, call: Call, fault: Fault, lasts: Duration) -> u64 {
        self.add(Rule::new(operator, call, fault).lasting(lasts))
    }

    /// Removes one rule. An id without a rule has no effect.
    pub fn remove(&self, id: u64) {
        self.0.chaos.remove(id);
    }

    /// Removes all rules, so that no fault occurs any more.
    pub fn clear(&self) {
        self.0.chaos.clear();
    }
}
