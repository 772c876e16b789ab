//! What a simulation counts.

use crate::coverage::Coverage;
use std::{collections::BTreeMap, fmt, time::Duration};

/// The sums of one simulation or of many.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// The time that was simulated.
    pub time: Duration,
    /// Payments that a shop was told have begun.
    pub payments: u64,
    /// How many faults there were of each kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// What happened to payments at which stage.
    pub coverage: Coverage,
}

impl Counts {
    /// Counts a fault of this kind.
    pub fn fault(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_default() += 1;
    }

    /// Adds the sums of another simulation.
    pub fn add(&mut self, other: &Self) {
        self.time += other.time;
        self.payments += other.payments;
        for (kind, count) in &other.faults {
            *self.faults.entry(kind).or_default() += count;
        }
        self.coverage.add(&other.coverage);
    }
}

/// `1.25 years, 300 payments, 90 faults`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SECONDS_OF_HUNDREDTH: u64 = 365 * 24 * 36;
        let hundredths = self.time.as_secs() / SECONDS_OF_HUNDREDTH;
        let faults: u64 = self.faults.values().sum();
        let years = hundredths / 100;
        let part = hundredths % 100;
        write!(f, "{years}.{part:02} years, {} payments, {faults} faults", self.payments)
    }
}
