//! The texts of the dashboard, as Fluent messages (<https://projectfluent.org>): one folder per
//! language in `www/dashboard/texts`, one file per part.

use super::language::Language;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use std::sync::LazyLock;
use unic_langid::LanguageIdentifier;

/// The parts, in English and in French.
macro_rules! parts {
    ($($part:literal),+ $(,)?) => {
        [$((
            include_str!(concat!("../../../www/dashboard/texts/en/", $part, ".ftl")),
            include_str!(concat!("../../../www/dashboard/texts/fr/", $part, ".ftl")),
        )),+]
    };
}

static ENGLISH: LazyLock<FluentBundle<FluentResource>> =
    LazyLock::new(|| bundle(Language::English, sources().map(|(english, _)| english)));
static FRENCH: LazyLock<FluentBundle<FluentResource>> =
    LazyLock::new(|| bundle(Language::French, sources().map(|(_, french)| french)));

fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    parts![
        "administration",
        "alert_channels",
        "audit_actions",
        "batches",
        "books",
        "branding",
        "closed_days",
        "confirm",
        "connect",
        "desk",
        "exports",
        "first_steps",
        "home",
        "layout",
        "links",
        "mail",
        "mail_server",
        "money",
        "oidc",
        "operators",
        "passkeys",
        "payment",
        "payments",
        "people",
        "refunds",
        "sign_in",
        "statements",
        "times",
        "webhooks"
    ]
    .into_iter()
}

fn bundle(
    language: Language,
    sources: impl Iterator<Item = &'static str>,
) -> FluentBundle<FluentResource> {
    // Decides which numbers are singular.
    let id: LanguageIdentifier = language.code().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // The marks around arguments would be copied from the page together with an id.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(match language {
        Language::English => |value, _| whole_number(value, Language::English),
        Language::French => |value, _| whole_number(value, Language::French),
    }));
    for source in sources {
        let resource =
            FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, errors)| {
                tracing::error!(?errors, "a file of texts is broken");
                resource
            });
        if let Err(errors) = bundle.add_resource(resource) {
            tracing::error!(?errors, "a text is there twice");
        }
    }
    bundle
}

/// A whole number with a mark between thousands; `None` for what is no such number.
fn whole_number(value: &FluentValue<'_>, language: Language) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    let digits = number.as_string();
    let is_long = digits.len() > 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_long.then(|| grouped(&digits, language))
}

/// The digits of a whole number with the mark of the language between thousands.
pub(super) fn grouped(digits: &str, language: Language) -> String {
    let mark = match language {
        Language::English => ',',
        Language::French => '\u{202f}',
    };
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(mark);
        }
        grouped.push(digit);
    }
    grouped
}

/// The text with this key. `None` if there is none, or if an argument is missing.
pub(super) fn text(language: Language, key: &str, arguments: &FluentArgs<'_>) -> Option<String> {
    let bundle = match language {
        Language::English => &*ENGLISH,
        Language::French => &*FRENCH,
    };
    let pattern = bundle.get_message(key)?.value()?;
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(arguments), &mut errors);
    let text = match language {
        Language::English => text.into_owned(),
        Language::French => with_fixed_spaces(&text),
    };
    errors.is_empty().then_some(text)
}

/// A French text whose marks stay on the line of their word: with a no-break space before a colon,
/// a semicolon, a question or exclamation mark and a percent sign, and inside quotation marks.
fn with_fixed_spaces(text: &str) -> String {
    const FIXED: char = '\u{a0}';
    let mut fixed = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(one) = characters.next() {
        let is_before_mark =
            characters.peek().is_some_and(|next| matches!(next, ':' | ';' | '?' | '!' | '%' | '»'));
        let is_fixed = one == ' ' && (is_before_mark || fixed.ends_with('«'));
        fixed.push(if is_fixed { FIXED } else { one });
    }
    fixed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tua_contract::FailureCode;

    /// The keys of a file, with the arguments of each text.
    fn keys(source: &str) -> BTreeMap<&str, Vec<&str>> {
        let mut keys = BTreeMap::new();
        let mut key = "";
        for line in source.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with([' ', '}']))
            {
                key = name;
                assert!(keys.insert(key, Vec::new()).is_none(), "{key} is there twice");
            }
            let arguments = line.split('$').skip(1).map(|rest| {
                rest.split(|one: char| !one.is_ascii_alphanumeric() && one != '_')
                    .next()
                    .unwrap_or_default()
            });
            keys.entry(key).or_default().extend(arguments);
        }
        keys.into_iter()
            .map(|(key, mut arguments)| {
                arguments.sort_unstable();
                arguments.dedup();
                (key, arguments)
            })
            .collect()
    }

    #[test]
    fn every_failure_has_its_texts() {
        for code in FailureCode::ALL {
            for key in
                [format!("failure-{}", code.as_str()), format!("failure-next-{}", code.as_str())]
            {
                assert!(text(Language::French, &key, &FluentArgs::new()).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn thousands_are_separated_as_the_language_does() {
        let count = |language, count: u32| {
            let mut arguments = FluentArgs::new();
            arguments.set("count", count);
            text(language, "payments-count", &arguments).unwrap()
        };
        assert_eq!(count(Language::English, 999), "999 payments");
        assert_eq!(count(Language::English, 1_234_567), "1,234,567 payments");
        assert!(count(Language::French, 1_575).starts_with("1\u{202f}575 "));
    }

    #[test]
    fn marks_of_french_stay_beside_their_words() {
        let typed = "Payer « Ama » : 5 % ? Oui ; non !";
        let fixed = "Payer «\u{a0}Ama\u{a0}»\u{a0}: 5\u{a0}%\u{a0}? Oui\u{a0}; non\u{a0}!";
        assert_eq!(with_fixed_spaces(typed), fixed);
        let title = text(Language::French, "batch-title", &FluentArgs::new()).unwrap();
        assert_eq!(title, "Payer plusieurs personnes\u{a0}:");
    }

    #[test]
    fn both_languages_have_the_same_texts_with_the_same_arguments() {
        for (english, french) in sources() {
            assert!(FluentResource::try_new(english.to_owned()).is_ok(), "{english}");
            assert!(FluentResource::try_new(french.to_owned()).is_ok(), "{french}");
            assert_eq!(keys(english), keys(french));
        }
    }
}
