//! The period with which that of the page Home is compared. While the last day of the period is not
//! over, the last day of the one before counts until the same time.

use super::{
    error::DashboardError,
    period::{Days, ShownPeriod},
    state::DashboardState,
    visitor::Visitor,
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use tua_contract::Status;
use tua_domain::{
    calendar::day_of,
    refund::TransactionType,
    reporting::{DayTotal, FilterTotals, ReportFilter},
};

/// The maximum number of transactions of a day that are summed up until a time of that day.
pub(super) const MAX_COUNTED: u64 = 20_000;

/// The figures of the days before.
pub(super) struct PeriodBefore {
    /// The days that count whole; none if the first is after the last.
    pub(super) whole: Days,
    /// The last day; `None` where it counts whole.
    part: Option<PartOfDay>,
}

/// A day until a time of it.
struct PartOfDay {
    until: Timestamp,
    totals: FilterTotals,
}

impl PeriodBefore {
    /// Reads the part of the last day. A day with more than [`MAX_COUNTED`] transactions counts
    /// whole.
    pub(super) async fn read(
        state: &DashboardState,
        visitor: &Visitor,
        period: &ShownPeriod,
        totals: &[DayTotal],
    ) -> Result<Self, DashboardError> {
        let ShownPeriod { days, before, .. } = *period;
        let now = visitor.person.now;
        let last = before.to;
        let of_last = totals.iter().filter(|one| one.day == last);
        let is_counted = of_last.map(|one| one.payments).sum::<u64>() <= MAX_COUNTED;
        // At the end of a month, the last days may have no day that they are compared with.
        let is_running = days.to == day_of(now) && period.day_before(days.to) == Some(last);
        let until = at_same_time(last, now).filter(|_| is_counted && is_running);
        let Some(until) = until else {
            return Ok(Self { whole: before, part: None });
        };
        let filter = ReportFilter {
            from: Some(last),
            to: Some(last),
            until: Some(until),
            ..ReportFilter::default()
        };
        let totals = state.reports.totals(&visitor.scope, &visitor.seen(filter)).await?;
        let whole = Days { from: before.from, to: last.yesterday().unwrap_or(last) };
        Ok(Self { whole, part: Some(PartOfDay { until, totals }) })
    }

    /// The time until which the last day counts, such as `00:19`; `None` where it counts whole.
    pub(super) fn until(&self) -> Option<String> {
        let part = self.part.as_ref()?;
        Some(part.until.to_zoned(TimeZone::UTC).strftime("%H:%M").to_string())
    }

    /// What the successful transactions of a type moved on the last day until the time, in pesewas;
    /// 0 where it counts whole.
    pub(super) fn part_pesewas(&self, of: TransactionType) -> i64 {
        self.part.as_ref().map_or(0, |part| part.totals.moved_pesewas(of))
    }

    /// How many transactions of a type and status the last day had until the time; none where it
    /// counts whole.
    pub(super) fn part_count(&self, of: TransactionType, status: Status) -> u64 {
        self.part.as_ref().map_or(0, |part| part.totals.count_of(of, status))
    }
}

/// The same time of another day.
fn at_same_time(day: Date, now: Timestamp) -> Option<Timestamp> {
    let time = now.to_zoned(TimeZone::UTC).time();
    day.to_datetime(time).to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp())
}
