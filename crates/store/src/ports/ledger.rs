//! The [`Ledger`] port.

use super::both_engines;
use jiff::{Timestamp, civil::Date};
use std::ops::RangeInclusive;
use tua_domain::{
    AccountId, Mode, TransactionId,
    ledger::{LedgerBalance, LedgerDay, verification::PostedTransaction},
    ports::{Ledger, StoreError},
};
use tua_sql::queries::{books, ledger};

both_engines! {
    impl Ledger {
        async fn ledger_balances(
            &self,
            until: Timestamp,
        ) -> Result<Vec<LedgerBalance>, StoreError> {
            self.read_long((), async move |db, ()| ledger::balances(db, until).await).await
        }

        async fn ledger_days(
            &self,
            days: RangeInclusive<Date>,
            account: Option<&AccountId>,
            mode: Option<Mode>,
        ) -> Result<Vec<LedgerDay>, StoreError> {
            let input = (days, account.cloned());
            self.read_long(input, async move |db, (days, account)| {
                ledger::days(db, days, account.as_ref(), mode).await
            })
            .await
        }

        async fn posted_transactions(
            &self,
            after: Option<&TransactionId>,
            limit: u32,
        ) -> Result<Vec<PostedTransaction>, StoreError> {
            self.read_many(after.cloned(), async move |db, after| {
                ledger::posted_transactions(db, after.as_ref(), limit).await
            })
            .await
        }

        async fn orphaned_entries(&self) -> Result<u64, StoreError> {
            self.read_long((), async |db, ()| ledger::orphaned_entries(db).await).await
        }

        async fn wrong_kept_days(&self) -> Result<Vec<Date>, StoreError> {
            self.read_long((), async |db, ()| books::wrong_days(db).await).await
        }
    }
}
