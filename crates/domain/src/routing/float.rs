//! The merchant's money at an operator, as it was last read.

use crate::ports::Balance;
use jiff::Timestamp;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// The currency of payouts.
const CURRENCY: &str = "GHS";

/// Balances, and when the operator reported them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceReading {
    /// When this process read the balances, by its wall clock.
    pub at: Timestamp,
    /// Every balance that the operator reported, in any currency.
    pub balances: Vec<Balance>,
}

impl BalanceReading {
    /// The float: what payouts are paid from, in pesewas. `None` where the operator reports no such
    /// balance in cedis.
    #[must_use]
    pub fn float_pesewas(&self) -> Option<i64> {
        let paying = self.balances.iter().filter(|one| one.pays_out && one.currency == CURRENCY);
        paying.map(|one| one.minor_units).reduce(i64::saturating_add)
    }
}

/// The float at an operator, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownFloat {
    /// The sum that the operator reported, in pesewas.
    pub reported_pesewas: i64,
    /// The part of it that approved payouts will take.
    pub reserved_pesewas: i64,
    /// When the operator reported it.
    pub read_at: Timestamp,
}

impl KnownFloat {
    /// What is left for other payouts, in pesewas.
    #[must_use]
    pub const fn available_pesewas(&self) -> i64 {
        self.reported_pesewas.saturating_sub(self.reserved_pesewas)
    }
}

/// The last reading of an operator's balances by this process.
#[derive(Debug, Default)]
pub struct Float {
    last: Mutex<Option<BalanceReading>>,
    is_reported: AtomicBool,
}

impl Float {
    /// The last reading; `None` before the first one.
    #[must_use]
    pub fn last(&self) -> Option<BalanceReading> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the last reading.
    pub fn update(&self, reading: BalanceReading) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(reading);
    }

    /// Remembers that it is reported as low. `false` if it was before and has not recovered since,
    /// so that of two readings at once one is reported.
    #[must_use]
    pub fn begin_report(&self) -> bool {
        !self.is_reported.swap(true, Ordering::Relaxed)
    }

    /// It has recovered, or could not be reported: the next low reading is reported.
    pub fn end_report(&self) {
        self.is_reported.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_balances_in_cedis_that_pay_payouts_are_float() {
        let balance = |minor_units, currency: &str, pays_out| Balance {
            account: "wallet".to_owned(),
            minor_units,
            currency: currency.to_owned(),
            pays_out,
        };
        let float =
            |balances| BalanceReading { at: Timestamp::UNIX_EPOCH, balances }.float_pesewas();
        assert_eq!(
            float(vec![
                balance(500, "GHS", true),
                balance(900, "GHS", false),
                balance(7, "EUR", true)
            ]),
            Some(500)
        );
        assert_eq!(float(vec![balance(500, "GHS", true), balance(-100, "GHS", true)]), Some(400));
        assert_eq!(float(vec![balance(900, "GHS", false)]), None);
    }
}
