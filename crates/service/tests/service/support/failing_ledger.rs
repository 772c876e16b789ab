//! The ledger of a store whose methods fail as planned. What is only read there does not fail.

use super::failing_store::FailingStore;
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use std::ops::RangeInclusive;
use tua_domain::{
    AccountId, Mode, TransactionId,
    ledger::{LedgerBalance, LedgerDay, verification::PostedTransaction},
    ports::{Ledger, StoreError},
};

#[async_trait]
impl Ledger for FailingStore {
    async fn ledger_balances(&self, until: Timestamp) -> Result<Vec<LedgerBalance>, StoreError> {
        self.inner.ledger_balances(until).await
    }

    async fn ledger_days(
        &self,
        days: RangeInclusive<Date>,
        account: Option<&AccountId>,
        mode: Option<Mode>,
    ) -> Result<Vec<LedgerDay>, StoreError> {
        self.inner.ledger_days(days, account, mode).await
    }

    async fn posted_transactions(
        &self,
        after: Option<&TransactionId>,
        limit: u32,
    ) -> Result<Vec<PostedTransaction>, StoreError> {
        self.inner.posted_transactions(after, limit).await
    }

    async fn orphaned_entries(&self) -> Result<u64, StoreError> {
        self.inner.orphaned_entries().await
    }
}
