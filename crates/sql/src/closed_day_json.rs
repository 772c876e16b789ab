//! The report of a closed day as JSON text, the form in which both engines keep it. Sums are whole
//! pesewas.

use serde::{Deserialize, Serialize};
use tua_domain::{
    ledger::Postings,
    statement::closing::{ClosedDay, DayFigures, LineSum},
};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    opening: [i64; 6],
    posted: [i64; 6],
    entries: u64,
    lines: u64,
    kinds: [Sum; 3],
    reversals: Sum,
    outcomes: [u64; 7],
    exceptions: u64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Sum {
    count: u64,
    amount: i64,
    fee: i64,
}

impl From<LineSum> for Sum {
    fn from(LineSum { count, pesewas, fee_pesewas }: LineSum) -> Self {
        Self { count, amount: pesewas, fee: fee_pesewas }
    }
}

impl From<Sum> for LineSum {
    fn from(Sum { count, amount, fee }: Sum) -> Self {
        Self { count, pesewas: amount, fee_pesewas: fee }
    }
}

/// The report, without the digest.
pub(super) fn write(closed: &ClosedDay) -> String {
    let figures = &closed.figures;
    let amounts = |postings: Postings| postings.amounts();
    let report = Report {
        opening: amounts(figures.opening),
        posted: amounts(figures.posted),
        entries: figures.entries,
        lines: figures.lines,
        kinds: figures.kinds.map(Sum::from),
        reversals: figures.reversals.into(),
        outcomes: closed.outcomes,
        exceptions: closed.exceptions,
    };
    // Numbers alone are always written.
    serde_json::to_string(&report).unwrap_or_default()
}

/// Figures, outcomes and exceptions; `None` where the text is not a report.
pub(super) fn read(text: &str, digest: [u8; 32]) -> Option<(DayFigures, [u64; 7], u64)> {
    let report: Report = serde_json::from_str(text).ok()?;
    let figures = DayFigures {
        opening: Postings::new(report.opening),
        posted: Postings::new(report.posted),
        entries: report.entries,
        lines: report.lines,
        kinds: report.kinds.map(LineSum::from),
        reversals: report.reversals.into(),
        digest,
    };
    Some((figures, report.outcomes, report.exceptions))
}
