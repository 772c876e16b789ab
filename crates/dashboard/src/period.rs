//! The period of the page Home, and the one before it.

use super::fields::typed_day;
use jiff::{Span, civil::Date};
use serde::Deserialize;
use tua_contract::plain_text::visible;

/// The longest period that a person can choose, in days: ten years.
const MAX_DAYS: i32 = 3_660;

/// The periods that have a link, by the value of `range`.
pub(super) const RANGES: [&str; 5] = ["today", "yesterday", "week", "month", "last-month"];

/// The query of `GET /home`: the period of its figures.
#[derive(Debug, Deserialize)]
pub(super) struct PeriodQuery {
    #[serde(default)]
    range: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
}

/// Days in UTC, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Days {
    pub(super) from: Date,
    pub(super) to: Date,
}

/// The days whose figures are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ShownPeriod {
    /// One of [`RANGES`], or `own` for days that the person has chosen.
    pub(super) range: &'static str,
    /// The key of a text that says why these are not the days that were asked for; empty where they
    /// are.
    pub(super) note: &'static str,
    /// The days of the period, without those that have not begun.
    pub(super) days: Days,
    /// As many days before it, with which the figures are compared.
    pub(super) before: Days,
    /// The days of the plot: a whole week or month, also what is to come of it.
    pub(super) plotted: Days,
    /// How the day before is found that stands behind each day of the plot.
    shift: Shift,
}

/// What lies between a day and the one that it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shift {
    Days(i32),
    /// The same day of the month before; none if that month is shorter.
    Month,
}

impl PeriodQuery {
    /// The period that the query names, this week if it names none. Where its days cannot be shown
    /// the period has a note.
    pub(super) fn shown(&self, today: Date) -> ShownPeriod {
        let from = visible(&self.from);
        let to = visible(&self.to);
        if from.is_empty() && to.is_empty() {
            return self.preset(today);
        }
        match typed_day(&from).zip(typed_day(&to)) {
            None => ShownPeriod { note: "range-unreadable", ..self.preset(today) },
            Some((from, to)) if from > to => {
                ShownPeriod { note: "range-wrong-order", ..self.preset(today) }
            }
            Some((from, to)) => own(from, to),
        }
    }

    fn preset(&self, today: Date) -> ShownPeriod {
        match self.range.as_str() {
            "today" => one_day("today", today),
            "yesterday" => one_day("yesterday", ago(today, 1)),
            "month" => {
                let from = today.first_of_month();
                let last = ago(from, 1);
                let same_day = ago(last.first_of_month(), 1 - i32::from(today.day()));
                month("month", Days { from, to: today }, same_day.min(last))
            }
            "last-month" => {
                let to = ago(today.first_of_month(), 1);
                let from = to.first_of_month();
                month("last-month", Days { from, to }, ago(from, 1))
            }
            _ => {
                let offset = i32::from(today.weekday().to_monday_zero_offset());
                let from = ago(today, offset);
                ShownPeriod {
                    range: "week",
                    note: "",
                    days: Days { from, to: today },
                    before: Days { from: ago(from, 7), to: ago(today, 7) },
                    plotted: Days { from, to: ago(from, -6) },
                    shift: Shift::Days(7),
                }
            }
        }
    }
}

impl ShownPeriod {
    /// The day that stands behind a day of the plot; `None` for the 31st after a shorter month.
    pub(super) fn day_before(&self, day: Date) -> Option<Date> {
        match self.shift {
            Shift::Days(days) => Some(ago(day, days)),
            Shift::Month => {
                let month = ago(day.first_of_month(), 1);
                (day.day() <= month.days_in_month())
                    .then(|| ago(month.first_of_month(), 1 - i32::from(day.day())))
            }
        }
    }

    /// The days from the oldest that is plotted or compared to the newest.
    pub(super) fn all(&self) -> Days {
        let oldest = self.day_before(self.plotted.from).unwrap_or(self.plotted.from);
        Days {
            from: oldest.min(self.before.from).min(self.days.from),
            to: self.plotted.to.max(self.days.to),
        }
    }
}

impl Days {
    pub(super) fn contains(&self, day: Date) -> bool {
        (self.from..=self.to).contains(&day)
    }

    /// How many days they are.
    pub(super) fn length(self) -> i32 {
        (self.to - self.from).get_days() + 1
    }
}

/// The days that a person has chosen, the newest if they are too many.
fn own(first: Date, to: Date) -> ShownPeriod {
    let earliest = to.checked_sub(Span::new().days(MAX_DAYS - 1)).unwrap_or(Date::MIN);
    let from = first.max(earliest);
    let days = Days { from, to };
    let length = days.length();
    ShownPeriod {
        range: "own",
        note: if first < from { "range-too-long" } else { "" },
        days,
        before: Days { from: ago(from, length), to: ago(to, length) },
        plotted: days,
        shift: Shift::Days(length),
    }
}

/// One day, compared with the same day of the week before. The plot has the week that ends with it.
fn one_day(range: &'static str, day: Date) -> ShownPeriod {
    let last_week = ago(day, 7);
    ShownPeriod {
        range,
        note: "",
        days: Days { from: day, to: day },
        before: Days { from: last_week, to: last_week },
        plotted: Days { from: ago(day, 6), to: day },
        shift: Shift::Days(7),
    }
}

/// The days of a month, compared with those of the month before until `before_to`.
fn month(range: &'static str, days: Days, before_to: Date) -> ShownPeriod {
    ShownPeriod {
        range,
        note: "",
        days,
        before: Days { from: before_to.first_of_month(), to: before_to },
        plotted: Days { from: days.from, to: days.from.last_of_month() },
        shift: Shift::Month,
    }
}

/// The day so many days earlier; the same day outside the calendar's range.
fn ago(day: Date, days: i32) -> Date {
    day.checked_sub(Span::new().days(days)).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn shown(range: &str, from: &str, to: &str, today: Date) -> ShownPeriod {
        let query = PeriodQuery { range: range.into(), from: from.into(), to: to.into() };
        query.shown(today)
    }

    fn days(from: Date, to: Date) -> Days {
        Days { from, to }
    }

    #[test]
    fn each_period_is_compared_with_as_many_days_before_it() {
        let thursday = date(2026, 11, 26);
        let week = shown("", "", "", thursday);
        assert_eq!(week.range, "week");
        assert_eq!(week.days, days(date(2026, 11, 23), thursday));
        assert_eq!(week.before, days(date(2026, 11, 16), date(2026, 11, 19)));
        assert_eq!(week.plotted.to, date(2026, 11, 29));

        let yesterday = shown("yesterday", "", "", thursday);
        assert_eq!(yesterday.days, days(date(2026, 11, 25), date(2026, 11, 25)));
        assert_eq!(yesterday.before.from, date(2026, 11, 18));

        let own = shown("", "2026-11-10", "2026-11-12", thursday);
        assert_eq!(own.before, days(date(2026, 11, 7), date(2026, 11, 9)));
        assert_eq!(own.note, "");
    }

    #[test]
    fn a_period_is_whole_or_has_a_note() {
        let thursday = date(2026, 11, 26);
        let reversed = shown("today", "2026-11-12", "2026-11-10", thursday);
        assert_eq!((reversed.range, reversed.note), ("today", "range-wrong-order"));
        for (from, to) in [("yesterday", "2026-11-01"), ("2026-11-01", "")] {
            let unread = shown("", from, to, thursday);
            assert_eq!((unread.range, unread.note), ("week", "range-unreadable"));
        }
        let decade = shown("", "2016-11-20", "2026-11-26", thursday);
        assert_eq!((decade.days.from, decade.note), (date(2016, 11, 20), ""));
        let long = shown("", "1990-01-01", "2026-11-26", thursday);
        assert_eq!((long.days.length(), long.note), (MAX_DAYS, "range-too-long"));
        assert_eq!(shown("", "-009999-01-01", "-009999-01-02", thursday).note, "");
    }

    #[test]
    fn a_month_is_compared_with_the_same_days_of_the_month_before() {
        let month = shown("month", "", "", date(2026, 3, 30));
        assert_eq!(month.before, days(date(2026, 2, 1), date(2026, 2, 28)));
        assert_eq!(month.day_before(date(2026, 3, 28)), Some(date(2026, 2, 28)));
        assert_eq!(month.day_before(date(2026, 3, 29)), None);
        assert_eq!(month.all(), days(date(2026, 2, 1), date(2026, 3, 31)));

        let end = shown("month", "", "", date(2026, 2, 28));
        assert_eq!(end.before, days(date(2026, 1, 1), date(2026, 1, 28)), "it is not over");

        let last = shown("last-month", "", "", date(2026, 3, 30));
        assert_eq!(last.days, days(date(2026, 2, 1), date(2026, 2, 28)));
        assert_eq!(last.before, days(date(2026, 1, 1), date(2026, 1, 31)));
    }
}
