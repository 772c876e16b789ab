//! The lines of a file, each with everything that is wrong with it or worth a look before the batch
//! is begun.

use super::{FileLine, LineFault, PayoutFile};
use crate::domain::{
    TransactionId,
    file_lines::LineCounts,
    payout_batch::{BatchCheck, BatchExceeds},
    routing::RouteError,
    use_cases::CheckedBatch,
    wallet_tiers::TierWarning,
};

/// A line of a file that was checked.
#[derive(Debug)]
pub(crate) struct CheckedLine<'a> {
    /// The line as it was read, with its own faults.
    pub(crate) line: &'a FileLine,
    /// Its own faults, and the refusals that the batch would meet because of it.
    pub(crate) faults: Vec<LineFault>,
    /// The latest earlier payout of the same amount to the same wallet.
    pub(crate) repeats: Option<Repeated<'a>>,
    /// What all payouts of the file to its wallet mean for the wallet.
    pub(crate) tier: Option<TierWarning>,
    /// The operator's fee by its tariff, in pesewas; `None` without a tariff.
    pub(crate) fee_pesewas: Option<i64>,
}

/// The payout that a line repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repeated<'a> {
    /// An earlier line of the file, by its number.
    Line(u64),
    /// A payout of the last days.
    Payout(&'a TransactionId),
}

impl PayoutFile {
    /// Its lines, with what the check of their batch found. A file with faults is no batch yet, so
    /// it has no check.
    pub(crate) fn checked<'a>(&'a self, checked: Option<&'a CheckedBatch>) -> Vec<CheckedLine<'a>> {
        let lines = self.lines.iter().zip(self.repeats()).zip(self.tier_warnings()).enumerate();
        lines
            .map(|(index, ((line, repeats_line), tier))| {
                let earlier = checked.and_then(|checked| checked.earlier_of(index));
                CheckedLine {
                    line,
                    faults: line
                        .faults
                        .iter()
                        .copied()
                        .chain(checked.into_iter().flat_map(|one| one.faults_of(index)))
                        .collect(),
                    repeats: repeats_line.map(Repeated::Line).or(earlier.map(Repeated::Payout)),
                    tier,
                    fee_pesewas: checked
                        .and_then(|checked| checked.fees.get(index).copied().flatten()),
                }
            })
            .collect()
    }
}

/// What became of the lines of a file: those with a fault are refused.
pub(crate) fn line_counts(file: &PayoutFile, lines: &[CheckedLine<'_>]) -> LineCounts {
    let refused = lines.iter().filter(|line| !line.faults.is_empty()).count();
    LineCounts { read: (lines.len() - refused) as u64, refused: refused as u64, ..file.left_out }
}

impl CheckedBatch {
    /// Whether the sum is more than the limit of the day leaves.
    pub(crate) const fn exceeds_day(&self) -> bool {
        matches!(self.check, BatchCheck { exceeds: Some(BatchExceeds::Day(_)), .. })
    }

    /// What the operators keep of all lines by their tariffs, in pesewas; `None` if the fee of a
    /// line is not known.
    pub(crate) fn fees_pesewas(&self) -> Option<i64> {
        self.fees.iter().copied().sum()
    }

    fn faults_of(&self, index: usize) -> impl Iterator<Item = LineFault> + '_ {
        let is_above_limit = match &self.check.exceeds {
            Some(BatchExceeds::Lines(lines)) => lines.iter().any(|(line, _)| *line == index),
            _ => false,
        };
        let refusals = self.unroutable.iter().filter(move |(line, _)| *line == index);
        is_above_limit.then_some(LineFault::Limit).into_iter().chain(refusals.map(
            |(_, refusal)| match refusal {
                RouteError::AmountOutOfRange(_) => LineFault::AmountRange,
                RouteError::NetworkUnavailable => LineFault::NoOperator,
                RouteError::NetworkEnded(_) => LineFault::NetworkEnded,
            },
        ))
    }

    fn earlier_of(&self, index: usize) -> Option<&TransactionId> {
        self.check
            .warnings
            .iter()
            .find(|warning| warning.line == index)
            .map(|warning| &warning.earlier)
    }
}
