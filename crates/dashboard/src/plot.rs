//! The plot of a period: a column for each day, or for each month of a long period, money in above
//! the line and money out below it, and behind it the money in of the period before.
//!
//! The template draws it: the columns are items of a list, each with a picture in SVG and its
//! values as a text, which is shown on focus and on touch. A crate for plots, such as `plotters`,
//! writes one picture with fixed colours and sizes: its text shrinks with the screen, has no dark
//! variant, and is neither focused nor read out; `charming` needs script.

use super::{
    formats::{short_month_key, weekday_key},
    period::{Days, ShownPeriod},
    views,
};
use jiff::civil::Date;
use minijinja::{Value, context};
use tua_contract::Status;
use tua_domain::{refund::TransactionType, reporting::DayTotal};

/// The height of the drawing, in its own units. Browsers scale it.
const HEIGHT: i64 = 1_000;

/// How many lines the grid has at most above or below the line of zero.
const LINES: i64 = 4;

/// The most columns for single days. A longer period has columns for months.
const MAX_DAYS: i32 = 92;

/// At most so many days have a label each.
const LABELLED_DAYS: usize = 10;

/// At most so many months have a label each; of more, the first of each year.
const LABELLED_MONTHS: usize = 13;

/// The figures of one day or month: sums in pesewas, and numbers of transactions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlottedDay {
    day: Date,
    /// The last day, that of a month or the same.
    last: Date,
    incoming: i64,
    outgoing: i64,
    succeeded: u64,
    failed: u64,
}

impl PlottedDay {
    /// The row of the table.
    pub(super) fn row(&self) -> Value {
        context! {
            day => self.day.to_string(),
            last => self.last.to_string(),
            incoming => views::cedis(self.incoming),
            outgoing => views::cedis(self.outgoing),
            succeeded => self.succeeded,
            failed => self.failed,
        }
    }
}

/// Every day of a period, also those without payments; or every month of a long one.
pub(super) fn days(totals: &[DayTotal], days: Days) -> Vec<PlottedDay> {
    let is_by_month = is_by_month(days);
    let mut all = Vec::new();
    let mut next = Some(days.from);
    while let Some(from) = next.filter(|day| *day <= days.to) {
        let to = if is_by_month { from.last_of_month().min(days.to) } else { from };
        all.push(of_days(totals, Days { from, to }));
        next = to.tomorrow().ok();
    }
    all
}

fn is_by_month(days: Days) -> bool {
    days.length() > MAX_DAYS
}

fn of_days(totals: &[DayTotal], days: Days) -> PlottedDay {
    let Days { from: day, to: last } = days;
    let mut moved = PlottedDay { day, last, incoming: 0, outgoing: 0, succeeded: 0, failed: 0 };
    for total in totals.iter().filter(|total| days.contains(total.day)) {
        match (total.status, total.transaction_type) {
            (Status::Successful, of) => {
                moved.succeeded += total.payments;
                let sum = if of == TransactionType::Charge {
                    &mut moved.incoming
                } else {
                    &mut moved.outgoing
                };
                *sum += total.pesewas;
            }
            (Status::Failed | Status::Pending, _) => moved.failed += total.payments,
        }
    }
    moved
}

/// The scale of the plot: the distance of two lines, and how many are above and below zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scale {
    step: i64,
    above: i64,
    below: i64,
}

impl Scale {
    /// A scale whose lines are at 1, 2 or 5 times a power of ten cedis.
    fn of(highest: i64, lowest: i64) -> Self {
        let wanted = ((highest.max(lowest) + LINES - 1) / LINES).max(100);
        let mut power = 100;
        while power * 10 <= wanted {
            power *= 10;
        }
        let step = [1, 2, 5, 10].map(|one| one * power).into_iter().find(|step| *step >= wanted);
        let step = step.unwrap_or(power * 10);
        let lines = |sum: i64| sum.max(0).div_euclid(step) + i64::from(sum.max(0) % step > 0);
        Self { step, above: lines(highest).max(1), below: lines(lowest) }
    }

    /// The height of a sum in units of the drawing. A sum that is not zero is visible.
    fn height(self, pesewas: i64) -> i64 {
        let height = pesewas.saturating_mul(HEIGHT) / ((self.above + self.below) * self.step);
        if pesewas > 0 { height.max(6) } else { 0 }
    }

    /// The line of zero, from the top.
    const fn zero(self) -> i64 {
        self.above * HEIGHT / (self.above + self.below)
    }

    /// The sums at the lines in pesewas, from the top. They are whole cedis.
    fn ticks(self) -> Vec<i64> {
        (-self.below..=self.above).rev().map(|line| line.abs() * self.step).collect()
    }
}

/// The columns with their values, the labels and the grid.
pub(super) fn draw(totals: &[DayTotal], period: &ShownPeriod, today: Date) -> Value {
    let is_by_month = is_by_month(period.plotted);
    let days = days(totals, period.plotted);
    let before: Vec<i64> = days.iter().map(|one| incoming_before(totals, period, one)).collect();
    let incoming = days.iter().map(|day| day.incoming).chain(before.iter().copied());
    let highest = incoming.max().unwrap_or_default();
    let lowest = days.iter().map(|day| day.outgoing).max().unwrap_or_default();
    let scale = Scale::of(highest, lowest);
    let zero = scale.zero();
    let columns = days.iter().zip(&before).enumerate().map(|(index, (one, before))| {
        let height = scale.height(one.incoming);
        let before_height = scale.height(*before);
        context! {
            day => one.day.to_string(),
            last => one.last.to_string(),
            label => if is_by_month {
                month_label(one.day, index, days.len())
            } else {
                day_label(one.day, index, days.len())
            },
            incoming => views::cedis(one.incoming),
            outgoing => (one.outgoing > 0).then(|| views::cedis(one.outgoing)),
            before => views::cedis(*before),
            is_to_come => one.day > today,
            is_chosen => period.days.contains(one.day),
            is_late => index * 2 >= days.len(),
            above => context! { y => zero - height, height },
            behind => context! { y => zero - before_height, height => before_height },
            below => context! { y => zero, height => scale.height(one.outgoing) },
        }
    });
    let total = scale.above + scale.below;
    context! {
        height => HEIGHT,
        is_empty => highest == 0 && lowest == 0,
        has_outgoing => lowest > 0,
        ticks => scale.ticks().into_iter().map(views::cedis).collect::<Vec<_>>(),
        lines => (0..=total).map(|line| line * HEIGHT / total).collect::<Vec<_>>(),
        zero,
        has_words => days.len() <= LABELLED_DAYS || is_by_month && days.len() <= LABELLED_MONTHS,
        columns => columns.collect::<Vec<_>>(),
    }
}

/// The money in of the days that stand behind a column.
fn incoming_before(totals: &[DayTotal], period: &ShownPeriod, column: &PlottedDay) -> i64 {
    let days = period.day_before(column.day).zip(period.day_before(column.last));
    days.map_or(0, |(from, to)| of_days(totals, Days { from, to }).incoming)
}

/// The label below a day: of few days the weekday and the number, of a month the first and every
/// fifth, of more about six.
fn day_label(day: Date, index: usize, count: usize) -> Option<Value> {
    let is_labelled = if count <= LABELLED_DAYS {
        true
    } else if count <= 31 {
        (day.day() == 1 || day.day() % 5 == 0) && day.day() != 30
    } else {
        index.is_multiple_of(count / 6)
    };
    let word = (count <= LABELLED_DAYS).then(|| weekday_key(day));
    is_labelled.then(|| context! { word, number => day.day() })
}

/// The label below a month: its name, or the year at the first month of a year.
fn month_label(day: Date, index: usize, count: usize) -> Option<Value> {
    if count <= LABELLED_MONTHS {
        return Some(context! { word => short_month_key(day), number => "" });
    }
    let is_labelled = day.month() == 1 && index + 3 < count;
    is_labelled.then(|| context! { word => (), number => day.year() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use tua_contract::Network;

    #[test]
    fn every_day_of_the_period_has_a_row_and_sums_are_kept() {
        let total = |day, transaction_type, status, pesewas| DayTotal {
            day: date(2026, 2, day),
            transaction_type,
            network: Network::Mtn,
            status,
            payments: 1,
            pesewas,
        };
        let totals = [
            total(27, TransactionType::Charge, Status::Successful, 100),
            total(27, TransactionType::Charge, Status::Failed, 900),
            total(28, TransactionType::Payout, Status::Successful, 50),
        ];
        let days = days(&totals, Days { from: date(2026, 2, 27), to: date(2026, 3, 1) });
        assert_eq!(days.len(), 3);
        assert_eq!((days[0].incoming, days[0].outgoing, days[0].failed), (100, 0, 1));
        assert_eq!((days[1].incoming, days[1].outgoing, days[1].succeeded), (0, 50, 1));
    }

    #[test]
    fn the_lines_are_at_round_sums_and_hold_the_highest_and_the_lowest() {
        for (highest, lowest, step, above, below) in [
            (0, 0, 100, 1, 0),
            (5, 0, 100, 1, 0),
            (123_450, 20_000, 50_000, 3, 1),
            (40_000, 0, 10_000, 4, 0),
            (40_001, 10_000, 20_000, 3, 1),
            (0, 9_999_900, 5_000_000, 1, 2),
        ] {
            let scale = Scale::of(highest, lowest);
            assert_eq!(scale, Scale { step, above, below }, "{highest} {lowest}");
            assert!(scale.zero() >= scale.height(highest));
            assert!(HEIGHT - scale.zero() >= scale.height(lowest));
        }
        let ticks = Scale::of(123_450, 20_000).ticks();
        assert_eq!(ticks, [150_000, 100_000, 50_000, 0, 50_000]);
    }

    #[test]
    fn a_long_period_is_shown_whole_by_month() {
        let total = DayTotal {
            day: date(2026, 11, 24),
            transaction_type: TransactionType::Charge,
            network: Network::Mtn,
            status: Status::Successful,
            payments: 1,
            pesewas: 100,
        };
        let days = days(&[total], Days { from: date(2026, 1, 10), to: date(2026, 11, 26) });
        assert_eq!(days.len(), 11);
        assert_eq!((days[0].day, days[0].last), (date(2026, 1, 10), date(2026, 1, 31)));
        assert_eq!((days[10].last, days[10].incoming), (date(2026, 11, 26), 100));
    }
}
