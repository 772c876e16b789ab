//! Reads the books of a month from the sums of its days
//! (docs/reference/dashboard.md#monthly-report).
//!
//! A payment writes no sum. Each reading first sums up and stores the days that have ended since
//! the last one; the days after these are summed up from their entries at each reading.

use jiff::{Timestamp, civil::Date};
use std::{collections::BTreeMap, sync::Arc};
use tua_domain::{
    Scope,
    books::{
        agreement::{AgreementSources, OperatorAgreement},
        month::{Month, MonthPeriod},
        report::{MonthlyReport, ReportSources},
        sums::{LedgerDaySum, OpeningBalance, PostedDay},
    },
    calendar::day_of,
    ledger::Postings,
    ports::{Books, Clock, ClosedDays, Reports, StoreError},
    routing::{OperatorFingerprint, PinnedOperator},
    statement::closing::ClosedDay,
    steady_time::SteadyTime,
};

/// A reading stops after the day with which it has summed up this many entries. SQLite reads
/// 300,000 of them in a second.
const MAX_SUMMED_ENTRIES: u64 = 500_000;

/// Reads the books of a month.
#[derive(Clone, Debug)]
pub struct MonthlyReports {
    /// Has the ledger, the sums of its days, and the days that statements cover.
    books: Arc<dyn Books>,
    /// Has the days that are closed.
    closed_days: Arc<dyn ClosedDays>,
    /// Sums up the transactions that began on each day.
    reports: Arc<dyn Reports>,
    /// Decides which month is running.
    clock: Arc<dyn Clock>,
    /// Decides which days have ended: sums that were kept too early would lack entries for good.
    steady_time: Arc<SteadyTime>,
    max_summed_entries: u64,
}

/// What a reading found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MonthlyReading {
    /// The report of the month.
    Report(Box<MonthlyReport>),
    /// The month has not begun.
    NotBegun,
    /// The ledger has more days that were never summed up than one reading does. The next reading
    /// goes on after this day.
    Preparing {
        /// The last day that is summed up.
        until: Date,
    },
}

impl MonthlyReports {
    /// Reads from these ports, by this clock.
    #[must_use]
    pub fn new(
        books: Arc<dyn Books>,
        closed_days: Arc<dyn ClosedDays>,
        reports: Arc<dyn Reports>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let steady_time = Arc::new(SteadyTime::new(clock.clone()));
        let max_summed_entries = MAX_SUMMED_ENTRIES;
        Self { books, closed_days, reports, clock, steady_time, max_summed_entries }
    }

    /// As this, with another number of entries after which one reading stops summing up days.
    #[must_use]
    pub fn stopping_after(self, entries: u64) -> Self {
        Self { max_summed_entries: entries, ..self }
    }

    /// The month that is running.
    #[must_use]
    pub fn current(&self) -> Month {
        Month::of(day_of(self.clock.now()))
    }

    /// The report of a month. `settings` are the operators of the settings, for their names.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn read(
        &self,
        scope: &Scope,
        month: Month,
        settings: &[PinnedOperator],
    ) -> Result<MonthlyReading, StoreError> {
        let now = self.clock.now();
        let Some(period) = month.period(day_of(now)) else { return Ok(MonthlyReading::NotBegun) };
        let last_ended = last_summable_day(self.steady_time.now());
        let sources = loop {
            let summed = self.sum_ended_days(last_ended).await?;
            if let Some(until) = summed
                && self.next_day(summed, last_ended).await?.is_some()
            {
                return Ok(MonthlyReading::Preparing { until });
            }
            let sources = self.sources(scope, &period, summed).await?;
            // Otherwise the kept sums were deleted meanwhile.
            if self.books.last_summed_day().await? >= summed {
                break sources;
            }
        };
        let begun = self.reports.day_totals(scope, period.days.clone()).await?;
        let report = MonthlyReport::new(
            period,
            &ReportSources {
                opening: &sources.opening,
                sums: &sources.sums,
                begun: &begun,
                settings,
            },
        );
        Ok(MonthlyReading::Report(Box::new(report)))
    }

    /// Which days of a month were compared with the statements of these operators. Of the running
    /// month, the days before today.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn agreements(
        &self,
        period: &MonthPeriod,
        operators: Vec<PinnedOperator>,
    ) -> Result<Vec<OperatorAgreement>, StoreError> {
        let today = day_of(self.clock.now());
        let yesterday = today.yesterday().unwrap_or(today);
        let ended = *period.days.start()..=yesterday.min(*period.days.end());
        let days = Some((*ended.start(), *ended.end()));
        let closed_days = self.closed_days.closed_days(None, days, u32::MAX).await?;
        let summed = self.books.last_summed_day().await?;
        let unsummed = first_unsummed(summed);
        // The days that end the period are summed up only if one of them was closed.
        let mut recent = Vec::new();
        if closed_days.iter().any(|closed| closed.day >= unsummed) {
            recent = self.books.sum_ledger_days(unsummed..=*ended.end()).await?;
        }
        let mut agreements = Vec::new();
        for operator in operators {
            let fingerprint = &operator.fingerprint;
            let is_of_operator = |one: &&ClosedDay| one.operator.fingerprint == *fingerprint;
            let closed: Vec<_> = closed_days.iter().filter(is_of_operator).cloned().collect();
            let mut posted = self.books.kept_posted_days(fingerprint, ended.clone()).await?;
            posted.retain(|posted| posted.day < unsummed);
            posted.extend(posted_days(&recent, fingerprint));
            let covered = self.books.covered_days(fingerprint, ended.clone()).await?;
            let sources = AgreementSources { closed: &closed, posted: &posted, covered: &covered };
            agreements.push(OperatorAgreement::new(operator, ended.clone(), &sources));
        }
        Ok(agreements)
    }

    /// Sums up the days that have ended and are not summed up yet, and keeps their sums. Returns
    /// the last day that is summed up. It stops early after `max_summed_entries`.
    async fn sum_ended_days(&self, last_ended: Date) -> Result<Option<Date>, StoreError> {
        let mut summed = self.books.last_summed_day().await?;
        let mut entries = 0;
        while entries < self.max_summed_entries
            && let Some(day) = self.next_day(summed, last_ended).await?
        {
            let sums = self.books.sum_ledger_days(day..=day).await?;
            entries += sums.iter().map(|sum| sum.entries).sum::<u64>();
            let is_kept = self.books.keep_day_sums(summed, sums).await?;
            // Otherwise another reading kept the day, or the kept sums were deleted.
            summed = if is_kept { Some(day) } else { self.books.last_summed_day().await? };
        }
        Ok(summed)
    }

    /// The next ended day with entries that is not summed up.
    async fn next_day(
        &self,
        summed: Option<Date>,
        last_ended: Date,
    ) -> Result<Option<Date>, StoreError> {
        let next = self.books.next_ledger_day(summed).await?;
        Ok(next.filter(|day| *day <= last_ended))
    }

    /// The balances before a period, and the sums of its days and of those before it with which
    /// they are compared. `summed` is the last day whose sums are kept.
    async fn sources(
        &self,
        scope: &Scope,
        period: &MonthPeriod,
        summed: Option<Date>,
    ) -> Result<Sources, StoreError> {
        let first = *period.days.start();
        let last = *period.days.end();
        let unsummed = first_unsummed(summed);
        let mut opening = self.books.kept_balances_before(scope, first.min(unsummed)).await?;
        let mut sums = self.books.kept_day_sums(scope, *period.before.start()..=last).await?;
        // Another reading may have kept these days after `summed` was read.
        sums.retain(|sum| sum.day < unsummed);
        if unsummed <= last {
            let mut read = self.books.sum_ledger_days(unsummed..=last).await?;
            read.retain(|sum| sum.scope == *scope);
            let before = read.iter().filter(|sum| sum.day < first);
            opening.extend(before.map(|sum| OpeningBalance {
                operator: sum.operator.clone(),
                postings: sum.postings,
            }));
            sums.extend(read);
        }
        Ok(Sources { opening, sums })
    }
}

/// What the ledger has of a period.
struct Sources {
    opening: Vec<OpeningBalance>,
    sums: Vec<LedgerDaySum>,
}

/// The first day whose sums are not kept. No entry is older than 1970.
fn first_unsummed(summed: Option<Date>) -> Date {
    const EPOCH: Date = jiff::civil::date(1970, 1, 1);
    summed.and_then(|day| day.tomorrow().ok()).unwrap_or(EPOCH)
}

/// The last day that ended at least 24 hours ago. The kept sums are for good, and the clock of this
/// node, or of another one that still writes entries of the day, may be wrong by hours.
fn last_summable_day(now: Timestamp) -> Date {
    day_of(now).saturating_sub(jiff::Span::new().days(2))
}

/// What was posted to an operator on each of these days.
fn posted_days(sums: &[LedgerDaySum], operator: &OperatorFingerprint) -> Vec<PostedDay> {
    let is_of_operator =
        |sum: &&LedgerDaySum| sum.operator.as_ref().is_some_and(|pin| pin.fingerprint == *operator);
    let mut days: BTreeMap<Date, (u64, Postings)> = BTreeMap::new();
    for sum in sums.iter().filter(is_of_operator) {
        let (entries, postings) = days.entry(sum.day).or_default();
        *entries += sum.entries;
        *postings = postings.plus(sum.postings);
    }
    days.into_iter()
        .map(|(day, (entries, postings))| PostedDay { day, entries, postings })
        .collect()
}
