//! The port for the ledger. Postings are written with the events that cause them
//! ([`super::Store`]); here they are read.

use super::StoreError;
use crate::{
    AccountId, Mode, TransactionId,
    ledger::{LedgerBalance, LedgerDay, verification::PostedTransaction},
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use std::{fmt::Debug, ops::RangeInclusive};

/// What people and verifications read of the ledger. Nothing here is on the path of a payment.
#[async_trait]
pub trait Ledger: Debug + Send + Sync + 'static {
    /// The sums of all postings until a time, by account, mode and operator.
    async fn ledger_balances(&self, until: Timestamp) -> Result<Vec<LedgerBalance>, StoreError>;
    /// What was posted on each of these days, in UTC, of an account and mode or of all: by day,
    /// account, mode, operator and type.
    async fn ledger_days(
        &self,
        days: RangeInclusive<Date>,
        account: Option<&AccountId>,
        mode: Option<Mode>,
    ) -> Result<Vec<LedgerDay>, StoreError>;
    /// The next transactions by id, at most so many, each with the sums of its postings at the same
    /// moment.
    async fn posted_transactions(
        &self,
        after: Option<&TransactionId>,
        limit: u32,
    ) -> Result<Vec<PostedTransaction>, StoreError>;
    /// How many entries name a transaction that does not exist.
    async fn orphaned_entries(&self) -> Result<u64, StoreError>;
    /// The days whose kept sums (for the books of a month) are not those of their entries, oldest
    /// first. It reads every entry.
    async fn wrong_kept_days(&self) -> Result<Vec<Date>, StoreError>;
}
