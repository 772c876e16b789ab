//! Reads pages and figures for people: the dashboard, the export and the command line.

use super::account_read_error::{AccountReadError, require_account};
use jiff::{SignedDuration, Timestamp, civil::Date};
use std::{ops::RangeInclusive, sync::Arc};
use tua_contract::Status;
use tua_domain::{
    Scope, Transaction,
    audit::{Action, AuditChange, AuditContext},
    listing::Cursor,
    ports::{self, Accounts, AuditLog, Clock, StoreError},
    reporting::{
        Attention, DayTotal, FilterTotals, ListPage, Position, ReportFilter, ReportPage, Search,
        totals::MAX_COUNT,
    },
};

/// How many transactions an export reads at once: it never holds more of them.
const EXPORT_ROWS: u32 = 250;

/// The longest pause of an export: a clock can be set forward while a batch is read.
const MAX_PAUSE: SignedDuration = SignedDuration::from_secs(1);

/// Reads lists and figures of transactions.
#[derive(Clone, Debug)]
pub struct Reports {
    /// Has the transactions and their totals.
    pub reports: Arc<dyn ports::Reports>,
    /// Has the accounts whose transactions are listed.
    pub accounts: Arc<dyn Accounts>,
    /// Gets an entry for each recount.
    pub audit_log: Arc<dyn AuditLog>,
}

/// A page of a list, with the figures of the whole list.
#[derive(Clone, Debug)]
pub struct TransactionList {
    /// The transactions, and the positions of the pages before and after it.
    pub page: ListPage,
    /// The number and the sums of all transactions of the filter.
    pub totals: FilterTotals,
    /// Whether transactions of the period were left out, because the search looks for an amount
    /// among the newest.
    pub is_incomplete: bool,
}

/// The figures of a period, and what somebody must look at now.
#[derive(Clone, Debug)]
pub struct PeriodFigures {
    /// The totals of final transactions by day, oldest day first.
    pub totals: Vec<DayTotal>,
    /// The sums of transactions that are pending or need somebody's attention.
    pub attention: AttentionTotals,
}

impl Reports {
    /// A page of the transactions of a filter, with the figures of all of them.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
        page: &ReportPage,
    ) -> Result<TransactionList, StoreError> {
        let reports = self.reports.as_ref();
        Ok(TransactionList {
            page: list_page(reports, scope, filter, page).await?,
            totals: reports.report_totals(scope, filter).await?,
            is_incomplete: leaves_out_amounts(reports, scope, filter).await?,
        })
    }

    /// The newest transactions of a filter, at most so many.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn newest(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
        limit: u32,
    ) -> Result<Vec<Transaction>, AccountReadError> {
        require_account(self.accounts.as_ref(), Some(&scope.account)).await?;
        let page = ReportPage { limit, position: Position::First };
        Ok(list_page(self.reports.as_ref(), scope, filter, &page).await?.transactions)
    }

    /// The totals of final transactions by day, in UTC, oldest day first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn day_totals(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<DayTotal>, StoreError> {
        self.reports.day_totals(scope, days).await
    }

    /// The number and the sums of the transactions of a filter.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn totals(
        &self,
        scope: &Scope,
        filter: &ReportFilter,
    ) -> Result<FilterTotals, StoreError> {
        self.reports.report_totals(scope, filter).await
    }

    /// The figures of some days, in UTC, and what somebody must look at now.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn period_figures(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> Result<PeriodFigures, StoreError> {
        Ok(PeriodFigures {
            totals: self.reports.day_totals(scope, days).await?,
            attention: attention_totals(self.reports.as_ref(), scope).await?,
        })
    }

    /// Computes the totals of all days again from the transactions, which is audited before.
    /// Returns the number of final transactions.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn recount(&self, by: &AuditContext) -> Result<u64, StoreError> {
        let change = AuditChange {
            action: Action::TotalsRecounted,
            subject: "day totals".to_owned(),
            before: None,
            after: None,
        };
        self.audit_log.append_audit(change, by).await?;
        self.reports.rebuild_day_totals().await
    }
}

/// A page of the transactions of a filter, with the positions of the pages before and after it.
///
/// # Errors
/// Those of the store.
pub async fn list_page(
    reports: &dyn ports::Reports,
    scope: &Scope,
    filter: &ReportFilter,
    page: &ReportPage,
) -> Result<ListPage, StoreError> {
    let found = reports.report_transactions(scope, filter, page).await?;
    let limit = usize::try_from(page.limit).map_err(StoreError::failed)?;
    Ok(ListPage::of(found, limit, &page.position))
}

/// Whether the search of a filter leaves out transactions of its period, because it looks for an
/// amount among the newest.
///
/// # Errors
/// Those of the store.
async fn leaves_out_amounts(
    reports: &dyn ports::Reports,
    scope: &Scope,
    filter: &ReportFilter,
) -> Result<bool, StoreError> {
    if !filter.search.as_ref().is_some_and(Search::finds_newest_amounts) {
        return Ok(false);
    }
    let period = ReportFilter { from: filter.from, to: filter.to, ..ReportFilter::default() };
    Ok(reports.report_totals(scope, &period).await?.payments() > u64::from(MAX_COUNT))
}

/// Reads all transactions of a filter, newest first, in constant memory. After each batch it pauses
/// for as long as reading the batch took, and leaves that time to payments.
#[derive(Debug)]
pub struct Export {
    reports: Arc<dyn ports::Reports>,
    clock: Arc<dyn Clock>,
    scope: Scope,
    filter: ReportFilter,
    /// Where the next batch begins; `None` after the last one.
    next: Option<Position>,
    /// When the next batch is read.
    resumes_at: Timestamp,
}

impl Export {
    /// An export that has read nothing yet.
    #[must_use]
    pub fn new(
        reports: Arc<dyn ports::Reports>,
        clock: Arc<dyn Clock>,
        scope: Scope,
        filter: ReportFilter,
    ) -> Self {
        let resumes_at = clock.now();
        Self { reports, clock, scope, filter, next: Some(Position::First), resumes_at }
    }

    /// The next transactions; `None` at the end.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn next(&mut self) -> Result<Option<Vec<Transaction>>, StoreError> {
        let Some(position) = self.next.take() else { return Ok(None) };
        let page = ReportPage { limit: EXPORT_ROWS, position };
        self.clock.sleep_until(self.resumes_at).await;
        let began = self.clock.now();
        let ListPage { transactions, older, .. } =
            list_page(self.reports.as_ref(), &self.scope, &self.filter, &page).await?;
        self.next = older.map(|cursor: Cursor| Position::After(cursor));
        let ended = self.clock.now();
        self.resumes_at = ended + ended.duration_since(began).min(MAX_PAUSE);
        Ok(Some(transactions))
    }
}

/// The transactions of a scope that are pending or that somebody must look at, each sum with the
/// filter that lists them. One transaction may be in several sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttentionTotals {
    /// All transactions of the scope whose status is pending.
    pub pending: FilterTotals,
    /// Pending transactions of which it is unknown whether the operator has the order, and those
    /// that have been pending for long.
    pub uncertain: FilterTotals,
    /// Transactions that a review must decide: pending ones, and final ones with a conflict or an
    /// open dispute.
    pub flagged: FilterTotals,
    /// Payouts and refunds that wait for an approval.
    pub unapproved: FilterTotals,
}

/// Sums up the transactions of each of these lists.
///
/// # Errors
/// Those of the store.
pub async fn attention_totals(
    reports: &dyn ports::Reports,
    scope: &Scope,
) -> Result<AttentionTotals, StoreError> {
    let count = async |attention| {
        let filter = ReportFilter { attention: Some(attention), ..ReportFilter::default() };
        reports.report_totals(scope, &filter).await
    };
    let pending = ReportFilter { status: Some(Status::Pending), ..ReportFilter::default() };
    Ok(AttentionTotals {
        pending: reports.report_totals(scope, &pending).await?,
        uncertain: count(Attention::Uncertain).await?,
        flagged: count(Attention::Flagged).await?,
        unapproved: count(Attention::Unapproved).await?,
    })
}
