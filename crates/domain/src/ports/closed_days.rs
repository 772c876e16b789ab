//! The port for closed days.

use super::StoreError;
use crate::{
    audit::AuditContext,
    ledger::Postings,
    pinned_operator::{OperatorFingerprint, OperatorName, PinnedOperator},
    statement::closing::{CloseDayError, ClosedDay, EntryPosition, LedgerEntry},
};
use async_trait::async_trait;
use jiff::civil::Date;
use std::fmt::Debug;

/// Closes days of operators, and reads what they consist of. A line of a closed day that is
/// imported later is posted to the day after the last closed one; entries of the ledger have the
/// time at which they are written.
#[async_trait]
pub trait ClosedDays: Debug + Send + Sync + 'static {
    /// The names of operators in the entries of the ledger, in their order. An operator that was
    /// renamed has several.
    async fn ledger_operators(&self) -> Result<Vec<OperatorName>, StoreError>;
    /// The operators that statements, closed days or the newest entry of the ledger have under this
    /// name.
    async fn operators_named(
        &self,
        name: &OperatorName,
    ) -> Result<Vec<OperatorFingerprint>, StoreError>;
    /// The sums of all postings of an operator before a day.
    async fn postings_before(
        &self,
        operator: &OperatorFingerprint,
        day: Date,
    ) -> Result<Postings, StoreError>;
    /// The next entries of a day that an operator has under this name, at most so many.
    async fn day_entries(
        &self,
        operator: &PinnedOperator,
        day: Date,
        after: Option<&EntryPosition>,
        limit: u32,
    ) -> Result<Vec<LedgerEntry>, StoreError>;
    /// Closes a day, if it is the next one, no import is cut off, and the day has as many entries
    /// and lines as its figures.
    async fn close_day(&self, day: ClosedDay, by: &AuditContext) -> Result<(), CloseDayError>;
    /// The closed days, newest first, at most so many: of one operator or all, of all days or from
    /// one to another.
    async fn closed_days(
        &self,
        operator: Option<&OperatorFingerprint>,
        days: Option<(Date, Date)>,
        limit: u32,
    ) -> Result<Vec<ClosedDay>, StoreError>;
}
