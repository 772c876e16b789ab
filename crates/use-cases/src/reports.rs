//! Reads pages and figures for people: the dashboard, the export and the command line.

use super::account_read_error::{AccountReadError, require_account};
use jiff::{SignedDuration, Timestamp, civil::Date};
use std::{ops::RangeInclusive, sync::Arc};
use tua_domain::{
    Scope, Transaction,
    audit::{Action, AuditChange, AuditContext},
    listing::Cursor,
    people::{Permission, Role},
    ports::{self, Accounts, AuditLog, Clock, PayoutBatches, StoreError},
    refund::TransactionType,
    reporting::{
        Attention, DayFees, DayTotal, FailureCount, FilterTotals, ListPage, MAX_PART_ROWS,
        Position, ReportFilter, ReportPageRequest, Search, totals::MAX_COUNT,
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
    /// Whether parts of texts were looked for among the newest transactions of the period only.
    pub are_parts_incomplete: bool,
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
        page: &ReportPageRequest,
    ) -> Result<TransactionList, StoreError> {
        let reports = self.reports.as_ref();
        Ok(TransactionList {
            page: list_page(reports, scope, filter, page).await?,
            totals: reports.report_totals(scope, filter).await?,
            is_incomplete: leaves_out_amounts(reports, scope, filter).await?,
            are_parts_incomplete: leaves_out_parts(reports, scope, filter).await?,
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
        let page = ReportPageRequest { limit, position: Position::First };
        Ok(list_page(self.reports.as_ref(), scope, filter, &page).await?.transactions)
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

    /// The totals of final transactions by day, in UTC, oldest day first. `seen` has the types of
    /// transactions that the reader may see.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn day_totals(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
        seen: &ReportFilter,
    ) -> Result<Vec<DayTotal>, StoreError> {
        let mut totals = self.reports.day_totals(scope, days).await?;
        totals.retain(|total| seen.has_type(total.transaction_type));
        Ok(totals)
    }

    /// What operators charged for the charges of these days, by day.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn charge_fees(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<DayFees>, StoreError> {
        let mut fees = self.reports.day_fees(scope, days).await?;
        fees.retain(|one| one.transaction_type == TransactionType::Charge);
        Ok(fees)
    }

    /// Why charges of these days failed, the most frequent reason first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn charge_failures(
        &self,
        scope: &Scope,
        days: RangeInclusive<Date>,
    ) -> Result<Vec<FailureCount>, StoreError> {
        self.reports.charge_failures(scope, days).await
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
    page: &ReportPageRequest,
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
    has_more_than(reports, scope, filter, MAX_COUNT).await
}

/// Whether the search of a filter leaves out transactions of its period, because it looks for parts
/// of texts among the newest.
///
/// # Errors
/// Those of the store.
async fn leaves_out_parts(
    reports: &dyn ports::Reports,
    scope: &Scope,
    filter: &ReportFilter,
) -> Result<bool, StoreError> {
    if !filter.search.as_ref().is_some_and(Search::finds_newest_parts) {
        return Ok(false);
    }
    has_more_than(reports, scope, filter, MAX_PART_ROWS).await
}

/// Whether the period of a filter has more transactions than this.
async fn has_more_than(
    reports: &dyn ports::Reports,
    scope: &Scope,
    filter: &ReportFilter,
    limit: u32,
) -> Result<bool, StoreError> {
    let period = ReportFilter { from: filter.from, to: filter.to, ..ReportFilter::default() };
    Ok(reports.report_totals(scope, &period).await?.payments() > u64::from(limit))
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
        let page = ReportPageRequest { limit: EXPORT_ROWS, position };
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

/// What a person with this role may see of the transactions of an account, as a filter.
#[must_use]
pub fn seen_by(role: Role) -> ReportFilter {
    let all = ReportFilter::default();
    if role.may(Permission::ReadPayouts) { all } else { all.without_payouts() }
}

/// The transactions of a scope that are pending or that somebody must look at, each sum with the
/// filter that lists them. A pending transaction is in one of the sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttentionTotals {
    /// Pending transactions that need no person.
    pub in_progress: FilterTotals,
    /// Pending transactions of which it is unknown whether the operator has the order, and those
    /// that have been pending for long, unless a review must decide.
    pub uncertain: FilterTotals,
    /// Transactions that a review must decide: pending ones, and final ones with a conflict or an
    /// open dispute.
    pub flagged: FilterTotals,
    /// How many approvals wait: one for each payout or refund, and one for each batch.
    pub approvals: u64,
}

/// Sums up the transactions of each of these lists, of the types of `seen`.
///
/// # Errors
/// Those of the store.
pub async fn attention_totals(
    reports: &dyn ports::Reports,
    batches: &dyn PayoutBatches,
    scope: &Scope,
    seen: &ReportFilter,
) -> Result<AttentionTotals, StoreError> {
    let count =
        async |attention| reports.report_totals(scope, &of_attention(attention, seen)).await;
    Ok(AttentionTotals {
        in_progress: count(Attention::InProgress).await?,
        uncertain: count(Attention::Uncertain).await?,
        flagged: count(Attention::Flagged).await?,
        approvals: count_approvals(reports, batches, scope, seen).await?,
    })
}

/// How many approvals wait, of the types of `seen`: one for each payout or refund, and one for each
/// batch.
///
/// # Errors
/// Those of the store.
async fn count_approvals(
    reports: &dyn ports::Reports,
    batches: &dyn PayoutBatches,
    scope: &Scope,
    seen: &ReportFilter,
) -> Result<u64, StoreError> {
    let filter = of_attention(Attention::Unapproved, seen);
    let unapproved = reports.report_totals(scope, &filter).await?.payments();
    let waiting = if seen.has_type(TransactionType::Payout) {
        batches.unapproved_batches(Some(scope)).await?
    } else {
        Vec::new()
    };
    let lines: u64 = waiting.iter().map(|batch| u64::from(batch.pending)).sum();
    Ok(unapproved.saturating_sub(lines) + waiting.len() as u64)
}

fn of_attention(attention: Attention, seen: &ReportFilter) -> ReportFilter {
    ReportFilter {
        attention: Some(attention),
        types: seen.types.clone(),
        ..ReportFilter::default()
    }
}
