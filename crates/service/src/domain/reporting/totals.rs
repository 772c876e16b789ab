//! Counts and sums of transactions.

use crate::domain::Kind;
use jiff::civil::Date;
use tua_contract::{Network, Status};

/// The number of transactions up to which a list is counted.
pub const MAX_COUNT: u32 = 100_000;

/// Transactions of a filter that have one kind and one status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterTotal {
    /// Their kind.
    pub kind: Kind,
    /// Their status.
    pub status: Status,
    /// How many.
    pub payments: u64,
    /// The sum in pesewas. Where a review found that another sum moved than the amount, it counts that sum.
    pub pesewas: i64,
}

/// The transactions of a filter, counted up to [`MAX_COUNT`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FilterTotals(pub Vec<FilterTotal>);

impl FilterTotals {
    /// How many transactions were counted.
    #[must_use]
    pub fn payments(&self) -> u64 {
        self.0.iter().map(|total| total.payments).sum()
    }

    /// Whether there are more than were counted, so that count and sums are of the newest only.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.payments() >= u64::from(MAX_COUNT)
    }

    /// The sum of the successful transactions of a kind, in pesewas.
    #[must_use]
    pub fn moved_pesewas(&self, kind: Kind) -> i64 {
        let is_moved = |total: &&FilterTotal| total.kind == kind && total.status == Status::Successful;
        self.0.iter().filter(is_moved).map(|total| total.pesewas).sum()
    }
}

/// The transactions of one day, kind, network and final status. The day is that of their creation in UTC, so it is the
/// day by which lists are filtered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DayTotal {
    /// The day.
    pub day: Date,
    /// Their kind.
    pub kind: Kind,
    /// Their network.
    pub network: Network,
    /// Their status: successful or failed.
    pub status: Status,
    /// How many.
    pub payments: u64,
    /// The sum in pesewas, as in [`FilterTotal::pesewas`].
    pub pesewas: i64,
}
