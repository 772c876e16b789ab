//! Which days of an operator were compared with its statements, and what did not agree.

use super::sums::PostedDay;
use crate::{
    ledger::Postings,
    pinned_operator::PinnedOperator,
    statement::closing::{ClosedDay, DayFigures},
};
use jiff::civil::Date;
use std::ops::RangeInclusive;

/// What is known of a day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DayAgreement {
    /// It was closed, and lines or transactions were compared.
    Compared {
        /// How many lines and transactions did not agree when it was closed.
        exceptions: u64,
    },
    /// It was closed, and neither a line nor a transaction was there to compare.
    NothingToCompare,
    /// It was closed, and the ledger has other entries now than those that were signed off.
    Changed,
    /// It is not closed. A statement covers it, and this report does not compare it.
    OpenWithStatement,
    /// It is not closed, and no imported statement covers it.
    OpenWithoutStatement,
}

/// The days of an operator that have ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorAgreement {
    /// The operator whose books are compared.
    pub operator: PinnedOperator,
    /// Each ended day of the period, oldest first.
    pub days: Vec<(Date, DayAgreement)>,
}

/// What the days of an operator are compared with.
#[derive(Debug)]
pub struct AgreementSources<'a> {
    /// The closed days of the operator in the period.
    pub closed: &'a [ClosedDay],
    /// What the ledger posted on the days of the period, over all accounts and modes.
    pub posted: &'a [PostedDay],
    /// The days that imported statements cover: the first and the last of each.
    pub covered: &'a [(Date, Date)],
}

impl OperatorAgreement {
    /// The agreement of an operator's days. `ended`: the days of the period that have ended.
    #[must_use]
    pub fn new(
        operator: PinnedOperator,
        ended: RangeInclusive<Date>,
        sources: &AgreementSources<'_>,
    ) -> Self {
        let mut days = Vec::new();
        let mut day = *ended.start();
        while day <= *ended.end() {
            days.push((day, day_agreement(day, sources)));
            let Ok(next) = day.tomorrow() else { break };
            day = next;
        }
        Self { operator, days }
    }

    /// The days of which something was compared.
    #[must_use]
    pub fn compared(&self) -> Vec<Date> {
        self.of(|one| matches!(one, DayAgreement::Compared { .. }))
    }

    /// The days with this agreement, oldest first.
    #[must_use]
    pub fn of(&self, is_wanted: impl Fn(DayAgreement) -> bool) -> Vec<Date> {
        self.days.iter().filter(|(_, one)| is_wanted(*one)).map(|(day, _)| *day).collect()
    }

    /// The days whose lines and transactions did not all agree, with how many did not.
    #[must_use]
    pub fn differing(&self) -> Vec<(Date, u64)> {
        let differing = |(day, one): &(Date, DayAgreement)| match one {
            DayAgreement::Compared { exceptions } if *exceptions > 0 => Some((*day, *exceptions)),
            _ => None,
        };
        self.days.iter().filter_map(differing).collect()
    }

    /// Whether something was compared, and everything that was compared agrees.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let changed = self.of(|one| one == DayAgreement::Changed);
        !self.compared().is_empty() && self.differing().is_empty() && changed.is_empty()
    }
}

fn day_agreement(day: Date, sources: &AgreementSources<'_>) -> DayAgreement {
    if let Some(closed) = sources.closed.iter().find(|closed| closed.day == day) {
        let compared: u64 = closed.outcomes.iter().sum();
        return if !is_unchanged(&closed.figures, day, sources.posted) {
            DayAgreement::Changed
        } else if compared > 0 {
            DayAgreement::Compared { exceptions: closed.exceptions }
        } else {
            DayAgreement::NothingToCompare
        };
    }
    if sources.covered.iter().any(|(from, to)| (from..=to).contains(&&day)) {
        DayAgreement::OpenWithStatement
    } else {
        DayAgreement::OpenWithoutStatement
    }
}

/// Whether the ledger still has the entries that were signed off.
fn is_unchanged(figures: &DayFigures, day: Date, posted: &[PostedDay]) -> bool {
    let now = posted.iter().find(|posted| posted.day == day);
    let (entries, postings) =
        now.map_or((0, Postings::default()), |posted| (posted.entries, posted.postings));
    (entries, postings) == (figures.entries, figures.posted)
}

/// Days as the first and the last of each run without a gap. `days` are in their order.
#[must_use]
pub fn runs(days: &[Date]) -> Vec<(Date, Date)> {
    let mut runs: Vec<(Date, Date)> = Vec::new();
    for day in days {
        match runs.last_mut() {
            Some((_, last)) if last.tomorrow().ok() == Some(*day) => *last = *day,
            _ => runs.push((*day, *day)),
        }
    }
    runs
}
