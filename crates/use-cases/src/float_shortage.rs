//! Payouts that the float at their operator does not cover (docs/reference/payouts.md#float).

use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_domain::{
    ports::ReservedFloats,
    routing::{KnownFloat, OperatorEntry, Operators, PinnedOperator},
};

/// Payouts that an operator's last known float does not cover. It may have changed since.
#[derive(Clone, Debug)]
pub struct FloatShortage {
    /// The operator that would send the payouts.
    pub operator: Arc<OperatorEntry>,
    /// Its float as last read, and the part that is reserved.
    pub float: KnownFloat,
    /// The sum of the payouts and of their fees, as far as these are known, in pesewas.
    pub needed_pesewas: i64,
}

impl FloatShortage {
    /// By how much the payouts exceed what is left of the float, in pesewas.
    #[must_use]
    pub const fn missing_pesewas(&self) -> i64 {
        self.needed_pesewas.saturating_sub(self.float.available_pesewas())
    }

    /// How old the reading of the float is.
    #[must_use]
    pub fn age(&self, now: Timestamp) -> SignedDuration {
        now.duration_since(self.float.read_at).max(SignedDuration::ZERO)
    }
}

/// The operators whose last known float does not cover these payouts besides what is reserved, if
/// all of them were sent now. A payout is the operator that would send it, and its amount and fee
/// in pesewas.
pub(super) fn float_shortages(
    operators: &Operators,
    payouts: impl IntoIterator<Item = (PinnedOperator, i64)>,
    reserved: &ReservedFloats,
) -> Vec<FloatShortage> {
    let mut sums: Vec<(Arc<OperatorEntry>, i64)> = Vec::new();
    for (pin, pesewas) in payouts {
        let Some(entry) = operators.entry_of(&pin) else { continue };
        match sums.iter_mut().find(|(one, _)| Arc::ptr_eq(one, &entry)) {
            Some((_, sum)) => *sum += pesewas,
            None => sums.push((entry, pesewas)),
        }
    }
    let shortage = |(operator, needed_pesewas): (Arc<OperatorEntry>, i64)| {
        let float = operator
            .known_float(reserved)
            .filter(|float| float.available_pesewas() < needed_pesewas)?;
        Some(FloatShortage { operator, float, needed_pesewas })
    };
    sums.into_iter().filter_map(shortage).collect()
}
