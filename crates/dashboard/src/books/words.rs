//! Months and days as people write them.

use crate::{formats::day_number, language::Language, texts};
use fluent_bundle::{FluentArgs, FluentValue};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use tua_domain::books::{
    agreement::runs,
    month::{MonthPeriod, MonthProgress},
};

/// The text with this key, with these arguments.
pub(super) fn text(language: Language, key: &str, values: &[(&'static str, &str)]) -> String {
    let arguments = values.iter().map(|(name, value)| (*name, FluentValue::from(*value)));
    found(language, key, &arguments.collect())
}

/// As [`text`], for a number that decides between singular and plural.
pub(super) fn counted(language: Language, key: &str, day: &str, count: u64) -> String {
    let mut arguments = FluentArgs::new();
    arguments.set("day", day.to_owned());
    arguments.set("count", count);
    found(language, key, &arguments)
}

fn found(language: Language, key: &str, arguments: &FluentArgs<'_>) -> String {
    texts::text(language, key, arguments).unwrap_or_else(|| {
        tracing::error!(key, "a text of the monthly report is missing");
        String::new()
    })
}

/// `November 2026`, or `November 2026 so far`.
pub(super) fn title(language: Language, period: &MonthPeriod) -> String {
    let first = period.month.first();
    let key = format!("month-of-year-{}", first.month());
    let month = text(language, &key, &[("year", &first.year().to_string())]);
    match period.progress {
        MonthProgress::Finished => month,
        MonthProgress::Running => text(language, "books-so-far", &[("month", &month)]),
    }
}

/// `26 November 2026`
pub(super) fn long_day(language: Language, day: Date) -> String {
    format!("{} {}", day_of_month(language, day), day.year())
}

/// `26 November`
pub(super) fn day_of_month(language: Language, day: Date) -> String {
    let key = format!("day-of-long-month-{}", day.month());
    text(language, &key, &[("day", &day_number(language, day))])
}

/// Days of one month, in their order, such as `1–5, 9 Nov`.
pub(super) fn days(language: Language, days: &[Date]) -> String {
    let Some(first) = days.first() else { return String::new() };
    let numbers: Vec<String> = runs(days)
        .iter()
        .map(|(from, to)| {
            if from == to {
                from.day().to_string()
            } else {
                format!("{}–{}", from.day(), to.day())
            }
        })
        .collect();
    let key = format!("day-of-month-{}", first.month());
    text(language, &key, &[("day", &numbers.join(", "))])
}

/// The days of the report, and those with which they are compared, as a sentence.
pub(super) fn period(language: Language, period: &MonthPeriod) -> String {
    let key = match period.progress {
        MonthProgress::Finished => "books-days-finished",
        MonthProgress::Running => "books-days-running",
    };
    let values = [
        ("from", &*day_of_month(language, *period.days.start())),
        ("to", &long_day(language, *period.days.end())),
        ("before_from", &day_of_month(language, *period.before.start())),
        ("before_to", &long_day(language, *period.before.end())),
    ];
    text(language, key, &values)
}

/// `26 November 2026, 14:02`
pub(super) fn moment(language: Language, at: Timestamp) -> String {
    let local = at.to_zoned(TimeZone::UTC);
    format!("{}, {}", long_day(language, local.date()), local.strftime("%H:%M"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use std::collections::BTreeSet;
    use tua_domain::books::month::Month;

    #[test]
    fn months_and_days_are_named_in_each_language() {
        use Language::{English, French};
        let november = Month::of(date(2026, 11, 1));
        let running = november.period(date(2026, 11, 30)).unwrap();
        assert_eq!(title(English, &running), "November 2026 so far");
        assert_eq!(title(French, &running), "novembre 2026, mois en cours");
        let finished = november.period(date(2026, 12, 1)).unwrap();
        assert_eq!(title(English, &finished), "November 2026");
        assert_eq!(
            period(English, &finished),
            "1 November to 30 November 2026, compared with the whole month before, 1 October to \
             31 October 2026."
        );
        assert_eq!(long_day(French, date(2026, 10, 1)), "1er octobre 2026");
        assert_eq!(long_day(French, date(2026, 10, 2)), "2 octobre 2026");
        let some = [1, 2, 3, 9].map(|day| date(2026, 11, day));
        assert_eq!(days(English, &some), "1–3, 9 Nov");
        assert_eq!(days(French, &some[3..]), "9 nov.");
        let at = "2026-11-26T14:02:59Z".parse().unwrap();
        assert_eq!(moment(English, at), "26 November 2026, 14:02");
    }

    #[test]
    fn every_month_has_its_name() {
        for language in [Language::English, Language::French] {
            let titles: BTreeSet<String> = (1..=12)
                .map(|month| {
                    let month = Month::of(date(2026, month, 1));
                    title(language, &month.period(date(2027, 2, 1)).unwrap())
                })
                .collect();
            assert_eq!(titles.len(), 12);
            assert!(titles.iter().all(|title| title.ends_with(" 2026")), "{titles:?}");
        }
    }
}
