//! Lists and sums of transactions: the [`Reports`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::{Timestamp, civil::Date};
use std::ops::RangeInclusive;
use tua_domain::{
    AccountId, Checkout, KeyId, Mode, Scope, Transaction, TransactionId,
    checkout_listing::{CheckoutPageRequest, ListedCheckout, StoredCheckoutFilter},
    listing::{Filter, PageRequest},
    ports::{Reports, StoreError},
    reporting::{
        DayFees, DayTotal, FailureCount, FilterTotals, FirstStepsFacts, ReportFilter,
        ReportPageRequest, WaitingTimes,
    },
    webhook::Delivery,
};
use tua_sql::queries::{checkout_lists, listing, repeated_charges, reports};

both_engines! {
    impl Reports {
        async fn transactions(
            &self,
            scope: &Scope,
            filter: Filter,
            page: PageRequest,
        ) -> Result<Vec<Transaction>, StoreError> {
            self.read_many((scope.clone(), filter, page), async |db, (scope, filter, page)| {
                listing::list(db, scope, filter, page).await
            })
            .await
        }

        async fn report_transactions(
            &self,
            scope: &Scope,
            filter: &ReportFilter,
            page: &ReportPageRequest,
        ) -> Result<Vec<Transaction>, StoreError> {
            let input = (scope.clone(), filter.clone(), page.clone());
            self.read_many(input, async |db, (scope, filter, page)| {
                reports::page(db, scope, filter, page).await
            })
            .await
        }

        async fn charges_around(
            &self,
            scope: &Scope,
            charges: &[Transaction],
        ) -> Result<Vec<Transaction>, StoreError> {
            self.read_many((scope.clone(), charges.to_vec()), async |db, (scope, charges)| {
                repeated_charges::around(db, scope, charges).await
            })
            .await
        }

        async fn report_totals(
            &self,
            scope: &Scope,
            filter: &ReportFilter,
        ) -> Result<FilterTotals, StoreError> {
            let input = (scope.clone(), filter.clone());
            self.read_many(input, async |db, (scope, filter)| {
                reports::totals(db, scope, filter).await
            })
            .await
        }

        async fn day_totals(
            &self,
            scope: &Scope,
            days: RangeInclusive<Date>,
        ) -> Result<Vec<DayTotal>, StoreError> {
            self.read_many((scope.clone(), days), async |db, (scope, days)| {
                reports::day_totals(db, scope, days).await
            })
            .await
        }

        async fn day_fees(
            &self,
            scope: &Scope,
            days: RangeInclusive<Date>,
        ) -> Result<Vec<DayFees>, StoreError> {
            self.read_many((scope.clone(), days), async |db, (scope, days)| {
                reports::day_fees(db, scope, days).await
            })
            .await
        }

        async fn charge_failures(
            &self,
            scope: &Scope,
            days: RangeInclusive<Date>,
        ) -> Result<Vec<FailureCount>, StoreError> {
            self.read_many((scope.clone(), days), async |db, (scope, days)| {
                reports::charge_failures(db, scope, days).await
            })
            .await
        }

        async fn first_steps(
            &self,
            account: &AccountId,
            now: Timestamp,
        ) -> Result<FirstStepsFacts, StoreError> {
            self.read(account.clone(), async move |db, account| {
                reports::first_steps(db, account, now).await
            })
            .await
        }

        async fn rebuild_day_totals(&self) -> Result<u64, StoreError> {
            self.write(InDoubt::Retry, (), async |db, ()| reports::rebuild_totals(db).await).await
        }

        async fn accounts_of_mode(
            &self,
            mode: Mode,
            now: Timestamp,
        ) -> Result<Vec<AccountId>, StoreError> {
            self.read_many((), async move |db, ()| reports::accounts_of_mode(db, mode, now).await)
                .await
        }

        async fn waiting_times(
            &self,
            id: &TransactionId,
        ) -> Result<Option<WaitingTimes>, StoreError> {
            self.read(id.clone(), async |db, id| reports::waiting_times(db, id).await).await
        }

        async fn deliveries_of(
            &self,
            transaction: &Transaction,
        ) -> Result<Vec<Delivery>, StoreError> {
            self.read(transaction.order.clone(), async |db, order| {
                reports::deliveries_of(db, order).await
            })
            .await
        }

        async fn key_makers(&self, id: &KeyId) -> Result<Vec<String>, StoreError> {
            self.read(id.clone(), async |db, id| reports::key_makers(db, id).await).await
        }

        async fn payout_asker(&self, id: &TransactionId) -> Result<Option<String>, StoreError> {
            self.read(id.clone(), async |db, id| reports::payout_asker(db, id).await).await
        }

        async fn checkouts(
            &self,
            scope: &Scope,
            filter: StoredCheckoutFilter,
            page: CheckoutPageRequest,
        ) -> Result<Vec<ListedCheckout>, StoreError> {
            self.read_many((scope.clone(), filter, page), async |db, (scope, filter, page)| {
                checkout_lists::list(db, scope, filter, page).await
            })
            .await
        }

        async fn report_checkouts(
            &self,
            scope: &Scope,
            text: Option<&str>,
            now: Timestamp,
            limit: u32,
        ) -> Result<Vec<Checkout>, StoreError> {
            let input = (scope.clone(), text.map(str::to_owned));
            self.read_many(input, async move |db, (scope, text)| {
                reports::checkouts(db, scope, text.as_deref(), now, limit).await
            })
            .await
        }
    }
}
