//! The [`Books`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::civil::Date;
use std::ops::RangeInclusive;
use tua_domain::{
    Scope,
    books::sums::{LedgerDaySum, OpeningBalance, PostedDay},
    ports::{Books, StoreError},
    routing::OperatorFingerprint,
};
use tua_sql::queries::books;

both_engines! {
    impl Books {
        async fn last_summed_day(&self) -> Result<Option<Date>, StoreError> {
            self.read((), async |db, ()| books::last_summed_day(db).await).await
        }

        async fn next_ledger_day(&self, after: Option<Date>) -> Result<Option<Date>, StoreError> {
            self.read_many((), async move |db, ()| books::next_ledger_day(db, after).await).await
        }

        async fn sum_ledger_days(
            &self,
            days: RangeInclusive<Date>,
        ) -> Result<Vec<LedgerDaySum>, StoreError> {
            self.read_long(days, async |db, days| books::sum_ledger_days(db, days).await).await
        }

        async fn keep_day_sums(
            &self,
            after: Option<Date>,
            sums: Vec<LedgerDaySum>,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Retry, sums, async move |db, sums| {
                books::keep(db, after, sums).await
            })
            .await
        }

        async fn kept_day_sums(
            &self,
            scope: &Scope,
            days: RangeInclusive<Date>,
        ) -> Result<Vec<LedgerDaySum>, StoreError> {
            self.read_many((scope.clone(), days), async |db, (scope, days)| {
                books::kept(db, scope, days).await
            })
            .await
        }

        async fn kept_balances_before(
            &self,
            scope: &Scope,
            day: Date,
        ) -> Result<Vec<OpeningBalance>, StoreError> {
            self.read_many(scope.clone(), async move |db, scope| {
                books::balances_before(db, scope, day).await
            })
            .await
        }

        async fn kept_posted_days(
            &self,
            operator: &OperatorFingerprint,
            days: RangeInclusive<Date>,
        ) -> Result<Vec<PostedDay>, StoreError> {
            self.read_many((operator.clone(), days), async |db, (operator, days)| {
                books::posted_days(db, operator, days).await
            })
            .await
        }

        async fn covered_days(
            &self,
            operator: &OperatorFingerprint,
            days: RangeInclusive<Date>,
        ) -> Result<Vec<(Date, Date)>, StoreError> {
            self.read_many((operator.clone(), days), async |db, (operator, days)| {
                books::covered_days(db, operator, days).await
            })
            .await
        }
    }
}
