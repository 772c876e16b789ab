//! Fetches statements from operators that offer them through their API
//! (docs/reference/statements.md).

use std::time::Duration;
use tua_domain::{ports::ReadError, routing::OperatorEntry, statement::period::StatementPeriod};

/// Why no statement was fetched.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FetchError {
    /// The operator's API has no statements.
    #[error(
        "its API offers no statements; download the file from its portal, and import it with `tua \
         statement import`"
    )]
    NotOffered,
    /// The operator did not respond as documented.
    #[error("nothing was stored: {0}")]
    Read(#[from] ReadError),
}

/// Whether an operator's statements can be fetched.
#[must_use]
pub fn can_fetch(operator: &OperatorEntry) -> bool {
    operator.operator.capabilities().has_statements
}

/// The statement of a period: a file in the columns of the operator's settings, to be imported as
/// any other. `time_limit`: how long the operator may take to make it.
///
/// # Errors
/// [`FetchError`].
pub async fn fetch_statement(
    operator: &OperatorEntry,
    period: &StatementPeriod,
    time_limit: Duration,
) -> Result<Vec<u8>, FetchError> {
    if !can_fetch(operator) {
        return Err(FetchError::NotOffered);
    }
    Ok(operator.operator.statement(period, time_limit).await?)
}
