//! The port for lists, sums and figures of the API, the dashboard, the export and the command line.

use super::StoreError;
use crate::{
    AccountId, Checkout, KeyId, Mode, Scope, Transaction, TransactionId,
    checkout_listing::{CheckoutPageRequest, ListedCheckout, StoredCheckoutFilter},
    listing::{Filter, PageRequest},
    reporting::{
        DayFees, DayTotal, FailureCount, FilterTotals, FirstStepsFacts, ReportFilter,
        ReportPageRequest, WaitingTimes,
    },
    webhook::Delivery,
};
use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use std::{fmt::Debug, ops::RangeInclusive};

/// What people read. Nothing here is on the path of a payment.
#[async_trait]
pub trait Reports: Debug + Send + Sync + 'static {
    /// Lists a page of an account's transactions in one mode, newest first.
    async fn transactions(
        &self,
        scope: &Scope,
        filter: Filter,
        page: PageRequest,
    ) -> Result<Vec<Transaction>, StoreError>;
    /// Lists one transaction more than the page's limit, if there are as many; newest first.
    async fn report_transactions(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
        page: &ReportPageRequest,
    ) -> Result<Vec<Transaction>, StoreError>;
    /// For each of these charges the latest one of the same number and amount before it, and the
    /// first after it, within [`REPEATED_WITHIN`](crate::repeated_charge::REPEATED_WITHIN).
    async fn charges_around(
        &self,
        scope: &Scope,
        charges: &[Transaction],
    ) -> Result<Vec<Transaction>, StoreError>;
    /// Counts and sums the transactions of a filter: all where day totals exist for it, else the
    /// newest [`MAX_COUNT`](crate::reporting::totals::MAX_COUNT) at most.
    async fn report_totals(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
    ) -> Result<FilterTotals, StoreError>;
    /// The totals of final transactions by day, oldest day first. They are written in the database
    /// transaction in which a transaction becomes final.
    async fn day_totals(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<DayTotal>, StoreError>;
    /// The fees of the transactions of these days, oldest day first. They are written in the
    /// database transaction that posts them to the ledger.
    async fn day_fees(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<DayFees>, StoreError>;
    /// How many charges that were created on these days failed for each reason, the most frequent
    /// reason first. Of each reason at most
    /// [`MAX_FAILURES`](crate::reporting::failures::MAX_FAILURES) are counted.
    async fn charge_failures(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<FailureCount>, StoreError>;
    /// The accounts that have a key of this mode which is valid at this time, or a transaction in
    /// it, by id.
    async fn accounts_of_mode(
        &self,
        mode: Mode,
        now: Timestamp,
    ) -> Result<Vec<AccountId>, StoreError>;
    /// What an account has of the first steps, at this time.
    async fn first_steps(
        &self,
        account: &AccountId,
        now: Timestamp,
    ) -> Result<FirstStepsFacts, StoreError>;
    /// Computes the totals of all days again from the transactions. Returns the number of final
    /// transactions.
    async fn rebuild_day_totals(&self) -> Result<u64, StoreError>;
    /// The times that explain why a transaction is pending. `None` if there is no such transaction.
    async fn waiting_times(&self, id: &TransactionId) -> Result<Option<WaitingTimes>, StoreError>;
    /// The deliveries of a transaction's events to the endpoints of its account, oldest first, at
    /// most 100.
    async fn deliveries_of(&self, transaction: &Transaction) -> Result<Vec<Delivery>, StoreError>;
    /// Who made a key in the dashboard, or one that it has succeeded, as the audit log has them;
    /// nobody for a key of the command line.
    async fn key_makers(&self, id: &KeyId) -> Result<Vec<String>, StoreError>;
    /// Who asked for a payout or refund in the dashboard, as the audit log has it; `None` for one
    /// that a key or the command line asked for.
    async fn payout_asker(&self, id: &TransactionId) -> Result<Option<String>, StoreError>;
    /// Lists a page of the checkout sessions of an account and mode, newest first.
    async fn checkouts(
        &self,
        scope: &Scope,
        filter: StoredCheckoutFilter,
        page: CheckoutPageRequest,
    ) -> Result<Vec<ListedCheckout>, StoreError>;
    /// Sessions, newest first. Without `text` those that take charges at this time; with it those
    /// with this id or reference, by reference only sessions that are open or were charged.
    async fn report_checkouts(
        &self,
        scope: &Scope,
        text: Option<&str>,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<Checkout>, StoreError>;
}
