//! The port for closed days.

use super::StoreError;
use crate::domain::{
    audit::AuditContext,
    routing::OperatorName,
    statement::closing::{CloseDayError, ClosedDay, EntryPosition, LedgerEntry},
};
use async_trait::async_trait;
use jiff::civil::Date;

/// Closes days of operators, and reads what they consist of. A line of a closed day that is imported later is posted to
/// the day after the last closed one; entries of the ledger have the time at which they are written.
#[async_trait]
pub trait ClosedDays {
    /// The next entries of an operator's day, at most so many.
    async fn day_entries(
        &self,
        operator: &OperatorName,
        day: Date,
        after: Option<&EntryPosition>,
        most: u32,
    ) -> Result<Vec<LedgerEntry>, StoreError>;
    /// Closes a day, if it is the next one, no import is cut off, and the day has as many entries and lines as its figures.
    async fn close_day(&self, day: ClosedDay, by: &AuditContext) -> Result<(), CloseDayError>;
    /// The closed days, newest first, at most so many: of one operator or all, of all days or from one to another.
    async fn closed_days(
        &self,
        operator: Option<&OperatorName>,
        days: Option<(Date, Date)>,
        most: u32,
    ) -> Result<Vec<ClosedDay>, StoreError>;
}
