//! Money, phone numbers and times as people write them: filters and a function of the templates.

use super::{language::Language, money::Cedis, texts};
use fluent_bundle::FluentArgs;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use minijinja::{Environment, Error, ErrorKind, State, Value};
use tua_domain::{
    KeyId,
    audit::email_of_actor,
    calendar::day_of,
    routing::{SANDBOX, written_operator_name},
};

/// Adds the filters `money`, `whole`, `phone`, `operator`, `actor`, `time` and `day`, and the
/// functions `date` and `when`.
pub(super) fn add(environment: &mut Environment<'static>, language: Language) {
    environment
        .add_filter("money", move |sum: &Value| Ok::<_, Error>(cedis(sum)?.signed(language)));
    environment.add_filter("whole", move |sum: &Value| Ok::<_, Error>(cedis(sum)?.whole(language)));
    environment.add_filter("phone", phone);
    environment.add_filter("operator", move |name: &str| operator(language, name));
    environment.add_filter("actor", move |actor: &str| actor_text(language, actor));
    environment.add_filter("time", move |at: &str| whole_time(language, parse(at)?));
    environment.add_filter("day", move |state: &State<'_, '_>, day: &str| {
        short_day(language, day, day_of(now(state)?))
    });
    environment.add_function("date", move |state: &State<'_, '_>, day: &str| {
        date(language, day, day_of(now(state)?))
    });
    environment
        .add_function("when", move |state: &State<'_, '_>, at: &str| when(language, state, at));
}

/// The sum of `sum|money` and `sum|whole`.
fn cedis(sum: &Value) -> Result<&Cedis, Error> {
    sum.downcast_object_ref::<Cedis>().ok_or_else(|| wrong("this is not a sum of money"))
}

/// `number|phone`: a number of ten digits in the groups that people in Ghana write.
pub(super) fn phone(number: &str) -> String {
    if number.len() == 10 && number.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("{} {} {}", &number[..3], &number[3..6], &number[6..])
    } else {
        number.to_owned()
    }
}

/// `name|operator`: the name of an operator as people write it, from that in the settings.
pub(super) fn operator(language: Language, name: &str) -> String {
    if name == SANDBOX {
        let test_operator = texts::text(language, "operator-sandbox", &FluentArgs::new());
        return test_operator.unwrap_or_default();
    }
    written_operator_name(name).to_owned()
}

/// The actor of what the running service does by itself.
const SERVICE: &str = "tua serve";

/// `actor|actor`: who an actor of the audit log is. People of the dashboard are their addresses,
/// without their IP addresses; a key is its id. A command has the system user, perhaps behind the
/// name that `--as` gave.
fn actor_text(language: Language, actor: &str) -> String {
    if let Some(email) = email_of_actor(actor) {
        return email.to_owned();
    }
    let mut arguments = FluentArgs::new();
    let named = actor.strip_suffix(')').and_then(|actor| actor.rsplit_once(" ("));
    let key = match named {
        _ if actor == SERVICE => "actor-service",
        Some((name, user)) => {
            arguments.set("name", name);
            arguments.set("user", user);
            "actor-command-line-named"
        }
        None if actor.is_empty() || actor.contains('@') || actor.starts_with(KeyId::PREFIX) => {
            return actor.to_owned();
        }
        None => {
            arguments.set("user", actor);
            "actor-command-line"
        }
    };
    texts::text(language, key, &arguments).unwrap_or_else(|| actor.to_owned())
}

/// `when(at)`: a time as people say it, as an element that has the whole time too. The page's value
/// `now` decides what is today.
fn when(language: Language, state: &State<'_, '_>, at: &str) -> Result<Value, Error> {
    let at = parse(at)?;
    let words = said(language, at, now(state)?)?;
    let whole = whole_time(language, at)?;
    // Neither the texts nor the numbers in them have characters of markup.
    let element = format!(r#"<time datetime="{at}" title="{whole}">{words}</time>"#);
    Ok(Value::from_safe_string(element))
}

/// The time of the request, which decides what is today on the page.
fn now(state: &State<'_, '_>) -> Result<Timestamp, Error> {
    parse(&state.lookup("now").map(|now| now.to_string()).unwrap_or_default())
}

/// `today 14:02`, `25 Nov, 09:25`, or the whole time in another year.
fn said(language: Language, at: Timestamp, now: Timestamp) -> Result<String, Error> {
    let local = at.to_zoned(TimeZone::UTC);
    let today = now.to_zoned(TimeZone::UTC).date();
    let time = local.strftime("%H:%M").to_string();
    let day = local.date();
    if day == today {
        return text(language, "when-today", &[("time", &time)]);
    }
    if Some(day) == today.yesterday().ok() {
        return text(language, "when-yesterday", &[("time", &time)]);
    }
    if day.year() != today.year() {
        return whole_time(language, at);
    }
    let date = text(language, &month_key(day), &[("day", &day_number(language, day))])?;
    text(language, "when-this-year", &[("date", &date), ("time", &time)])
}

/// `at|time`: a time in RFC 3339, with its year. Ghana's zone is UTC+0 all year.
pub(super) fn whole_time(language: Language, at: Timestamp) -> Result<String, Error> {
    let local = at.to_zoned(TimeZone::UTC);
    let day = local.date();
    let date = text(language, &month_key(day), &[("day", &day_number(language, day))])?;
    let time = local.strftime("%H:%M").to_string();
    let year = day.year().to_string();
    text(language, "when-any-year", &[("date", &date), ("year", &year), ("time", &time)])
}

/// `day|day`: a day such as `2026-11-25` as `Wed 25 Nov`, or `25 Nov 2025` in another year.
fn short_day(language: Language, day: &str, today: Date) -> Result<String, Error> {
    let day = parse_day(day)?;
    if day.year() != today.year() {
        return whole_day(language, day);
    }
    let date = text(language, &month_key(day), &[("day", &day_number(language, day))])?;
    let weekday = text(language, &weekday_key(day), &[])?;
    Ok(format!("{weekday} {date}"))
}

/// `date(day)`: a day such as `2026-11-25` as people say it, as an element that has its year too.
fn date(language: Language, day: &str, today: Date) -> Result<Value, Error> {
    let words = short_day(language, day, today)?;
    let day = parse_day(day)?;
    let whole = whole_day(language, day)?;
    let element = format!(r#"<time datetime="{day}" title="{whole}">{words}</time>"#);
    Ok(Value::from_safe_string(element))
}

/// `25 Nov 2026`
pub(super) fn whole_day(language: Language, day: Date) -> Result<String, Error> {
    let date = text(language, &month_key(day), &[("day", &day_number(language, day))])?;
    Ok(format!("{date} {}", day.year()))
}

/// A text such as `2026-11-25` as [`whole_day`] writes it; another text as it is.
pub(super) fn written_day(language: Language, day: &str) -> String {
    let written = parse_day(day).and_then(|day| whole_day(language, day));
    written.unwrap_or_else(|_| day.to_owned())
}

fn parse_day(day: &str) -> Result<Date, Error> {
    day.parse().map_err(|_| wrong("this is not a day"))
}

/// The number of a day in its month. French writes the first one `1er`.
pub(super) fn day_number(language: Language, day: Date) -> String {
    match (language, day.day()) {
        (Language::French, 1) => "1er".to_owned(),
        (_, number) => number.to_string(),
    }
}

/// The key of the text with a day and the short name of its month.
fn month_key(day: Date) -> String {
    format!("day-of-month-{}", day.month())
}

/// The key of the short name of a month alone.
pub(super) fn short_month_key(day: Date) -> String {
    format!("month-short-{}", day.month())
}

/// The key of the short name of a weekday; Monday is 1.
pub(super) fn weekday_key(day: Date) -> String {
    format!("weekday-short-{}", day.weekday().to_monday_one_offset())
}

fn parse(at: &str) -> Result<Timestamp, Error> {
    at.parse().map_err(|_| wrong("this is not a time in RFC 3339"))
}

fn text(language: Language, key: &str, values: &[(&str, &str)]) -> Result<String, Error> {
    let mut arguments = FluentArgs::new();
    for (name, value) in values {
        arguments.set((*name).to_owned(), (*value).to_owned());
    }
    texts::text(language, key, &arguments).ok_or_else(|| wrong("a text of times is missing"))
}

fn wrong(detail: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_have_the_names_that_they_write_themselves() {
        for (name, english, french) in [
            ("sandbox", "Test operator", "Opérateur de test"),
            ("mtn", "MTN MoMo", "MTN MoMo"),
            ("pawapay", "pawaPay", "pawaPay"),
            ("kasoa-shop", "kasoa-shop", "kasoa-shop"),
        ] {
            assert_eq!(operator(Language::English, name), english);
            assert_eq!(operator(Language::French, name), french);
        }
    }

    #[test]
    fn who_used_the_command_line_is_told_from_people() {
        for (actor, english, french) in [
            ("ama@example.com (127.0.0.1)", "ama@example.com", "ama@example.com"),
            ("ama@example.com", "ama@example.com", "ama@example.com"),
            ("key_01", "key_01", "key_01"),
            ("", "", ""),
            ("root", "Command line (root)", "Ligne de commande (root)"),
            ("Kofi (root)", "Kofi, command line (root)", "Kofi, ligne de commande (root)"),
            (
                "ama@example.com (root)",
                "ama@example.com, command line (root)",
                "ama@example.com, ligne de commande (root)",
            ),
            ("tua serve", "The service itself", "Le service lui-même"),
        ] {
            assert_eq!(actor_text(Language::English, actor), english);
            assert_eq!(actor_text(Language::French, actor), french);
        }
    }

    #[test]
    fn times_are_said_from_the_day_of_the_reader() {
        let now: Timestamp = "2026-01-02T08:00:00Z".parse().unwrap();
        for (at, english, french) in [
            ("2026-01-02T00:05:00Z", "today 00:05", "aujourd’hui 00:05"),
            ("2026-01-01T23:59:59Z", "yesterday 23:59", "hier 23:59"),
            ("2025-12-31T09:25:00Z", "31 Dec 2025, 09:25", "31 déc. 2025, 09:25"),
            ("2026-01-12T09:25:00Z", "12 Jan, 09:25", "12 janv., 09:25"),
            ("2025-11-01T09:25:00Z", "1 Nov 2025, 09:25", "1er nov. 2025, 09:25"),
        ] {
            let at: Timestamp = at.parse().unwrap();
            assert_eq!(said(Language::English, at, now).unwrap(), english);
            assert_eq!(said(Language::French, at, now).unwrap(), french);
        }
    }

    #[test]
    fn every_month_and_weekday_has_its_text_in_both_languages() {
        let today = "2026-01-02".parse().unwrap();
        for language in [Language::English, Language::French] {
            for month in 1..=12 {
                let day = format!("2026-{month:02}-0{}", 1 + month % 7);
                assert!(!short_day(language, &day, today).unwrap().is_empty());
                assert!(text(language, &short_month_key(day.parse().unwrap()), &[]).is_ok());
            }
            for day in 1..=7 {
                let day = format!("2026-06-0{day}");
                assert!(!short_day(language, &day, today).unwrap().is_empty());
            }
        }
        assert_eq!(short_day(Language::English, "2026-11-25", today).unwrap(), "Wed 25 Nov");
        assert_eq!(short_day(Language::French, "2025-11-25", today).unwrap(), "25 nov. 2025");
    }

    #[test]
    fn phone_numbers_have_their_groups() {
        assert_eq!(
            (phone("0241234567"), phone("deleted")),
            ("024 123 4567".into(), "deleted".into())
        );
    }
}
