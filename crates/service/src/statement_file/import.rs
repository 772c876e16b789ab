//! The one way of a file into the store: checked as a whole, then imported.

use super::StatementSource;
use crate::{
    domain::{
        audit::AuditContext,
        ports::{Store, StoreError},
        routing::OperatorPin,
        use_cases::statements::{CheckedFile, ImportedStatement, LineFault, check_statement, import_statement},
    },
    operators::statement_columns::StatementColumns,
};
use jiff::civil::Date;
use std::{fmt, ops::RangeInclusive};

/// How many lines with faults are shown.
pub const SHOWN_FAULTS: usize = 20;

/// Why a file was not imported. Nothing of it is stored, unless the store failed.
#[derive(Debug)]
pub enum ImportError {
    /// The file as a whole: it cannot be read, or lacks columns.
    File(String),
    /// Lines with faults, at most as many as are listed, and how many there are.
    Lines(Vec<LineFault>, u64),
    /// The store failed.
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
            Self::File(fault) => f.write_str(fault),
            Self::Lines(listed, count) => {
                let shown = listed.iter().take(SHOWN_FAULTS);
                let mut faults: Vec<String> = shown.map(|one| format!("line {}: {}", one.number, one.fault)).collect();
                let others = count - faults.len() as u64;
                if others > 0 {
                    faults.push(format!("{others} more lines have faults"));
                }
                write!(f, "nothing was stored: {}", faults.join("; "))
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

/// Checks a whole file of an operator, and imports it if no line has a fault. `period`: the days that it may have.
///
/// # Errors
/// [`ImportError`].
pub async fn import_file(
    store: &dyn Store,
    (operator, form): (&OperatorPin, &StatementColumns),
    source: &StatementSource,
    period: Option<RangeInclusive<Date>>,
    by: &AuditContext,
) -> Result<(CheckedFile, ImportedStatement), ImportError> {
    let open = || source.lines(form).map_err(ImportError::File);
    let checked = check_statement(store, operator, period, open()?).await?;
    if checked.faults > 0 {
        return Err(ImportError::Lines(checked.listed, checked.faults));
    }
    let imported = import_statement(store, operator, source.digest(), open()?, by).await?;
    Ok((checked, imported))
}
