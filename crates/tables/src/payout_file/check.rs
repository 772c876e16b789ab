//! The lines of a file, each with everything that is wrong with it or worth a look before the batch
//! is begun.

use super::{FileLine, LineFault, PayoutFile};
use tua_domain::{
    TransactionId, file_lines::LineCounts, payout_batch::BatchLimitExceeded, routing::RouteError,
    wallet_tiers::TierWarning,
};
use tua_use_cases::CheckedBatch;

/// A line of a file that was checked.
#[derive(Debug)]
pub struct CheckedLine<'a> {
    /// The line as it was read.
    pub line: &'a FileLine,
    /// Its own faults, and the refusals that the batch would meet because of it.
    pub faults: Vec<LineFault>,
    /// The latest earlier payout of the same amount to the same wallet.
    pub repeats: Option<Repeated<'a>>,
    /// What all payouts of the file to its wallet mean for the wallet.
    pub tier: Option<TierWarning>,
    /// The operator's fee by its tariff, in pesewas; `None` without a tariff.
    pub fee_pesewas: Option<i64>,
}

/// The payout that a line repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeated<'a> {
    /// An earlier line of the file, by its number.
    Line(u64),
    /// A payout of the last days.
    Payout(&'a TransactionId),
}

impl PayoutFile {
    /// Its lines, with what the check of their batch found. A file with faults is no batch yet, so
    /// it has no check.
    pub fn checked<'a>(&'a self, checked: Option<&'a CheckedBatch>) -> Vec<CheckedLine<'a>> {
        let lines = self.lines.iter().zip(self.repeats()).zip(self.tier_warnings()).enumerate();
        lines
            .map(|(index, ((line, repeats_line), tier))| {
                let earlier = checked.and_then(|checked| earlier_of(checked, index));
                CheckedLine {
                    line,
                    faults: line
                        .faults
                        .iter()
                        .copied()
                        .chain(checked.into_iter().flat_map(|one| faults_of(one, index)))
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
pub fn line_counts(file: &PayoutFile, lines: &[CheckedLine<'_>]) -> LineCounts {
    let refused = lines.iter().filter(|line| !line.faults.is_empty()).count();
    LineCounts { read: (lines.len() - refused) as u64, refused: refused as u64, ..file.left_out }
}

/// The faults of one line that the check of the whole batch found.
fn faults_of(checked: &CheckedBatch, index: usize) -> impl Iterator<Item = LineFault> + '_ {
    let is_above_limit = match &checked.check.limit_exceeded {
        Some(BatchLimitExceeded::Lines(lines)) => lines.iter().any(|(line, _)| *line == index),
        _ => false,
    };
    let refusals = checked.unroutable.iter().filter(move |(line, _)| *line == index);
    is_above_limit.then_some(LineFault::Limit).into_iter().chain(refusals.map(|(_, refusal)| {
        match refusal {
            RouteError::AmountOutOfRange(_) => LineFault::AmountRange,
            RouteError::NetworkUnavailable | RouteError::NoOperator(_) => LineFault::NoOperator,
            RouteError::NetworkEnded(_) => LineFault::NetworkEnded,
        }
    }))
}

/// The earlier payout that a line repeats.
fn earlier_of(checked: &CheckedBatch, index: usize) -> Option<&TransactionId> {
    checked
        .check
        .warnings
        .iter()
        .find(|warning| warning.line == index)
        .map(|warning| &warning.earlier)
}
