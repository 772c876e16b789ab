//! The merchant's money at an operator, as it was last read.

use crate::domain::ports::Balance;
use jiff::Timestamp;
use std::sync::{Mutex, PoisonError};

/// Balances, and when the operator reported them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceReading {
    /// When.
    pub at: Timestamp,
    /// The balances.
    pub balances: Vec<Balance>,
}

/// The last reading of an operator's balances by this process.
#[derive(Debug, Default)]
pub struct Float(Mutex<Option<BalanceReading>>);

impl Float {
    /// The last reading; `None` before the first one.
    #[must_use]
    pub fn last(&self) -> Option<BalanceReading> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the last reading.
    pub fn update(&self, reading: BalanceReading) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(reading);
    }
}
