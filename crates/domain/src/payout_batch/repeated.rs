//! Finds the lines of a batch that repeat an earlier payout.

use crate::{TransactionId, TransactionOrder};
use jiff::SignedDuration;
use std::collections::HashMap;

/// A payout of the same amount to the same wallet within this time is reported as repeated.
pub const REPEATED_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A line that repeats an earlier payout. It is no fault: two payouts of one amount to one wallet
/// may be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepeatedPayout {
    /// The index of the line, from 0.
    pub line: usize,
    /// The latest earlier payout of the same amount to the same wallet: another line, or one of the
    /// last days.
    pub earlier: TransactionId,
}

/// The lines that repeat an earlier payout. `earlier` are the payouts of the last days that have
/// not failed, oldest first.
#[must_use]
pub fn repeated<'a>(
    lines: &'a [TransactionOrder],
    earlier: impl IntoIterator<Item = &'a TransactionOrder>,
) -> Vec<RepeatedPayout> {
    let key = |new: &'a TransactionOrder| {
        (new.transfer.phone.as_str(), new.transfer.network, new.transfer.amount.pesewas())
    };
    let mut latest: HashMap<_, &TransactionId> =
        earlier.into_iter().map(|new| (key(new), &new.id)).collect();
    let repeats = |(line, new): (usize, &'a TransactionOrder)| {
        let earlier = latest.insert(key(new), &new.id)?.clone();
        Some(RepeatedPayout { line, earlier })
    };
    lines.iter().enumerate().filter_map(repeats).collect()
}
