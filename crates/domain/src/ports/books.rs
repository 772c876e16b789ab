//! The port for the books of a month. It reads the sums of days, which are kept once a day has
//! ended. A payment writes none of them.

use super::StoreError;
use crate::{
    Scope,
    books::sums::{LedgerDaySum, OpeningBalance, PostedDay},
    pinned_operator::OperatorFingerprint,
};
use async_trait::async_trait;
use jiff::civil::Date;
use std::{fmt::Debug, ops::RangeInclusive};

/// Sums up the days of the ledger, and reads these sums. Nothing here is on the path of a payment.
#[async_trait]
pub trait Books: Debug + Send + Sync + 'static {
    /// The last day whose sums are kept. All earlier ones are kept too; a day without entries has
    /// none.
    async fn last_summed_day(&self) -> Result<Option<Date>, StoreError>;
    /// The first day after this one that has entries.
    async fn next_ledger_day(&self, after: Option<Date>) -> Result<Option<Date>, StoreError>;
    /// Sums up the entries of some days, of all accounts and modes, oldest day first. It reads each
    /// entry of these days.
    async fn sum_ledger_days(
        &self,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<LedgerDaySum>, StoreError>;
    /// Keeps all sums of a day that has ended, if `after` is still the last day whose sums are
    /// kept. Returns whether it is.
    async fn keep_day_sums(
        &self,
        after: Option<Date>,
        sums: Vec<LedgerDaySum>,
    ) -> Result<bool, StoreError>;
    /// The kept sums of some days, of an account and mode.
    async fn kept_day_sums(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<LedgerDaySum>, StoreError>;
    /// The kept sums of all days before one, of an account and mode, by operator and name, in the
    /// order in which an operator had its names.
    async fn kept_balances_before(
        &self,
        scope: &Scope,
        day: Date,
    ) -> Result<Vec<OpeningBalance>, StoreError>;
    /// The kept sums of an operator on some days, over all accounts and modes.
    async fn kept_posted_days(
        &self,
        operator: &OperatorFingerprint,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<PostedDay>, StoreError>;
    /// The days that the imported statements of an operator cover, of those that cover one of these
    /// days: the first and the last of each.
    async fn covered_days(
        &self,
        operator: &OperatorFingerprint,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<(Date, Date)>, StoreError>;
}
