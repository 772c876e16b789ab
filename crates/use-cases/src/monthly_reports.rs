//! Reads the books of a month from the sums of its days (docs/reference/dashboard.md#monthly-report).
//!
//! A payment writes no sum. Whoever reads a month first sums up the days that ended since the last
//! time, each once; the days after these are summed up from their entries at each reading.

use jiff::{Timestamp, civil::Date};
use std::sync::Arc;
use tua_domain::{
    Scope,
    books::{
        agreement::{AgreementSources, OperatorAgreement},
        month::{Month, MonthPeriod},
        report::{MonthlyReport, ReportSources},
        sums::{LedgerDaySum, OpeningBalance},
    },
    calendar::day_of,
    ports::{Clock, Store, StoreError},
    routing::PinnedOperator,
    statement::closing::CLOSABLE_AFTER,
    steady_time::SteadyTime,
};

/// How many entries one reading sums up, at least where there are as many. SQLite reads 300,000 of
/// them in a second.
const MAX_SUMMED_ENTRIES: u64 = 500_000;

/// Reads the books of a month.
#[derive(Clone, Debug)]
pub struct MonthlyReports {
    /// Has the ledger, the sums of its days, the statements and the closed days.
    store: Arc<dyn Store>,
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
    /// Reads from this store, by this clock.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        let steady_time = Arc::new(SteadyTime::new(clock.clone()));
        Self { store, clock, steady_time, max_summed_entries: MAX_SUMMED_ENTRIES }
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
        let summed = self.sum_ended_days(last_ended).await?;
        if let Some(until) = summed
            && self.next_day(summed, last_ended).await?.is_some()
        {
            return Ok(MonthlyReading::Preparing { until });
        }
        let sources = self.sources(scope, &period, summed).await?;
        let begun = self.store.day_totals(scope, period.days.clone()).await?;
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
        let mut agreements = Vec::new();
        for operator in operators {
            let fingerprint = &operator.fingerprint;
            let days = Some((*ended.start(), *ended.end()));
            let closed = self.store.closed_days(Some(fingerprint), days, u32::MAX).await?;
            let posted = self.store.kept_posted_days(fingerprint, ended.clone()).await?;
            let covered = self.store.covered_days(fingerprint, ended.clone()).await?;
            let sources = AgreementSources { closed: &closed, posted: &posted, covered: &covered };
            agreements.push(OperatorAgreement::new(operator, ended.clone(), &sources));
        }
        Ok(agreements)
    }

    /// Sums up the days that have ended and are not summed up yet, and keeps their sums. Returns
    /// the last day that is summed up. It stops early after `max_summed_entries`.
    async fn sum_ended_days(&self, last_ended: Date) -> Result<Option<Date>, StoreError> {
        let mut summed = self.store.last_summed_day().await?;
        let mut entries = 0;
        while entries < self.max_summed_entries
            && let Some(day) = self.next_day(summed, last_ended).await?
        {
            let sums = self.store.sum_ledger_days(day..=day, None).await?;
            entries += sums.iter().map(|sum| sum.entries).sum::<u64>();
            self.store.keep_day_sums(sums).await?;
            summed = Some(day);
        }
        Ok(summed)
    }

    /// The next ended day with entries that is not summed up.
    async fn next_day(
        &self,
        summed: Option<Date>,
        last_ended: Date,
    ) -> Result<Option<Date>, StoreError> {
        let next = self.store.next_ledger_day(summed).await?;
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
        let mut opening = self.store.kept_balances_before(scope, first).await?;
        let mut sums = self.store.kept_day_sums(scope, *period.before.start()..=last).await?;
        let unsummed = summed.and_then(|day| day.tomorrow().ok()).unwrap_or(Date::MIN);
        if unsummed <= last {
            let read = self.store.sum_ledger_days(unsummed.max(EPOCH)..=last, Some(scope)).await?;
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

/// No entry is older.
const EPOCH: Date = jiff::civil::date(1970, 1, 1);

/// The last day that ended an hour ago: writes that began on it are committed or gone.
fn last_summable_day(now: Timestamp) -> Date {
    let settled = day_of(now.checked_sub(CLOSABLE_AFTER).unwrap_or(now));
    settled.yesterday().unwrap_or(settled)
}
