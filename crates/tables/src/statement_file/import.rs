//! The one way of a file into the store: checked as a whole, then imported.

use super::StatementSource;
use jiff::civil::Date;
use std::{fmt, ops::RangeInclusive};
use tua_domain::{audit::AuditContext, ports::StoreError, routing::PinnedOperator};
use tua_use_cases::statements::{CheckedFile, FileFacts, ImportedStatement, Statements};

/// How many lines with faults are shown.
pub const SHOWN_FAULTS: usize = 20;

/// Why a file was not imported. Nothing of it is stored, unless the store failed.
#[derive(Debug)]
pub enum ImportError {
    /// Lines have faults. Nothing was stored.
    Lines(CheckedFile),
    /// The store failed, possibly after a part of the lines was stored.
    Store(StoreError),
}

impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for ImportError {
    /// One line, with the first faults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines(checked) => {
                let shown = checked.listed.iter().take(SHOWN_FAULTS);
                let mut faults: Vec<String> =
                    shown.map(|one| format!("line {}: {}", one.number, one.sentence())).collect();
                let others = checked.counts.refused - faults.len() as u64;
                if others > 0 {
                    faults.push(format!("{others} more lines have faults"));
                }
                write!(f, "nothing was stored: {}; {}", faults.join("; "), checked.counts)
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

/// The days of a file, where they are known besides its lines.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileDays {
    /// The days that its lines may have; a line of another one is a fault.
    pub period: Option<RangeInclusive<Date>>,
    /// The days that it covers; `None`: those of the period, or from its first line to its last
    /// one.
    pub covers: Option<(Date, Date)>,
}

/// Checks a whole file of an operator, and imports it if no line has a fault.
///
/// # Errors
/// [`ImportError`].
pub async fn import_file(
    statements: &Statements,
    operator: &PinnedOperator,
    source: &StatementSource,
    days: FileDays,
    by: &AuditContext,
) -> Result<(CheckedFile, ImportedStatement), ImportError> {
    let period = days.period.as_ref().map(|period| (*period.start(), *period.end()));
    let checked = statements.check(operator, days.period, source.lines()).await?;
    if checked.counts.refused > 0 {
        return Err(ImportError::Lines(checked));
    }
    let file = FileFacts {
        digest: source.digest(),
        given_days: days.covers.or(period),
        line_days: checked.days,
    };
    let imported = statements.import(operator, file, source.lines(), by).await?;
    Ok((checked, imported))
}
