//! The plot of a period: a column for each day, money in above the line and money out below it, and
//! behind it the money in of the period before.
//!
//! The template draws it: the columns are items of a list, each with a picture in SVG and its values
//! as a text, which is shown on focus and on touch. A crate for plots, such as `plotters`, writes one
//! picture with fixed colours and sizes: its text shrinks with the screen, has no dark variant, and
//! is neither focused nor read out; `charming` needs script.

use super::{
    formats::{month_key, weekday_key},
    period::{Days, ShownPeriod},
    views,
};
use jiff::civil::Date;
use minijinja::{Value, context};
use tua_contract::Status;
use tua_domain::{Kind, reporting::DayTotal};

/// The height of the drawing, in its own units. Browsers scale it.
const HEIGHT: i64 = 1_000;

/// How many lines the grid has at most above or below the line of zero.
const LINES: i64 = 4;

/// At most so many days have a label each.
const LABELLED_DAYS: usize = 10;

/// The figures of one day: sums in pesewas, and numbers of transactions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlottedDay {
    day: Date,
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
            incoming => views::cedis(self.incoming),
            outgoing => views::cedis(self.outgoing),
            succeeded => self.succeeded,
            failed => self.failed,
        }
    }
}

/// Every day of a period, also those without payments.
pub(super) fn days(totals: &[DayTotal], days: Days) -> Vec<PlottedDay> {
    days.iter().map(|day| of_day(totals, day)).collect()
}

fn of_day(totals: &[DayTotal], day: Date) -> PlottedDay {
    let mut moved = PlottedDay { day, incoming: 0, outgoing: 0, succeeded: 0, failed: 0 };
    for total in totals.iter().filter(|total| total.day == day) {
        match (total.status, total.kind) {
            (Status::Successful, kind) => {
                moved.succeeded += total.payments;
                let sum =
                    if kind == Kind::Charge { &mut moved.incoming } else { &mut moved.outgoing };
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

    /// The sums at the lines in whole cedis, from the top.
    fn ticks(self) -> Vec<String> {
        let sums = (-self.below..=self.above).rev().map(|line| line.abs() * self.step);
        sums.map(|sum| views::cedis(sum).trim_end_matches(".00").to_owned()).collect()
    }
}

/// The columns with their values, the labels and the grid.
pub(super) fn draw(totals: &[DayTotal], period: &ShownPeriod, today: Date) -> Value {
    let days = days(totals, period.plotted);
    let before: Vec<i64> = days
        .iter()
        .map(|one| period.day_before(one.day).map_or(0, |day| of_day(totals, day).incoming))
        .collect();
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
            weekday => weekday_key(one.day),
            month => month_key(one.day),
            number => one.day.day(),
            incoming => views::cedis(one.incoming),
            outgoing => (one.outgoing > 0).then(|| views::cedis(one.outgoing)),
            before => views::cedis(*before),
            is_labelled => is_labelled(one.day, index, days.len()),
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
        ticks => scale.ticks(),
        lines => (0..=total).map(|line| line * HEIGHT / total).collect::<Vec<_>>(),
        zero,
        has_weekdays => days.len() <= LABELLED_DAYS,
        columns => columns.collect::<Vec<_>>(),
    }
}

/// Whether a day has a label: of few days each, of a month the first and every fifth, of more the
/// Mondays.
fn is_labelled(day: Date, index: usize, count: usize) -> bool {
    if count <= LABELLED_DAYS {
        true
    } else if count <= 31 {
        (day.day() == 1 || day.day() % 5 == 0) && day.day() != 30
    } else {
        index % (count / 6) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use tua_contract::Network;

    #[test]
    fn every_day_of_the_period_has_a_row_and_sums_are_kept() {
        let total = |day, kind, status, pesewas| DayTotal {
            day: date(2026, 2, day),
            kind,
            network: Network::Mtn,
            status,
            payments: 1,
            pesewas,
        };
        let totals = [
            total(27, Kind::Charge, Status::Successful, 100),
            total(27, Kind::Charge, Status::Failed, 900),
            total(28, Kind::Payout, Status::Successful, 50),
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
        assert_eq!(Scale::of(123_450, 20_000).ticks(), ["1,500", "1,000", "500", "0", "500"]);
    }
}
